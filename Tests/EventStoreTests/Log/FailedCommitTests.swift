import Testing

@testable import EventStore

/// A commit whose write fails, after any part of it was written.
@Suite struct FailedCommitTests {
  private func segment(of log: EventLog, on disk: MemoryDisk) throws -> [UInt8] {
    let file = try disk.open(log.engine.layout.segment(0), .read)
    return try file.read(at: 0, count: Int(try file.size()))
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `nothing of it stays in the file, and the log goes on`(_ seed: UInt64) throws {
    let disk = MemoryDisk(seed: seed)
    var options = LogOptions(origin: "play", clock: { noon }, idleClose: .seconds(3600))
    options.disk = disk
    let log = try EventLog.open(at: Play.store, options: options)
    pass(log, try log.append([record("s", "before")]))
    let before = try segment(of: log, on: disk)
    disk.fail(.write, number: 1, with: .noSpace)
    let ticket = try log.append((0..<9).map { record("s", "lost \($0)") })
    guard case .failed(let error) = log.barrier(ticket, resume: { _ in }) else {
      Issue.record("the ticket did not fail")
      return
    }
    #expect(error.code == .noSpace)
    #expect(try segment(of: log, on: disk) == before)
    #expect(try records(on: disk).count == 2)
    let next = try log.append([record("s", "after")])
    #expect(next.positions == 2..<3)
    pass(log, next)
    try log.close()
    #expect(try records(on: disk).map(\.revision) == [0, 0, 1])
    let report = try Verifier(directory: Play.store, disk: disk).run()
    #expect(report.verdict == .unanchored && report.findings.isEmpty, "\(report.findings)")
  }
}
