import Testing

@testable import EventStore

/// Pruning while the disk fills up: at each write, sync and rename of it.
@Suite struct FullDiskPruneTests {
  @Test(arguments: [MemoryDisk.Call.write, .sync, .rename, .syncDirectory])
  func `a pruning that finds the disk full says so, and the next one ends it`(_ call: MemoryDisk.Call) throws {
    var failures = 0
    for number in stride(from: 1, to: .max, by: Effort.number("FULL_DISK", short: 3)) {
      let stage = try RollingStage()
      let before = try stage.records()
      stage.disk.fail(call, number: number, with: .noSpace)
      var error: StoreError?
      do throws(StoreError) {
        _ = try stage.log.prune(before: .position(12), signingWith: stage.key)
      } catch let failure {
        error = failure
      }
      let hasCome = !stage.disk.isFaultPending
      let what = "\(call) \(number): \(String(describing: error))"
      if !hasCome { stage.disk.fail(call, number: 1 << 40, with: .noSpace) }
      // Some failures end nothing: after a failed sync the log goes on in another segment.
      if let error {
        failures += 1
        #expect(error.code == .noSpace, "\(what)")
      }
      let report = try Verifier(directory: RollingStage.path, pinnedKey: stage.key.verifier, disk: stage.disk).run()
      #expect([.ok, .unanchored, .pruned].contains(report.verdict), "\(what): \(report.findings)")
      var cursor = try LogReader(directory: RollingStage.path, disk: stage.disk).cursor()
      var kept: [StoredRecord] = []
      while let record = try cursor.next() { kept.append(record) }
      let own = kept.filter { $0.stream != EventLog.ownStream }
      #expect(before.suffix(own.count).elementsEqual(own), "\(what)")
      let drafts = try stage.disk.names(in: RollingStage.path + "/segments").filter { $0.hasSuffix(".tmp") }
      #expect(drafts.isEmpty, "\(what)")

      let log = try reopened(stage)
      let end = try log.prune(before: .position(12), signingWith: stage.key)
      try log.close()
      #expect(end.firstKept > 0 && end.firstKept <= 12, "\(what)")
      let last = try Verifier(directory: RollingStage.path, pinnedKey: stage.key.verifier, disk: stage.disk).run()
      #expect(last.verdict == .pruned, "\(what): \(last.findings)")
      guard hasCome else { break }
    }
    #expect(failures > 0)
  }

  private func reopened(_ stage: RollingStage) throws -> EventLog {
    try? stage.log.close()
    var options = LogOptions(origin: "seal", clock: { noon }, idleClose: .seconds(3600))
    options.disk = stage.disk
    return try EventLog.open(at: RollingStage.path, options: options)
  }
}
