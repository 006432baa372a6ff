// Flows as HTTP archives (HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/), which browsers open in their network panel.

public import EventStore
import FlowRecording

/// Writes flows as an HTTP archive. Everything in it is masked, as the log is.
public enum HARExport {
  /// The document: a page for each flow, an entry for each request, in the order in which they were sent.
  public static func document(_ recording: Recording) -> JSON {
    var pages: [JSON] = []
    var entries: [(at: Timestamp, json: JSON)] = []
    for (index, flow) in recording.flows.enumerated() {
      let id = "flow_\(index + 1)"
      let ends = Dictionary(
        flow.records.compactMap { record in record.isEnd ? record.cause.map { ($0, record) } : nil }
      ) { first, _ in first }
      pages.append([
        "startedDateTime": .string((flow.records.first?.at ?? Timestamp(microseconds: 0)).description),
        "id": .string(id), "title": .string(flow.stream), "pageTimings": [:],
      ])
      for record in flow.records {
        guard case .requestSent(let request) = record.event else { continue }
        entries.append((record.at, entry(request, record, ends[record.revision], page: id)))
      }
    }
    let ordered = entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
    return [
      "log": [
        "version": "1.2",
        "creator": [
          "name": "FlowRecorder", "version": .string(String(UserAgent.product.split(separator: "/").last ?? "")),
        ],
        "pages": .array(pages), "entries": .array(ordered.map(\.element.json)),
      ]
    ]
  }

  private static func entry(_ request: RequestSent, _ sent: FlowRecord, _ end: FlowRecord?, page: String) -> JSON {
    let microseconds = end.map { max(0, $0.at.microseconds - sent.at.microseconds) } ?? 0
    let time = JSON.number("\(microseconds / 1_000).\(String(1_000 + microseconds % 1_000).dropFirst())")
    var response: JSON
    if case .responseReceived(let received) = end?.event {
      response = answer(received)
    } else {
      response = noAnswer(end)
    }
    if case .object(var object) = response {
      object["headersSize"] = -1
      response = .object(object)
    }
    return [
      "pageref": .string(page), "startedDateTime": .string(sent.at.description), "time": time,
      "request": self.request(request), "response": response, "cache": [:],
      "timings": ["send": 0, "wait": time, "receive": 0],
    ]
  }

  private static func request(_ request: RequestSent) -> JSON {
    let fields = request.body?.object?.members.map { ($0.key, $0.value.string ?? $0.value.text) } ?? []
    var url = request.url
    if request.encoding == .query, !fields.isEmpty {
      url += (url.contains("?") ? "&" : "?") + FormText.encoded(fields)
    }
    var post: JSON?
    var size = 0
    if let body = request.body, request.encoding != .query {
      let isForm = request.encoding == .form
      let type = header("Content-Type", of: request.headers)
      let text = isForm ? FormText.encoded(fields) : body.text
      size = text.utf8.count
      // The fields of a form, or the text: HAR 1.2 has one of them.
      var content: (String, JSON?) = ("text", .string(text))
      if isForm { content = ("params", .array(fields.map { ["name": .string($0), "value": .string($1)] })) }
      post = .members([
        ("mimeType", .string(type ?? (isForm ? "application/x-www-form-urlencoded" : "application/json"))), content,
      ])
    }
    let query = URLParts(url)?.query.map { FormFields.members(of: Array($0.utf8)) }
    return .members([
      ("method", .string(request.method)), ("url", .string(url)), ("httpVersion", "HTTP/1.1"),
      ("cookies", .array(cookies(header("Cookie", of: request.headers)))), ("headers", headers(request.headers)),
      (
        "queryString",
        .array((query?.object?.members ?? []).map { ["name": .string($0.key), "value": $0.value] })
      ), ("postData", post), ("headersSize", -1), ("bodySize", .int(size)),
    ])
  }

  private static func answer(_ response: ResponseReceived) -> JSON {
    let type = header("Content-Type", of: response.headers)
    var content: [(String, JSON?)]
    let size: Int
    switch response.body {
    case .empty:
      size = 0
      content = [("size", 0), ("mimeType", .string(type ?? "x-unknown"))]
    case .json(let json):
      let text = json.text
      size = text.utf8.count
      content = [("size", .int(size)), ("mimeType", .string(type ?? "application/json")), ("text", .string(text))]
    case .opaque(let reason, let length, _):
      size = max(0, length)
      content = [
        ("size", .int(size)), ("mimeType", .string(type ?? "x-unknown")),
        ("comment", .string("not recorded: \(reason)")),
      ]
    }
    let setCookies = response.headers.filter { $0.name.lowercased() == "set-cookie" }
    return [
      "status": .int(response.status), "statusText": "", "httpVersion": "HTTP/1.1",
      "cookies": .array(setCookies.flatMap { cookies(String($0.value.prefix { $0 != ";" })) }),
      "headers": headers(response.headers), "content": .members(content),
      "redirectURL": .string(header("Location", of: response.headers) ?? ""), "bodySize": .int(size),
    ]
  }

  /// As browsers write a request that failed: status 0.
  private static func noAnswer(_ end: FlowRecord?) -> JSON {
    var comment = "no answer was recorded"
    if case .requestFailed(let failed) = end?.event { comment = "\(failed.code): \(failed.detail)" }
    return [
      "status": 0, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
      "content": ["size": 0, "mimeType": "x-unknown"], "redirectURL": "", "bodySize": -1, "comment": .string(comment),
    ]
  }

  private static func headers(_ fields: [HTTPField]) -> JSON {
    .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] })
  }

  private static func header(_ name: String, of fields: [HTTPField]) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  private static func cookies(_ header: String?) -> [JSON] {
    (header ?? "").split(separator: ";").map { pair in
      let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return [
        "name": .string(String(parts.first ?? "")), "value": .string(parts.count > 1 ? String(parts[1]) : ""),
      ]
    }
  }
}

extension FlowRecord {
  /// True if it is the end of a request.
  fileprivate var isEnd: Bool {
    switch event {
    case .responseReceived, .requestFailed: true
    case .flowStarted, .flowEnded, .noteAdded, .callMade, .callReturned, .requestSent, .drawAsked, .drawMade, .timerSet,
      .timerFired, .domain:
      false
    }
  }
}

/// Writes forms, placeholders as they are.
enum FormText {
  static func encoded(_ fields: [(String, String)]) -> String {
    fields.map { "\(encoded($0))=\(encoded($1))" }.joined(separator: "&")
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "$"):
        String(Character(Unicode.Scalar(byte)))
      case UInt8(ascii: " "): "+"
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
