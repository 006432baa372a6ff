// Opening after a power cut: 64 MB of raw lines in the last segment of which nothing says that they were synced.
import EventStore
import Foundation

enum RecoverTail {
  static func run(_ bench: Bench) throws -> [Figure] {
    let events = Events(52_000, seed: 8, withRows: false)
    let folder = try bench.fresh("recover")
    let log = try Store.open(folder + "/log", .os)
    for record in events.records { _ = try log.append([record]) }
    try log.flush()
    // A copy taken now is what a killed process leaves.
    _ = try DiskBytes.shell("cp -r '\(folder)/log' '\(folder)/left' && truncate -s 0 '\(folder)/left/LOCK'")
    try log.close()
    let size = try Store.bytes(folder + "/left")
    let times = try bench.repeated { _ in
      _ = try DiskBytes.shell(
        "rm -rf '\(folder)/try' && cp -r '\(folder)/left' '\(folder)/try' && sync '\(folder)/try'")
      var opened: EventLog?
      let seconds = try Clock.seconds(Clock.wall) { opened = try Store.open(folder + "/try", .os) }
      guard let opened, opened.size >= UInt64(events.records.count) else { throw Failure(what: "records were lost") }
      try opened.close()
      return seconds * 1_000
    }
    bench.remove("recover")
    return [
      Figure(
        "recover a tail of \(events.rawBytes / 1_000_000) MB", times, "ms", .atMost(250),
        "wall, warm; \(size / 1_000_000) MB on disk, syncs of the opening included")
    ]
  }
}
