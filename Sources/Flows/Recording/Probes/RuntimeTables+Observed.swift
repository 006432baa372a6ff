// What a recorder keeps of the records that it passes on, and how a replayed flow takes over a recorded state.

import EventStore

extension RuntimeTables {
  static var observed: [String] { passedOn + adopted }

  /// Records of two recorders, one behind the other, before and after they have a journal.
  private static var passedOn: [String] {
    let records = (0..<3).map { number in
      FlowRecord(
        revision: number, at: Timestamp(microseconds: 0), cause: nil, event: .noteAdded(NoteAdded(text: "\(number)")))
    }
    let memory = MemoryRecorder()
    let inner = ObservedRecorder<String>(memory) { "inner \($0.revision)" }
    let outer = ObservedRecorder<Int>(inner) { $0.revision == 1 ? nil : $0.revision }
    var lines: [String] = []
    func note(_ name: String) {
      let written = memory.streams.flatMap(memory.records).map(\.revision)
      let barrier = if case .passed = outer.barrier(resume: { _ in }) { "passed" } else { "waits" }
      lines.append(line(name, "\(outer.notes) \(inner.notes) \(memory.streams) \(written) \(barrier)"))
    }
    note("nothing")
    outer.append(records)
    note("without a journal")
    let journal = outer.journal(for: "probe/1")
    note("a journal")
    (journal as? any RecordJournal)?.append(records)
    note("records")
    return lines
  }

  /// What a flow decides after it has taken over a state; only one that replays does.
  private static var adopted: [String] {
    let time = VirtualTime(start: Timestamp(microseconds: 1_768_467_600_000_000))
    let environment = FlowEnvironment(
      transport: InertTransport(), clock: time, entropy: SeededEntropy(seed: 7), timers: time, device: nil,
      userAgent: "agent")
    func made(_ call: String, at revision: Int) -> FlowRecord {
      let event = FlowEvent.callMade(CallMade(call: call, arguments: ["url": "https://a.example/v1", "more": "m"]))
      return FlowRecord(revision: revision, at: Timestamp(microseconds: 0), cause: nil, event: event)
    }
    let memory = MemoryRecorder()
    let replayed = Flow<ProbeCore>(
      replaying: "probe/1", journal: memory.journal(for: "probe/1"),
      draws: LiveDraws(environment: environment, declarations: ProbeCore.draws))
    let live = Flow<ProbeCore>(environment: environment, settings: [:])
    let core = ProbeCore.folding([made("hold", at: 2), made("hold", at: 3)])
    replayed.adopt(core, nextRevision: 5, draws: 2)
    live.adopt(core, nextRevision: 5, draws: 2)
    let taken = [replayed, live].map { "\($0.core.openCalls.sorted())" }
    replayed.feed(made("send", at: 5), on: nil)
    let records = memory.records(of: "probe/1").map { "\($0.revision) \($0.event.type) \($0.event.data.text)" }
    return [line("adopted", "\(taken) \(replayed.core.openCalls.sorted())")] + records
  }
}
