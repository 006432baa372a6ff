// An org that answers as a recording did, for any client.

import EventStore
import FlowRecording

/// Gives the recorded answers to requests, by method, path and order.
///
/// Ids and secrets in paths fit any other. Several answers to the same place are given in that order, and the last of
/// them again. Made-up values stand for secrets, and the address that it is reached at for that of the recorded org.
public struct RecordedOrg: Sendable {
  /// An answer.
  public struct Answer: Sendable, Equatable {
    /// The status code.
    public var status: Int
    /// The headers, in order.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: [UInt8]

    /// Whether they are the same, headers included.
    public static func == (one: Answer, other: Answer) -> Bool {
      one.status == other.status && one.body == other.body && one.headers.elementsEqual(other.headers) { $0 == $1 }
    }
  }

  private struct Exchange {
    var method: String
    var path: [Substring]
    var answer: Answer
    var isUsed = false
  }

  private var exchanges: [Exchange] = []

  /// An org that plays a recording.
  ///
  /// - Parameters:
  ///   - recording: the recording; all its flows are played.
  ///   - origin: where clients reach it: `http://127.0.0.1:8080`.
  public init(_ recording: Recording, at origin: String) {
    let surrogates = Surrogates()
    for flow in recording.flows {
      let requests = Dictionary(
        flow.records.compactMap { record -> (Int, RequestSent)? in
          if case .requestSent(let request) = record.event { (record.revision, request) } else { nil }
        }
      ) { first, _ in first }
      let origins = Set(requests.values.compactMap { URLParts($0.url)?.origin })
      for record in flow.records {
        guard let request = record.cause.flatMap({ requests[$0] }), let parts = URLParts(request.url) else { continue }
        var answer: Answer
        switch record.event {
        case .responseReceived(let response): answer = Self.answer(response, surrogates, origins, origin)
        case .requestFailed: answer = Answer(status: 503, headers: [], body: [])
        case .flowStarted, .flowEnded, .noteAdded, .callMade, .callReturned, .requestSent, .drawAsked, .drawMade,
          .timerSet, .timerFired, .domain:
          continue
        }
        exchanges.append(Exchange(method: request.method, path: Self.steps(parts.path), answer: answer))
      }
    }
  }

  /// How many answers it has.
  public var count: Int { exchanges.count }

  /// The answer to a request.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - target: the path, with its query or without.
  /// - Returns: `nil` if nothing of that method and path was recorded.
  public mutating func answer(_ method: String, _ target: String) -> Answer? {
    let path = Self.steps(String(target.prefix { $0 != "?" && $0 != "#" }))
    let fitting = exchanges.indices.filter { exchanges[$0].method == method && Self.fits(exchanges[$0].path, path) }
    // One whose path is the same to the letter comes before one with ids in it.
    let exact = fitting.filter { exchanges[$0].path == path }
    let candidates = exact.isEmpty ? fitting : exact
    guard let index = candidates.first(where: { !exchanges[$0].isUsed }) ?? candidates.last else { return nil }
    exchanges[index].isUsed = true
    return exchanges[index].answer
  }

  private static func steps(_ path: String) -> [Substring] { path.split(separator: "/") }

  private static func fits(_ recorded: [Substring], _ path: [Substring]) -> Bool {
    recorded.count == path.count
      && zip(recorded, path).allSatisfy {
        $0 == $1 || $0.contains("$secret.") || RequestSent.isID($0) && RequestSent.isID($1)
      }
  }

  private static func answer(
    _ response: ResponseReceived, _ surrogates: Surrogates, _ origins: Set<String>, _ origin: String
  ) -> Answer {
    func text(_ text: String) -> String {
      var text = surrogates.reveal(text)
      for recorded in origins.sorted() where recorded != origin { text = text.replacing(recorded, with: origin) }
      return text
    }
    func json(_ value: JSON) -> JSON {
      switch value {
      case .null, .bool, .number: value
      case .string(let string): .string(text(string))
      case .array(let elements): .array(elements.map(json))
      case .object(let object):
        .object(JSONObject(object.members.map { JSONObject.Member(key: text($0.key), value: json($0.value)) }))
      }
    }
    // The time is the client's own, and the length that of this body.
    var headers = response.headers.filter { !["date", "content-length"].contains($0.name.lowercased()) }
      .map { (name: $0.name, value: text($0.value)) }
    let body: [UInt8]
    switch response.body {
    case .empty: body = []
    case .json(let value): body = json(value).bytes
    case .opaque(_, let length, _): body = Array(repeating: UInt8(ascii: "."), count: min(max(0, length), 1 << 20))
    }
    if !body.isEmpty, !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      headers.append(("Content-Type", "application/json"))
    }
    return Answer(status: response.status, headers: headers, body: body)
  }
}
