// What reports read from: a store, or a recording file.

package import EventStore

/// A place that records are read from.
package protocol RecordReading: Sendable {
  /// Its path, as it was given.
  var directory: String { get }
  /// The store that the records come from; all zeros for a recording that does not name it.
  var identity: StoreIdentity { get }
  /// Calls `body` with each record, in order.
  func forEach(_ body: (StoredRecord) throws(StoreError) -> Void) throws(StoreError)
  /// The records of one stream, in order; empty if there are none.
  func records(of stream: String) throws(StoreError) -> [StoredRecord]
  /// The streams, in the order in which they begin.
  func streams() throws -> [String]
}

extension LogReader: RecordReading {
  /// Calls `body` with each record, from the first that was not pruned.
  package func forEach(_ body: (StoredRecord) throws(StoreError) -> Void) throws(StoreError) {
    var cursor = try cursor()
    while let record = try cursor.next() { try body(record) }
  }

  /// The streams, in the order in which they begin.
  package func streams() throws -> [String] {
    var found: [String] = []
    var seen: Set<ByteName> = []
    try forEachRecord { record, line in
      let stream = record.stream(in: line)
      if seen.insert(ByteName(stream)).inserted { found.append(stream) }
      return true
    }
    return found
  }
}

/// A recording file, read whole.
package struct RecordingFile: RecordReading {
  /// Its path, as it was given.
  package let directory: String
  /// The store that it was cut from, according to the file.
  package var identity: StoreIdentity {
    header.map { StoreIdentity(id: $0.store, origin: $0.origin) }
      ?? StoreIdentity(id: String(repeating: "0", count: 32), origin: "flowrecorder-recordings")
  }
  /// The size of the file in bytes.
  package let size: Int
  /// The header of the file; `nil` for JSON Lines.
  package let header: SliceHeader?
  /// Its records, in order.
  package let records: [StoredRecord]
  /// Why nothing behind its records can be read; nil if the file is whole.
  package let lost: StoreError?
  private let byStream: [ByteName: [Int]]
  private let order: [String]

  /// Reads a recording, or records as JSON Lines, plain or in an LZ4 frame.
  ///
  /// - Parameters:
  ///   - path: the path to use in messages.
  ///   - bytes: the content of the file.
  ///   - keepsGoing: whether to take what can be read of a file that is truncated or damaged.
  /// - Throws: `malformed` if it is neither, or, unless it keeps going, if it is truncated or damaged.
  package init(path: String, bytes: [UInt8], keepsGoing: Bool = false) throws(StoreError) {
    directory = path
    size = bytes.count
    var header: SliceHeader?
    var records: [StoredRecord] = []
    var lost: StoreError?
    do throws(StoreError) {
      header = try SliceFile.forEachRecord(in: bytes) { records.append($0) }
    } catch {
      let named = StoreError(error.code, error.message, file: path, offset: error.offset, advice: error.advice)
      guard keepsGoing else { throw named }
      lost = named
    }
    (self.header, self.records, self.lost) = (header, records, lost)
    var byStream: [ByteName: [Int]] = [:]
    var order: [String] = []
    for (index, record) in records.enumerated() {
      let name = ByteName(record.stream)
      if byStream[name] == nil { order.append(record.stream) }
      byStream[name, default: []].append(index)
    }
    (self.byStream, self.order) = (byStream, order)
  }

  /// One sentence: how much can be read, and why no more; nil if the file is whole.
  package var loss: String? {
    lost.map { error in
      "only \(records.count == 1 ? "one record" : "\(records.count) records") can be read: \(error.message)"
        + (error.offset.map { " (byte \($0))" } ?? "")
    }
  }

  /// Calls `body` with each record.
  package func forEach(_ body: (StoredRecord) throws(StoreError) -> Void) throws(StoreError) {
    for record in records { try body(record) }
  }

  /// The records of one stream.
  package func records(of stream: String) -> [StoredRecord] { (byStream[ByteName(stream)] ?? []).map { records[$0] } }

  /// The streams, in the order in which they begin.
  package func streams() -> [String] { order }
}
