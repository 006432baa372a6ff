import EventStore
import FlowRecording
import Replay
import Testing

/// A recorded output that was changed, as if the SDK made another one when it was recorded.
struct PlantedFailure: Sendable, CustomTestStringConvertible {
  let name: String
  /// The golden recording that it is planted in.
  let recording: String
  /// The type of the output, and which of them: from the end if negative.
  let type: String
  let number: Int
  let change: Change

  enum Change: Sendable {
    /// A member of the data gets another value.
    case set([String], JSON)
    /// The output is taken out.
    case remove
    /// The output stands there twice.
    case double
  }

  var testDescription: String { name }

  /// The recording with the failure in it.
  func plant() throws -> Recording {
    var recording = try GoldenRecordings.read(self.recording)
    for flow in recording.flows.indices {
      let places = recording.flows[flow].records.indices.filter { index in
        recording.flows[flow].records[index].event.type == type
      }
      let place = number < 0 ? places.count + number : number
      guard places.indices.contains(place) else { continue }
      let index = places[place]
      switch change {
      case .set(let path, let value):
        let event = recording.flows[flow].records[index].event
        let data = Self.set(path[...], value, in: event.data)
        recording.flows[flow].records[index].event = try FlowEvent(type: event.type, version: event.version, data: data)
      case .remove: recording.flows[flow].records.remove(at: index)
      case .double:
        let copy = recording.flows[flow].records[index]
        for later in (index + 1)..<recording.flows[flow].records.count {
          recording.flows[flow].records[later].revision += 1
          if let cause = recording.flows[flow].records[later].cause, cause > index {
            recording.flows[flow].records[later].cause = cause + 1
          }
        }
        recording.flows[flow].records.insert(copy, at: index + 1)
        recording.flows[flow].records[index + 1].revision += 1
      }
      return recording
    }
    throw Missing()
  }

  struct Missing: Error {}

  private static func set(_ path: ArraySlice<String>, _ value: JSON, in json: JSON) -> JSON {
    guard let key = path.first else { return value }
    if let index = Int(key), var elements = json.array, elements.indices.contains(index) {
      elements[index] = set(path.dropFirst(), value, in: elements[index])
      return .array(elements)
    }
    guard var object = json.object else { return json }
    object[key] = set(path.dropFirst(), value, in: object[key] ?? [:])
    return .object(object)
  }

  static let all: [PlantedFailure] = [
    .init(
      name: "the first poll timer is shorter", recording: "push-approved", type: "timer.set", number: 0,
      change: .set(["ms"], 4000)),
    .init(
      name: "the last poll timer of five minutes is shorter", recording: "push-timed-out", type: "timer.set",
      number: -1, change: .set(["ms"], 4000)),
    .init(
      name: "a retry waits longer", recording: "lost-polls", type: "timer.set", number: 2,
      change: .set(["ms"], 77_777)),
    .init(
      name: "the first request goes elsewhere", recording: "sms-wrong-code", type: "request.sent", number: 0,
      change: .set(["url"], "https://elsewhere.example/api/v1/authn")),
    .init(
      name: "the last request has another handle", recording: "sms-wrong-code", type: "request.sent", number: -1,
      change: .set(["body", "stateToken"], "$secret.stateToken.9$")),
    .init(
      name: "a header is missing", recording: "totp", type: "request.sent", number: 1, change: .set(["headers"], [])),
    .init(
      name: "another status", recording: "push-approved", type: "status.changed", number: 1,
      change: .set(["status"], "MFA_WAITS")),
    .init(
      name: "the outcome of a lock is another", recording: "locked-out-unlock", type: "status.changed", number: -1,
      change: .set(["status"], "UNLOCKED")),
    .init(
      name: "a call returns otherwise", recording: "wrong-password", type: "call.returned", number: 0,
      change: .set(["error"], "nothing")),
    .init(
      name: "a status is not made", recording: "enroll-sms", type: "status.changed", number: 2, change: .remove),
    .init(
      name: "a timer is set twice", recording: "push-rejected", type: "timer.set", number: 0, change: .double),
    .init(
      name: "the Identity Engine's last request has another method", recording: "idx-second-factor",
      type: "request.sent", number: -1, change: .set(["method"], "PATCH")),
    .init(
      name: "the Identity Engine's third request has another body", recording: "idx-lost-polls", type: "request.sent",
      number: 2, change: .set(["body", "stateHandle"], "$secret.stateHandle.9$")),
    .init(
      name: "a device asks for something else", recording: "device-enroll", type: "request.sent", number: 0,
      change: .set(["method"], "PATCH")),
    .init(
      name: "tokens are asked for with another grant", recording: "oidc-life", type: "request.sent", number: -1,
      change: .set(["method"], "PATCH")),
    .init(
      name: "a cookie has another value", recording: "push-approved", type: "request.sent", number: 1,
      change: .set(["headers", "3"], ["Cookie", "DT=$secret.cookie.1$z"])),
    .init(
      name: "a link has another name", recording: "push-approved", type: "status.changed", number: 1,
      change: .set(["summary", "links", "1"], "next:pull")),
    .init(
      name: "the Identity Engine's poll timer is longer", recording: "idx-number-challenge", type: "timer.set",
      number: 0, change: .set(["ms"], 4500)),
    .init(
      name: "a status is not returned", recording: "push-approved", type: "call.returned", number: 0, change: .remove),
  ]
}
