// Reads a request as it was sent, and compares it with its record: body and query are decoded here, independently of
// the code that encoded them.

import EventStore
import FlowRecording
import Foundation

enum RequestBytes {
  /// How a request differs from its record with the secrets put back; nil if they agree.
  static func difference(
    _ request: HTTPRequest, _ record: FlowRecord, _ surrogates: Surrogates
  ) -> StepDifference? {
    guard case .requestSent(let masked) = record.event else { return nil }
    var expected = masked
    expected.url = surrogates.reveal(masked.url)
    expected.headers = masked.headers.map { HTTPField(surrogates.reveal($0.name), surrogates.reveal($0.value)) }
    expected.body = masked.body.map { surrogates.reveal($0) }
    if masked.encoding != .json { expected.body = expected.body.map(fields) }
    var actual = read(request, like: expected)
    if actual == expected, masked.encoding != .json {
      // The same fields can be spelled in more than one way.
      (expected.body, actual.body) = (expected.body.map(spelled), spelling(of: request, like: expected))
    }
    guard actual != expected else { return nil }
    func with(_ sent: RequestSent) -> FlowRecord {
      FlowRecord(revision: record.revision, at: record.at, cause: record.cause, event: .requestSent(sent))
    }
    return StepDifference(
      kind: .different, revision: record.revision, expected: with(expected), actual: with(actual))
  }

  private static func read(_ request: HTTPRequest, like expected: RequestSent) -> RequestSent {
    let (url, body) = parts(of: request, like: expected)
    let json: JSON? = body.map { text in
      expected.encoding == .json ? (try? JSON(parsing: Array(text.utf8))) ?? .string(text) : form(text)
    }
    // A form or a query without members has no bytes.
    let none: JSON? = expected.encoding != .json && expected.body == .array([]) ? .array([]) : Optional.none
    return RequestSent(
      method: request.method, url: url, headers: request.headers, body: json ?? none, encoding: expected.encoding,
      foreignOrigin: expected.foreignOrigin)
  }

  /// The URL, and the text of the body, or of the query that replaces it.
  private static func parts(of request: HTTPRequest, like expected: RequestSent) -> (url: String, body: String?) {
    let (url, body) = (request.url, request.body.map { String(decoding: $0, as: UTF8.self) })
    guard expected.encoding == .query, expected.body?.array?.isEmpty == false, body == nil else { return (url, body) }
    // The URL's own query stays there; a fragment is not sent.
    let base = expected.url.prefix { $0 != "#" }
    let isOpen = base.hasSuffix("?") || base.hasSuffix("&")
    let mark = isOpen ? "" : base.contains("?") ? "&" : "?"
    guard url.hasPrefix(base + mark) else { return (url, body) }
    return (expected.url, String(url.dropFirst(base.count + mark.count)))
  }

  /// The text that encodes the fields; nil if there are none.
  private static func spelling(of request: HTTPRequest, like expected: RequestSent) -> JSON? {
    expected.body.map { _ in .string(parts(of: request, like: expected).body ?? "") }
  }

  /// Fields as RFC 3986 §2.1 spells them: all but the unreserved characters as two hexadecimal digits, upper case.
  private static func spelled(_ fields: JSON) -> JSON {
    let unreserved = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    let pairs = (fields.array ?? []).map { field in
      (field.array ?? []).map { part in
        let text = part.string ?? ""
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
      }.joined(separator: "=")
    }
    return .string(pairs.joined(separator: "&"))
  }

  /// The members of an object as fields of a form: texts, without those that are null.
  private static func fields(_ json: JSON) -> JSON {
    .array(
      (json.object?.members ?? []).filter { $0.value != .null }.map { member in
        let value =
          switch member.value {
          case .string(let text), .number(let text): text
          case .null, .bool, .array, .object: member.value.text
          }
        return [.string(member.key), .string(value)]
      })
  }

  /// The fields of a form (WHATWG URL §5.1), in order.
  private static func form(_ text: String) -> JSON {
    text.isEmpty
      ? .array([])
      : .array(
        text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
          let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          let texts = parts.map { FormFields.decoded($0.utf8) }
          return [.string(texts[0]), .string(texts.count > 1 ? texts[1] : "")]
        })
  }
}
