import EventStore
import FlowRecording
import Replay
import Testing

/// Which streams of a log, or of a file of its records, are flows.
@Suite struct GatheredFlowsTests {
  private let golden: Recording

  init() throws { golden = try GoldenRecordings.read("push-approved") }

  private func record(_ stream: String, _ type: String, _ data: JSON) throws -> StoredRecord {
    let new = NewRecord(at: Timestamp(microseconds: 0), stream: stream, type: type, data: data.bytes)
    return try StoredRecord(new, position: 0, revision: 0, cause: nil)
  }

  @Test("the stream of the store, and those of an application, are no flows of a recording")
  func others() throws {
    let before = [try record("log", "log.opened", ["format": 2]), try record("orders", "order.placed", [:])]
    let after = try record("notes", "note.added", ["text": "n"])
    let records = try before + golden.records() + [after]
    let recording = try Recording(name: "r", records: records)
    #expect(recording.flows == golden.flows)
    #expect(try Replay.replay(recording, depth: .core) == [])
    let rest = try Recording(name: "rest", records: records.filter { $0.stream == "log" })
    #expect(throws: ReplayError.empty(name: "rest")) { try Replay.replay(rest) }
  }

  @Test("a flow whose beginning is missing, or of a later version, is not passed over")
  func beginnings() throws {
    let stream = golden.flows[0].stream
    let cut = try Recording(name: "cut", records: Array(golden.records().dropFirst()))
    #expect(cut.flows.map(\.stream) == [stream])
    #expect(throws: ReplayError.self) { try Replay.replay(cut) }
    var later = golden
    later.flows[0].records = [
      FlowRecord(
        revision: 0, at: Timestamp(microseconds: 0), cause: nil,
        event: .domain(DomainEvent(type: "flow.started", version: 2, data: [:])))
    ]
    let read = try Recording(name: "later", records: later.records())
    #expect(throws: ReplayError.unknownKind(stream: stream, kind: "flow.started")) { try Replay.replay(read) }
  }
}
