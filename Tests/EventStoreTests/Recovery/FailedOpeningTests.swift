import Testing

@testable import EventStore

/// A sync that fails while a log is opened marks what it could not write as clean: the next opening writes it again.
@Suite struct FailedOpeningTests {
  @Test(arguments: Array(0..<30) + [72, 217, 266, 411, 460] as [UInt64])
  func `a sync that fails at opening makes no hole under what is acknowledged later`(_ seed: UInt64) throws {
    var disk = MemoryDisk(seed: seed)
    let path = "/volume/audit"
    _ = try disk.makeDirectory("/volume")
    try disk.syncDirectory("/")
    var options = LogOptions(durability: .os, frameBytes: 1 << 10, clock: { noon }, idleClose: .seconds(3600))
    options.disk = disk
    let log = try EventLog.open(at: path, options: options)
    // Noise, so that what is written comes to several pages, and the end of the file stands in one of its own more often than not.
    var random = SeededRandom(seed)
    func noise(_ count: Int) -> String { (0..<count).map { _ in String(random.next(), radix: 36) }.joined() }
    for _ in 0..<7 + seed % 2 {
      _ = try log.append([record("s", noise(40 + Int(seed % 97)))])
      try log.flush()
    }
    // Ends with what was written after the sync, a DIRY or, where the frame was closed already, a SYNC: it is on no disk yet.
    try log.sync()
    try log.close()
    for _ in 0..<2 {
      disk.fail(.sync, number: 1, with: .io)
      #expect(throws: StoreError(.io, "")) { try EventLog.open(at: path, options: options) }
    }
    let next = try EventLog.open(at: path, options: options)
    for _ in 0..<8 { _ = try next.append([record("s", noise(700))]) }
    try next.sync()
    let size = next.size
    disk = disk.afterCut()
    options.disk = disk
    let verdict = try Verifier(directory: path, disk: disk).run()
    #expect([.unanchored, .torn].contains(verdict.verdict), "\(verdict)")
    let last = try EventLog.open(at: path, options: options)
    #expect(last.size >= size)
    try last.close()
    #expect(try Verifier(directory: path, disk: disk).run().verdict == .unanchored)
  }
}
