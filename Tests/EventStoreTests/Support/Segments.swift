// A store of several small segments, with streams that go through all of them.
import Foundation
import Testing

@testable import EventStore

/// Options of a log whose segments are full after a few records, and which does nothing in the background.
func smallSegments(_ bytes: Int = 8 << 10) -> LogOptions {
  var options = LogOptions(segmentBytes: bytes, frameBytes: 2 << 10, origin: "seal", clock: { noon })
  options.keepsIndexes = false
  return options
}

/// Appends `count` records of `streams` streams, one after another, with a checkpoint after each 100 where there is a key.
/// Begins with the record number `start`.
func fill(
  _ log: EventLog, records count: Int, streams: Int = 7, from start: Int = 0, signedBy key: SigningKey? = nil
) throws {
  var random = SeededRandom(UInt64(start) + 3)
  for number in start..<start + count {
    let noise = (0..<4).map { _ in String(random.next(), radix: 36) }.joined()
    pass(log, try log.append([record("s/\(number % streams)", "\(number) \(noise)")]))
    if let key, number % 100 == 99 { _ = try log.checkpoint(with: key) }
  }
  try log.sync()
}

/// A number of records in `segments` segments or more.
func makeSegments(in store: TemporaryStore, records: Int = 500, signedBy key: SigningKey? = nil) throws {
  let log = try EventLog.open(at: store.path, options: smallSegments())
  try fill(log, records: records, signedBy: key)
  if let key { _ = try log.checkpoint(with: key) }
  try log.close()
}

/// The path of the program that checks a store without us.
let independentCheck = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .appendingPathComponent("independent_check.py").path

extension MemoryDisk {
  /// Writes the files of a store on this disk to a real directory.
  func copy(_ store: String, to target: String) throws {
    for folder in ["", "/segments", "/checkpoints"] {
      try FileManager.default.createDirectory(atPath: target + folder, withIntermediateDirectories: true)
      for name in try names(in: store + folder) {
        guard let file = try? open(store + folder + "/" + name, .read) else { continue }
        try write(try file.read(at: 0, count: Int(try file.size())), to: target + folder + "/" + name)
      }
    }
  }
}
