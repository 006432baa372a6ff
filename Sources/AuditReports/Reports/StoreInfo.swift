package import EventStore
import FlowRecording

/// The size and identity of a store, for display.
package struct StoreInfo: Sendable {
  private let directory: String
  private let identity: StoreIdentity
  private let statistics: StoreStatistics
  private let flows: Int
  private let applicationStreams: Int
  /// Streams of flows or applications that were pruned in part or as a whole; it is unknown which of the two they were.
  private let prunedStreams: Int

  /// Reads a store's counts and sizes.
  package init(_ log: LogReader) throws {
    directory = log.directory
    identity = log.identity
    statistics = try log.statistics()
    let hasOwn = try !log.keptRecords(of: LogFacts.ownStream).isEmpty
    (flows, applicationStreams) = try Self.streams(of: log)
    prunedStreams = max(0, statistics.streams - (hasOwn ? 1 : 0) - flows - applicationStreams)
  }

  /// Counts what can be read of a store past its damages. A stream whose first record cannot be read is not counted.
  package init(_ salvaged: SalvagedLog) throws {
    directory = salvaged.directory
    identity = salvaged.identity
    var counts = try salvaged.log.fileStatistics()
    var (flows, others) = (0, 0)
    // The store's own stream began in what was pruned, if the first record of it that is left is a later one.
    var firstOwn: Int?
    try salvaged.forEach { record throws(StoreError) in
      counts.records += 1
      counts.bytesRaw &+= UInt64(record.bytes.count) + 1
      let isOwn = ByteName.isSame(record.stream, LogFacts.ownStream)
      if isOwn { firstOwn = firstOwn ?? record.revision }
      guard record.revision == 0 else { return }
      if record.type == FlowStarted.type { flows += 1 } else if !isOwn { others += 1 }
    }
    statistics = counts
    (self.flows, applicationStreams) = (flows, others)
    prunedStreams = max(0, counts.streams - ((firstOwn ?? 0) > 0 ? 1 : 0))
  }

  /// The number of streams of flows, and of applications.
  private static func streams(of log: LogReader) throws -> (flows: Int, others: Int) {
    var (flows, others) = (0, 0)
    try log.forEachRecord { record, line in
      guard record.revision == 0 else { return true }
      if record.isOf(type: FlowStarted.type, in: line) {
        flows += 1
      } else if !record.isOf(stream: LogFacts.ownStream, in: line) {
        others += 1
      }
      return true
    }
    return (flows, others)
  }

  /// One line of `auditctl info --json`.
  package var json: JSON {
    let checkpoint: JSON? = statistics.lastCheckpoint.map {
      ["size": .number(String($0.size)), "root": .string($0.root.description), "origin": .string($0.origin)]
    }
    return [
      "store": .string(directory), "id": .string(identity.id), "origin": .string(identity.origin),
      "format": .int(identity.format), "publicKey": identity.publicKey.map(JSON.string) ?? .null,
      "records": .number(String(statistics.records)), "flows": .int(flows),
      "applicationStreams": .int(applicationStreams), "prunedStreams": .int(prunedStreams),
      "segments": .int(statistics.segments),
      "sealedSegments": .int(statistics.sealedSegments), "prunedSegments": .int(statistics.prunedSegments),
      "firstKept": .number(String(statistics.prunedRecords)),
      "bytesOnDisk": .number(String(statistics.bytesOnDisk)), "bytesRaw": .number(String(statistics.bytesRaw)),
      "lastCheckpoint": checkpoint ?? .null,
      "retiredKeys": .array(identity.retiredKeys.map { ["key": .string($0.key), "until": .number(String($0.until))] }),
      "restoredFrom": KeysText.json(of: identity.restoredFrom),
      "backup": identity.backup.map {
        ["at": .string($0.at), "size": .number(String($0.size)), "root": .string($0.root)]
      }
        ?? .null,
    ]
  }

  /// The same as text.
  package func lines(width: LineWidth = 80) -> [String] {
    var rows: [(String, String)] = [
      ("store", directory), ("id", identity.id), ("origin", identity.origin), ("format", String(identity.format)),
      ("records", String(statistics.records)), ("flows", flowsText), ("segments", segments),
      ("on disk", Quantity.size(statistics.bytesOnDisk)), ("raw", "\(Quantity.size(statistics.bytesRaw))\(ratio)"),
      ("public key", identity.publicKey ?? "none yet; the first checkpoint makes one"),
    ]
    rows.append(
      (
        "checkpoint",
        statistics.lastCheckpoint.map { "\(Quantity.count(Int(clamping: $0.size), "record")), root \($0.root)" }
          ?? "none yet; auditctl checkpoint signs one"
      ))
    for retired in identity.retiredKeys.reversed() {
      rows.append(("retired key", "\(retired.key), up to \(Quantity.count(Int(clamping: retired.until), "record"))"))
    }
    for before in identity.restoredFrom.reversed() { rows.append(("restored", KeysText.text(of: before))) }
    if let backup = identity.backup { rows.append(("backup", "taken at \(backup.at); nothing is appended to it")) }
    return rows.flatMap { Paragraph.lines($1.printable, width: width, lead: $0.padded(to: 12)) }
  }

  private var flowsText: String {
    var text = String(flows)
    if applicationStreams > 0 { text += ", and \(Quantity.count(applicationStreams, "stream")) of applications" }
    if prunedStreams > 0 {
      text += "; \(Quantity.count(prunedStreams, "more was", "more were")) pruned, in part or whole"
    }
    return text
  }

  private var segments: String {
    var parts = [String(statistics.segments)]
    if statistics.sealedSegments > 0 { parts.append("\(statistics.sealedSegments) sealed") }
    if statistics.prunedSegments > 0 {
      parts.append("\(statistics.prunedSegments) pruned: the first record that is kept is \(statistics.prunedRecords)")
    }
    return parts.joined(separator: ", ")
  }

  private var ratio: String {
    guard statistics.bytesOnDisk > 0 else { return "" }
    let tenths = statistics.bytesRaw * 10 / statistics.bytesOnDisk
    return ", \(tenths / 10).\(tenths % 10) times as much"
  }
}
