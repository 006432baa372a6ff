// Answers of an org that differ from those it gave: one thing in a sign-in, one in each answer, or a few in each. Which, says a
// number; they were not chosen.

import Dispatch
import EventStore
import FlowRecording
import Foundation

/// A way to vary the answers in a flow.
public final class Variation: Sendable {
  /// The variation of the scenario that is played.
  @TaskLocal public static var current: Variation?

  private let number: Int
  private let name: String
  private let answers = Locked(0)

  /// The variation of a scenario with a number.
  public init(_ number: Int, of name: String) { (self.number, self.name) = (number, name) }

  /// The choices of an application that takes part in the variation.
  var chance: Chance { Chance("\(name) \(number) application") }

  /// The outcome of a request, varied.
  func vary(_ outcome: Result<HTTPResponse, TransportError>) -> Result<HTTPResponse, TransportError> {
    let count = answers.withLock { answers in
      answers += 1
      return answers - 1
    }
    guard case .success(var response) = outcome else { return outcome }
    let chance = Chance("\(name) \(number) \(count)")
    // One answer alone, each answer once, each in a few places.
    let manner = number % 4
    if manner == 0, count != (number / 4) % 7 { return outcome }
    if manner == 3, chance.number(below: 3) == 0 { return outcome }
    if chance.number(below: 100) < (manner == 0 ? 30 : 4) {
      if chance.number(below: 100) < 15 {
        return .failure(TransportError(chance.pick(TransportError.Code.allCases) ?? .other, "The answer was lost."))
      }
      Self.varyHead(of: &response, chance)
      return .success(response)
    }
    for _ in 0..<(manner < 2 ? 1 : 2 + chance.number(below: manner == 2 ? 3 : 7)) {
      Self.varyBody(of: &response, chance)
    }
    if manner > 1, chance.number(below: 100) < 10 { Self.addHeader(to: &response, chance) }
    return .success(response)
  }

  private static func varyBody(of response: inout HTTPResponse, _ chance: Chance) {
    guard let json = try? JSON(parsing: response.body) else {
      let bodies = ["{}", "null", "[]", "\"text\"", "{\"error\":\"invalid_request\"}", "<html>"]
      if chance.number(below: 4) == 0 { response.body = Array((chance.pick(bodies) ?? "").utf8) }
      return
    }
    if chance.number(below: 60) == 0 {
      let text = String(decoding: response.body, as: UTF8.self)
      let bodies = [
        "", "[]", "null", "\"text\"", "[\(text)]", text + "x", "\u{feff}" + text, String(text.dropLast()), " \n" + text,
      ]
      response.body = Array((chance.pick(bodies) ?? "").utf8)
      return
    }
    guard let place = chance.pick(JSONPlace.all(in: json)), let value = json.value(at: place),
      let variation = chance.pick(JSONVariation.variations(of: value)),
      let changed = json.replacing(place.steps[...], with: variation.change(value))
    else { return }
    response.body = changed.bytes
  }

  private static let statuses = [
    200, 201, 202, 204, 302, 304, 400, 401, 403, 404, 405, 409, 410, 422, 429, 429, 429, 500, 502, 503,
  ]

  private static func varyHead(of response: inout HTTPResponse, _ chance: Chance) {
    response.status = chance.pick(statuses) ?? 500
    if chance.number(below: 3) > 0 { addHeader(to: &response, chance) }
    if response.status >= 400, chance.number(below: 2) == 0 {
      let errors = [
        "E0000004", "E0000006", "E0000007", "E0000011", "E0000014", "E0000022", "E0000047", "E0000068", "E0000069",
        "E0000080", "E0000105", "E0000109", "E0000119", "E0000133", "E9999999",
      ]
      let error = chance.pick(errors) ?? "", cause = chance.number(below: 3)
      let causes = (0..<cause).map {
        "{\"errorSummary\":\"Cause \($0)\",\"reason\":\"R\($0)\",\"location\":\"here\",\"domain\":\"d\"}"
      }
      response.body = Array(
        """
        {"errorCode":"\(error)","errorSummary":"Summary of \(error)","errorLink":"\(error)","errorId":"oae\(error)",\
        "errorCauses":[\(causes.joined(separator: ","))]}
        """.utf8)
      if chance.number(below: 4) == 0 {
        let words = [
          "invalid_grant", "access_denied", "authorization_pending", "slow_down", "expired_token",
          "interaction_required",
          "invalid_client", "use_dpop_nonce",
        ]
        response.body = Array(
          """
          {"error":"\(chance.pick(words) ?? "")","error_description":"What is wrong."}
          """.utf8)
      }
    }
  }

