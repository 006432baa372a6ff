import Logging
import Testing

@testable import EventStore

/// What a log reports to metrics and a logger.
@Suite struct MetricsTests {
  private let disk = MemoryDisk(seed: 41)
  private let metrics = RecordingMetrics()

  private func open(_ durability: Durability, lines: LogLines? = nil) throws -> EventLog {
    var options = LogOptions(
      durability: durability, origin: "play", clock: { noon }, idleClose: .seconds(3600), metrics: metrics,
      logger: lines.map { lines in Logger(label: "audit") { _ in lines } })
    options.disk = disk
    return try EventLog.open(at: Play.store, options: options)
  }

  @Test func `each step of a record is measured`() async throws {
    let log = try open(.each)
    let batch = [record("s"), record("s")]
    #expect(try await log.appendAndWait(batch).isDurable)
    _ = try log.checkpoint(with: try SigningKey(name: "play"))
    try log.close()
    let all = metrics.all
    #expect(all.contains { if case .opened(1, _, 0) = $0 { true } else { false } })
    #expect(
      all.contains {
        if case .appended(2, let bytes, 2, let queued) = $0 { bytes > 100 && queued == bytes } else { false }
      })
    #expect(all.contains { if case .committed(2, let bytes, _) = $0 { bytes > 100 } else { false } })
    #expect(all.contains { if case .synced(3, 0, _) = $0 { true } else { false } })
    #expect(all.contains(.acknowledged(records: 2, isDurable: true)))
    #expect(all.contains(.signed(size: 3)))
  }

  @Test func `failures and torn bytes are reported to metrics and logger, and no text of a record is`() throws {
    let lines = LogLines()
    let log = try open(.os, lines: lines)
    pass(log, try log.append([record("s", "very secret")]))
    disk.fail(.sync, number: 1, with: .io)
    try log.sync()
    #expect(metrics.all.contains(.failed(StoreError(.io, ""), isFatal: false)))
    pass(log, try log.append([record("s", "very secret")]))
    let layout = StoreLayout(Play.store)
    try log.close()
    let file = try disk.open(layout.segment(try #require(try layout.segmentList(on: disk).last)), .update)
    try file.write([0x04, 0x22, 0x4D].span, at: try file.size())
    try open(.os, lines: lines).close()
    #expect(metrics.all.contains { if case .opened(_, _, 3) = $0 { true } else { false } })
    #expect(lines.all.contains { $0.contains("quarantine") } && lines.all.contains { $0.contains("failed") })
    #expect(!lines.all.contains { $0.contains("secret") })
  }
}

/// A log handler that keeps what it receives.
final class LogLines: LogHandler, @unchecked Sendable {  // guarded by `monitor`
  private let monitor = Monitor()
  private var kept: [String] = []
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .trace

  var all: [String] {
    monitor.lock()
    defer { monitor.unlock() }
    return kept
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    monitor.lock()
    kept.append("\(event.level) \(event.message) \(event.metadata ?? [:])")
    monitor.unlock()
  }
}
