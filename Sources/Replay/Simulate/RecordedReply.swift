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
    /// What made-up secrets carry; empty if they are the same for all clients.
    var mark = ""

    /// A text with made-up secrets, and links that lead back here.
    func text(_ text: String) -> String {
      var text = Surrogates(mark: mark).reveal(text)
      for recorded in origins { text = text.replacing(recorded, with: origin) }
      return text
    }

    func json(_ value: JSON) -> JSON {
      value.replacing { string in
        JSON.string(text(string))
      } names: { name in
        text(name)
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
  /// The headers as they were recorded.
  private let headers: [(name: String, value: String)]
  /// The body as it was recorded.
  private let body: Body
  private let scene: Scene
  /// When it was recorded.
  private let time: Timestamp
  /// The ID token in the body, if it must be issued again.
  let idToken: RecordedIDToken?

  /// The answer in an event; nil for any other event.
  init?(_ record: FlowRecord, _ scene: Scene, idToken: RecordedIDToken? = nil) {
    (self.scene, time) = (scene, record.at)
    self.idToken = idToken
    switch record.event {
    case .responseReceived(let response):
      status = response.status
      // The length must be that of this body.
      var headers = response.headers.filter { $0.name.lowercased() != "content-length" }
        .map { (name: $0.name, value: $0.value) }
      switch response.body {
      case .empty: body = .bytes([])
      case .json(let json): body = .json(json)
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

  /// The answer with its times moved, its secrets made up, and its document changed by `change`.
  ///
  /// - Parameters:
  ///   - now: the time to which its times are moved.
  ///   - mark: what its made-up secrets carry.
  ///   - change: changes the document.
  func answer(at now: Timestamp, marked mark: String, _ change: (JSON) -> JSON) -> RecordedOrg.Answer {
    var scene = self.scene
    scene.mark = mark
    let policy = scene.policy
    let shift = TimeShift(from: time, to: now)
    let bytes: [UInt8]
    switch body {
    case .bytes(let recorded): bytes = recorded
    case .json(let recorded):
      let json = scene.json(recorded)
      bytes = change(policy.map { shift.moved(json, as: $0.response) } ?? json).bytes
    }
    return RecordedOrg.Answer(
      status: status,
      headers: headers.map { header in
        (header.name, shift.moved(header: header.name.lowercased(), scene.text(header.value), policy))
      }, body: bytes)
  }
}
