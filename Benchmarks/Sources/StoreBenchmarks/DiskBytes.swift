// Bytes on the disk if each event is a commit of its own, against SQLite's, its log written back; and sealed, against
// `gzip -6` of the same lines.
import EventStore
import Foundation

enum DiskBytes {
  static func run(_ bench: Bench) throws -> [Figure] {
    let events = Events(30_000, seed: 7)
    let folder = try bench.fresh("bytes")
    let log = try Store.open(folder + "/log", .os)
    for record in events.records {
      _ = try log.append([record])
      try log.flush()
    }
    try log.close()
    let ours = try Store.bytes(folder + "/log")
    let tuned = try SQLitePeer(folder + "/tuned.db", .tuned)
    try tuned.insert(events.rows, rows: 1)
    let best = try tuned.bytes()
    try tuned.close()
    let plain = try SQLitePeer(folder + "/plain.db", .asItComes)
    try plain.insert(events.rows, rows: 1)
    let usual = try plain.bytes()
    try plain.close()
    try Data(events.lines()).write(to: URL(fileURLWithPath: folder + "/lines"))
    let gzip = try shell("gzip -6 -c '\(folder)/lines' | wc -c").flatMap(Double.init) ?? 0
    let sealed = try Self.sealedBytes(folder + "/sealed", events)
    bench.remove("bytes")
    func each(_ bytes: Double) -> String { Figure.short(bytes / Double(events.records.count)) }
    return [
      Figure(
        "bytes, a commit an event / tuned", [100 * Double(ours) / Double(best)], "%", .atMost(40),
        "\(each(Double(ours))) bytes an event beside \(each(Double(best))); raw \(each(Double(events.rawBytes)))"),
      Figure(
        "bytes, a commit an event / SQLite", [100 * Double(ours) / Double(usual)], "%", .atMost(35),
        "\(each(Double(usual))) bytes an event in pages of 4 KiB"),
      Figure(
        "bytes, sealed / gzip -6", [100 * Double(sealed) / gzip], "%", .atMost(125),
        "\(each(Double(sealed))) bytes an event beside \(each(gzip)); the last segment, of under 1 MiB, is not sealed"),
    ]
  }

  /// The bytes of a store of the same events in segments that are all sealed.
  private static func sealedBytes(_ path: String, _ events: Events) throws -> Int {
    var options = EventLog.Options(durability: .os)
    // Segments under 1 MiB are begun by the thread that writes, at their size; larger ones by the log's own thread,
    // when it comes to it.
    options.segmentBytes = (1 << 20) - 1
    let log = try EventLog.open(at: path, options: options)
    for record in events.records { _ = try log.append([record]) }
    try log.sync()
    _ = try log.seal()
    try log.close()
    return try Store.bytes(path)
  }

  static func shell(_ command: String) throws -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
