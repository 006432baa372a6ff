// A damaged store, read past its damages.

package import EventStore
import Synchronization

/// What could not be read of a store, and the flows that it was of.
package struct LogDamage: Sendable {
  /// The records that are missing, in order.
  package var gaps: [LogGap] = []
  /// The streams that lack records, as far as their other records show it, in the order in which they are met.
  package var streams: [String] = []

  /// Reads a log past its damages.
  ///
  /// - Parameter body: is called with each record that can be read.
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
      // Of a pruned log streams may begin anywhere.
      let expected = next[name] ?? (isPruned ? record.revision : 0)
      if record.revision != expected, lacking.insert(name).inserted { streams.append(record.stream) }
      next[name] = record.revision + 1
      try body(record)
    }
    self.streams = streams
  }

  /// A sentence for each gap, and one for the flows.
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

  /// How many flows are named.
  private static let named = 20
}

/// A damaged store whose records are read past the damages.
package final class SalvagedLog: RecordReading {
  /// The store.
  package let log: LogReader
  private let found = Mutex<LogDamage?>(nil)

  /// A store, of which nothing is read yet.
  package init(_ log: LogReader) { self.log = log }

  package var directory: String { log.directory }
  package var identity: StoreIdentity { log.identity }
  /// What could not be read; nil while nothing was read, or if all could.
  package var damage: LogDamage? { found.withLock { $0?.gaps.isEmpty == false ? $0 : nil } }

  /// Calls `body` with each record that can be read.
  package func forEach(_ body: (StoredRecord) throws(StoreError) -> Void) throws(StoreError) {
    let damage = try LogDamage(reading: log, body)
    found.withLock { $0 = damage }
  }

  /// The records of a stream that can be read. Cost: a look at all records.
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
