// Recordings from strangers: replaying and reading them is an answer or an error, never a trap.

import DeviceAuthenticator
import EventStore
import FlowRecording
import Replay
import SimulatedOrg
import Testing

@Suite struct CraftedRecordingTests {
  /// Values that no flow records.
  private static let odd: [JSON] = [
    .int(.min), .int(.max), "-9223372036854775808", "9223372036854775807", .null, [], ["a": [1]],
  ]

  /// A value with one of its leaves changed, for each leaf.
  private static func crafted(_ value: JSON) -> [JSON] {
    switch value {
    case .object(let object):
      object.members.indices.flatMap { index in
        crafted(object.members[index].value).map { changed in
          .members(object.members.enumerated().map { ($1.key, $0 == index ? changed : $1.value) })
        }
      }
    case .array(let elements):
      elements.indices.flatMap { index in
        crafted(elements[index]).map { changed in
          .array(elements.enumerated().map { $0 == index ? changed : $1 })
        }
      }
    case .null, .bool, .number, .string: odd
    }
  }

  /// The events that an event is crafted into.
  private static func crafted(_ event: FlowEvent) -> [FlowEvent] {
    switch event {
    case .callMade(let made):
      crafted(made.arguments).map { .callMade(CallMade(call: made.call, arguments: $0, on: made.on)) }
    case .drawMade(let draw):
      crafted(draw.value).map { .drawMade(DrawMade(kind: draw.kind, ordinal: draw.ordinal, result: .success($0))) }
    case .domain(let event):
      crafted(event.data).map { .domain(DomainEvent(type: event.type, version: event.version, data: $0)) }
    case .flowStarted, .flowEnded, .noteAdded, .callReturned, .requestSent, .responseReceived, .requestFailed,
      .drawAsked, .timerSet, .timerFired:
      []
    }
  }

  private static func play(_ records: [FlowRecord]) throws -> Int {
    var core = DeviceCore()
    for record in records { core.fold(record) }
    let flow = RecordedFlow(stream: "device/crafted", records: records)
    return core.json.bytes.count + (try Replay.replay(Recording(name: "crafted", flows: [flow])).count)
  }

  @Test func `whatever stands in a recording of a challenge, it is replayed or found to differ`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll(verification: true)
      let challenge = try rig.challenge(enrollment) { $0.requirement = .required }
      try await rig.parse(challenge).resolve(onRemediation: Answers().handle)
      let records = rig.lastFlow
      var played = 0
      for (index, record) in records.enumerated() {
        for event in Self.crafted(record.event) {
          var crafted = records
          crafted[index] = FlowRecord(revision: record.revision, at: record.at, cause: record.cause, event: event)
          #expect(try Self.play(crafted) > 0)
          played += 1
        }
      }
      #expect(played > 500)
      // Clocks at both ends of the calendar, from each record on.
      for text in ["0000-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z"] {
        let end = try #require(Timestamp(text))
        for index in records.indices {
          let crafted = records.enumerated().map { place, record in
            FlowRecord(
              revision: record.revision, at: place < index ? record.at : end, cause: record.cause, event: record.event)
          }
          #expect(try Self.play(crafted) > 0)
        }
      }
    }
  }
}
