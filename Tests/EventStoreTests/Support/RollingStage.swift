import Testing

@testable import EventStore

/// A log of three segments whose last frame is open, and what its writer does while it is read.
final class RollingStage {
  /// What happens meanwhile.
  enum Event: String, CaseIterable, Sendable { case rolled, sealed, pruned }

  static let path = "/volume/audit"

  let disk = MemoryDisk(seed: 5)
  let log: EventLog
  let key: SigningKey
  private var number = 0

  init() throws {
    var options = LogOptions(
      segmentBytes: 2_048, frameBytes: 300, origin: "seal", clock: { noon }, idleClose: .seconds(3600))
    options.disk = disk
    _ = try disk.makeDirectory("/volume")
    log = try EventLog.open(at: Self.path, options: options)
    key = try SigningKey(name: "seal")
    try roll(to: 3)
    // A frame with a directory, and one that is open.
    try append(4)
  }

  deinit { try? log.close() }

  func append(_ count: Int) throws {
    for _ in 0..<count {
      let noise = String(UInt64(number + 7) &* 0x9E37_79B9_7F4A_7C15, radix: 36)
      pass(log, try log.append([record("s/\(number % 3)", "\(number) \(noise) \(noise)")]))
      number += 1
    }
  }

  /// Appends until the log has one segment more.
  func roll() throws { try roll(to: try segmentCount() + 1) }

  private func roll(to count: Int) throws {
    while try segmentCount() < count { try append(1) }
  }

  private func segmentCount() throws -> Int { try StoreLayout(Self.path).segmentList(on: disk).count }

  func play(_ event: Event) throws {
    try roll()
    if event == .rolled { return }
    _ = try log.seal()
    if event == .pruned { _ = try log.prune(before: .position(log.size), signingWith: key) }
  }

  func records() throws -> [StoredRecord] {
    var cursor = try LogReader(directory: Self.path, disk: disk).cursor()
    var all: [StoredRecord] = []
    while let record = try cursor.next() { all.append(record) }
    return all
  }
}
