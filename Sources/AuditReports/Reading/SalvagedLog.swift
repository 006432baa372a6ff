// A damaged store, read past its damage.

package import EventStore
import Synchronization

/// The parts of a store that could not be read, and the flows they belonged to.
package struct LogDamage: Sendable {
  /// The records that are missing, in order.
  package var gaps: [LogGap] = []
  /// The streams with missing records, as far as their other records show it, in the order in which they are
  /// encountered.
  package var streams: [String] = []

  /// Reads a log past its damage.
  ///
  /// - Parameter body: called with each readable record.
  /// - Throws: `StoreError` if the segments cannot be listed, and what `body` throws.
  package init(
    reading log: LogReader, _ body: (StoredRecord) throws(StoreError) -> Void = { _ throws(StoreError) in }
  ) throws(StoreError) {
    var next: [ByteName: Int] = [:]
    var lacking: Set<ByteName> = []
    var streams: [String] = []
    let isPruned = (try? log.firstKept()).map { $0 > 0 } ?? false
    gaps = try log.salvage { record throws(StoreError) in
      let name = ByteName(record.stream)
      // In a pruned log, streams may begin at any revision.
      let expected = next[name] ?? (isPruned ? record.revision : 0)
      if record.revision != expected, lacking.insert(name).inserted { streams.append(record.stream) }
      next[name] = record.revision + 1
      try body(record)
    }
    self.streams = streams
  }

  /// One sentence for each gap, and one for the flows.
  package var sentences: [String] {
    var sentences = gaps.map { gap -> String in
      let records =
        gap.end.map { end in
          end - gap.first == 1
            ? "record \(gap.first) cannot be read" : "records \(gap.first) to \(end - 1) cannot be read"
        } ?? "record \(gap.first) and all that follow cannot be read"
      var places: [String] = []
      if let file = gap.error.file { places.append(file) }
      if let offset = gap.error.offset { places.append("byte \(offset)") }
      return "\(records): \(gap.error.message)" + (places.isEmpty ? "" : " (\(places.joined(separator: ", ")))")
    }
    if !streams.isEmpty {
      let named = streams.prefix(Self.named).joined(separator: ", ")
      let more = streams.count > Self.named ? " and \(streams.count - Self.named) more" : ""
      sentences.append("\(streams.count == 1 ? "this flow lacks" : "these flows lack") records: \(named)\(more)")
    }
    return sentences
  }

  /// The maximum number of flows that are named.
  private static let named = 20
}

/// A damaged store whose records are read past the damage.
package final class SalvagedLog: RecordReading {
  /// The store.
  package let log: LogReader
  private let found = Mutex<LogDamage?>(nil)

  /// Makes a reader; nothing is read yet.
  package init(_ log: LogReader) { self.log = log }

  package var directory: String { log.directory }
  package var identity: StoreIdentity { log.identity }
  /// The unreadable parts; nil if nothing was read yet, or if everything could be read.
  package var damage: LogDamage? { found.withLock { $0?.gaps.isEmpty == false ? $0 : nil } }

  /// Calls `body` with each readable record.
  package func forEach(_ body: (StoredRecord) throws(StoreError) -> Void) throws(StoreError) {
    let damage = try LogDamage(reading: log, body)
    found.withLock { $0 = damage }
  }

  /// The readable records of a stream. Cost: reads all records.
  package func records(of stream: String) throws(StoreError) -> [StoredRecord] {
    let name = ByteName(stream)
    var records: [StoredRecord] = []
    try forEach { record throws(StoreError) in if ByteName(record.stream) == name { records.append(record.alone) } }
    return records
  }

  /// The streams, in the order in which they begin.
  package func streams() throws -> [String] {
    var found: [String] = []
    var seen: Set<ByteName> = []
    try forEach { record throws(StoreError) in
      if seen.insert(ByteName(record.stream)).inserted { found.append(record.stream) }
    }
    return found
  }
}
