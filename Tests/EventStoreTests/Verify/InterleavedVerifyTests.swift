import Synchronization
import Testing

@testable import EventStore

/// A writer goes on at each call of the disk that a check of its log makes: nothing is found that is not there.
@Suite struct InterleavedVerifyTests {
  /// What happens meanwhile.
  enum Event: String, CaseIterable, Sendable {
    case appended, synced, rolled, sealed, pruned, signed, handedOver, ended

    /// True of what a writer does as it goes on, and not once in a while.
    var isUsual: Bool { ![.pruned, .signed, .handedOver, .ended].contains(self) }

    func happen(on stage: RollingStage) throws {
      switch self {
      case .appended: try stage.append(3)
      case .synced: try stage.log.sync()
      case .rolled: try stage.play(.rolled)
      case .sealed: try stage.play(.sealed)
      case .pruned: try stage.play(.pruned)
      case .signed: _ = try stage.log.checkpoint(with: stage.key)
      case .handedOver:
        let next = try SigningKey(name: "seal")
        _ = try stage.log.handOver(from: stage.key, to: next, at: noon)
        _ = try stage.log.checkpoint(with: next)
      case .ended:
        try stage.append(1)
        try stage.log.close()
      }
    }
  }

  /// Checks a log with the event before each call in turn, one a run.
  private func interleave(_ event: Event, isSigned: Bool) throws {
    for call in stride(from: 0, to: .max, by: max(Effort.number("INTERLEAVED", short: 3), 1)) {
      let stage = try RollingStage()
      if isSigned {
        _ = try stage.log.checkpoint(with: stage.key)
        try stage.append(2)
      }
      let size = stage.log.size
      let disk = WatchedDisk(stage.disk)
      var failure: (any Error)?
      var happened = false
      disk.before = { number in
        guard number == call else { return }
        happened = true
        do { try event.happen(on: stage) } catch { failure = error }
      }
      let pinned = isSigned ? stage.key.verifier : nil
      let done = Mutex<[UInt64]>([])
      let verifier = Verifier(directory: RollingStage.path, pinnedKey: pinned, disk: disk)
      let report = try verifier.run(threads: 1) { bytes, _ in done.withLock { $0.append(bytes) } }
      guard happened else { break }
      let what = "\(event) at call \(call): \(report.findings)"
      try #require(failure == nil, "\(event) at call \(call): \(String(describing: failure))")
      let verdicts: [VerifyReport.Verdict] = !isSigned ? [.unanchored] : event == .pruned ? [.ok, .pruned] : [.ok]
      #expect(verdicts.contains(report.verdict), "\(what)")
      #expect(report.records >= size && report.records <= stage.log.size, "\(what)")
      // What happens all the time is read right at first sight: a log that grows would be looked at again and again.
      if event.isUsual { #expect(done.withLock { $0 == $0.sorted() }, "\(what)") }
      #expect(call < 2_000)
    }
  }

  @Test(arguments: Event.allCases) func `a signed log is checked beside its writer`(_ event: Event) throws {
    try interleave(event, isSigned: true)
  }

  @Test(arguments: Event.allCases.filter { $0 != .handedOver })
  func `an unsigned log is checked beside its writer`(_ event: Event) throws {
    try interleave(event, isSigned: false)
  }
}
