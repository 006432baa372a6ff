// A recorded answer that another client can use: with made-up secrets, links that lead back here, and current times.

import EventStore
import FlowRecording

/// A recorded answer, or the absence of one.
struct RecordedReply: Sendable {
  /// The common facts of a flow's answers.
  struct Scene: Sendable {
    /// The origins of the recorded org.
    var origins: [String]
    /// Their replacement.
    var origin: String
    /// Declares the places of times; nil if the kind of the flow is unknown.
    var policy: MaskingPolicy?

    /// A text with made-up secrets, and links that lead back here.
    func text(_ text: String) -> String {
      var text = Surrogates().reveal(text)
      for recorded in origins { text = text.replacing(recorded, with: origin) }
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
  }

  private enum Body: Sendable {
    case bytes([UInt8])
    case json(JSON)

    var isEmpty: Bool {
      switch self {
      case .bytes(let bytes): bytes.isEmpty
      case .json: false
      }
    }
  }

  private let status: Int
  private let headers: [(name: String, value: String)]
  private let body: Body
  private let policy: MaskingPolicy?
  /// When it was recorded.
  private let time: Timestamp
  /// The ID token in the body, if it must be issued again.
  let idToken: RecordedIDToken?

  /// The answer in an event; nil for any other event.
  init?(_ record: FlowRecord, _ scene: Scene, idToken: RecordedIDToken? = nil) {
    (policy, time) = (scene.policy, record.at)
    self.idToken = idToken
    switch record.event {
    case .responseReceived(let response):
      status = response.status
      // The length must be that of this body.
      var headers = response.headers.filter { $0.name.lowercased() != "content-length" }
        .map { (name: $0.name, value: scene.text($0.value)) }
      switch response.body {
      case .empty: body = .bytes([])
      case .json(let json): body = .json(scene.json(json))
      case .opaque(_, let length, _):
        body = .bytes(Array(repeating: UInt8(ascii: "."), count: min(max(0, length), 1 << 20)))
      }
      if !body.isEmpty, !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
        headers.append(("Content-Type", "application/json"))
      }
      self.headers = headers
    case .requestFailed: (status, headers, body) = (503, [], .bytes([]))
    case .flowStarted, .flowEnded, .noteAdded, .callMade, .callReturned, .requestSent, .drawAsked, .drawMade,
      .timerSet, .timerFired, .domain:
      return nil
    }
  }

  /// The answer with its times moved, and its document changed by `change`.
  func answer(at now: Timestamp, _ change: (JSON) -> JSON) -> RecordedOrg.Answer {
    let shift = TimeShift(from: time, to: now)
    let bytes: [UInt8]
    switch body {
    case .bytes(let recorded): bytes = recorded
    case .json(let json): bytes = change(policy.map { shift.moved(json, as: $0.response) } ?? json).bytes
    }
    return RecordedOrg.Answer(
      status: status,
      headers: headers.map { ($0.name, shift.moved(header: $0.name.lowercased(), $0.value, policy)) }, body: bytes)
  }
}
