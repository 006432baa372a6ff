import EventStore
import FlowKinds
import FlowRecording
import Foundation
import Synchronization
import Testing

@testable import Replay

/// What a replay keeps in memory: one recording a core, whatever their number, and of a recording what replaying it takes.
@Suite struct MemoryTests {
  /// States that are alive.
  fileprivate static let alive = Mutex((now: 0, most: 0))

  @Test("as many flows are in memory as there are cores, however many are replayed")
  func flows() throws {
    func most(of count: Int) throws -> Int {
      Self.alive.withLock { $0 = (0, 0) }
      let kinds = KindRegistry([CountedKind.self])
      let report = try Replay.report(on: count, kinds: kinds) { number throws(ReplayError) in
        Recording(name: "\(number)", flows: [Self.flow(number)])
      }
      #expect(report.replayed == count && report.diverged == 0)
      #expect(Self.alive.withLock { $0.now } == 0)
      return Self.alive.withLock { $0.most }
    }
    // A replay has a few: that of the flow, those that are kept for calls, the first of each.
    let bound = 8 * ProcessInfo.processInfo.activeProcessorCount
    for count in [10, 1_000] {
      let found = try most(of: count)
      #expect((1...bound).contains(found), "\(found) of \(count)")
    }
  }

  private static func flow(_ number: Int) -> RecordedFlow {
    let start = FlowEvent.flowStarted(FlowStarted(kind: "counted", sdk: "FlowRecorder/0.1.0", settings: [:]))
    let events = [start] + (1..<20).map { .noteAdded(NoteAdded(text: "note \($0)")) }
    return RecordedFlow(
      stream: "counted/\(number)",
      records: events.enumerated().map { index, event in
        FlowRecord(revision: index, at: Timestamp(microseconds: Int64(index)), cause: nil, event: event)
      })
  }

  @Test("a session of a long flow keeps a bounded number of states, and shows each revision")
  func session() throws {
    var flow = try #require(try GoldenRecordings.read("push-approved").flows.first)
    let last = try #require(flow.records.last)
    for revision in last.revision + 1..<10_000 {
      let note = FlowEvent.noteAdded(NoteAdded(text: "note \(revision)"))
      flow.records.append(FlowRecord(revision: revision, at: last.at, cause: nil, event: note))
    }
    let kind = try #require(KindRegistry.standard.kind(of: flow.records))
    let states = FoldedStates(flow.records, of: kind)
    #expect((64...128).contains(states.count))
    for index in [0, 1, 63, 64, 65, 78, 79, 80, flow.records.count / 2, flow.records.count - 1] {
      #expect(states[index] == kind.state(folding: flow.records[...index]), "record \(index)")
    }
  }
}

/// A kind whose states are counted as long as they live.
private enum CountedKind: FlowKind {
  typealias Core = CountedCore

  static func state(of core: Core) -> JSON { .int(core.notes) }
  static func note(_ type: String, _ data: () -> JSON, in facts: inout SignInFacts) {}
}

private struct CountedCore: FlowCore {
  static var kind: String { "counted" }
  static var policy: MaskingPolicy {
    MaskingPolicy(
      response: .object([:]), arguments: .object([:]), settings: .object([:]), headers: [:], query: [])
  }

  private let token = Token()
  var notes = 0
  var openCalls: Set<Int> { [] }
  var snapshotRevision: Int? { nil }
  var awaitedTimers: Set<Int> { [] }
  var isOpen: Bool { false }

  mutating func fold(_ record: FlowRecord) { if case .noteAdded = record.event { notes += 1 } }
  func decide(_ input: FlowRecord, on snapshot: CountedCore?, draws: Draws) -> [FlowEvent] { [] }
  static func == (one: Self, other: Self) -> Bool { one.notes == other.notes }

  /// One for each state that was begun; its copies share it.
  private final class Token: Sendable {
    init() {
      MemoryTests.alive.withLock { alive in
        alive.now += 1
        alive.most = max(alive.most, alive.now)
      }
    }

    deinit { MemoryTests.alive.withLock { $0.now -= 1 } }
  }
}