  private static let headers: [(name: String, values: [String])] = [
    (
      "Retry-After",
      [
        "0", "1", "7", "-1", "1.5", "soon", " 3 ", "60", "61", "99999", "Thu, 15 Jan 2026 09:00:30 GMT",
        "Thu, 15 Jan 2026 08:00:00 GMT",
      ]
    ),
    ("X-Rate-Limit-Reset", ["1768467610", "1768467670", "0", "soon", "1768460000"]),
    ("X-Rate-Limit-Limit", ["0", "10", "600"]), ("X-Rate-Limit-Remaining", ["0", "9"]),
    (
      "Date",
      [
        "Thu, 15 Jan 2026 09:00:00 GMT", "Thu, 15 Jan 2026 10:00:00 GMT", "Thu, 15 Jan 2026 08:59:59 GMT",
        "Thursday, 15-Jan-26 09:00:09 GMT", "Thu Jan 15 09:00:09 2026", "yesterday",
      ]
    ),
    (
      "Content-Type",
      [
        "application/json; charset=utf-8", "text/html", "application/ion+json; okta-version=1.0.0", "application/JSON",
        "application/problem+json", "",
      ]
    ),
    (
      "Set-Cookie",
      [
        "DT=device-of-variation; Path=/; Secure; HttpOnly", "sid=session-of-variation; Path=/api; Max-Age=60",
        "idx=word-of-variation; Domain=acme.example; Expires=Thu, 15 Jan 2026 09:00:01 GMT", "a=b; Max-Age=0",
        "DT=; Path=/", "JSESSIONID=\"quoted-of-variation\"; SameSite=None", "odd", "=nameless; Path=/",
      ]
    ),
    ("X-Okta-Request-Id", ["request-of-variation", ""]),
    ("WWW-Authenticate", ["Bearer error=\"invalid_token\", error_description=\"The token expired\"", "Basic realm=x"]),
    ("Cache-Control", ["max-age=1", "no-store", "public, max-age=86400"]),
    ("Location", ["https://acme.example/elsewhere", "com.acme.app:/callback?error=access_denied", "/relative"]),
  ]

  private static func addHeader(to response: inout HTTPResponse, _ chance: Chance) {
    guard let (name, values) = chance.pick(headers), let value = chance.pick(values) else { return }
    switch chance.number(below: 4) {
    case 0: response.headers.removeAll { $0.name.lowercased() == name.lowercased() }
    case 1:
      response.headers.removeAll { $0.name.lowercased() == name.lowercased() }
      response.headers.append(HTTPField(name.lowercased(), value))
    case 2:
      response.headers.removeAll { $0.name.lowercased() == name.lowercased() }
      response.headers.append(HTTPField(name, value))
    default: response.headers.append(HTTPField(name, value))
    }
  }
}

extension Chance {
  /// The choices that a text stands for.
  init(_ text: String) { self.init(seed: StableHash.value(text)) }

  /// A number from 0 up to, but not including, a limit.
  func number(below limit: Int) -> Int { limit > 0 ? below(limit) : 0 }

  /// True so many times of a hundred.
  func isTrue(_ percent: Int) -> Bool { number(below: 100) < percent }
}

/// Varies what comes back over another transport.
struct VariedAnswers: Transport {
  let transport: any Transport
  let variation: Variation

  /// A transport, varied if a variation is played.
  static func over(_ transport: any Transport) -> any Transport {
    Variation.current.map { VariedAnswers(transport: transport, variation: $0) } ?? transport
  }

  func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    transport.send(request) { [variation] in completion(variation.vary($0)) }
  }
}
