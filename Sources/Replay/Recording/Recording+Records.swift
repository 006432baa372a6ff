// Turns recordings with remade events into records, written like an export.

public import EventStore
import FlowRecording

extension Recording {
  /// The source that a tool-made recording names: no real store, so that the same events give the same bytes.
  public static let source = StoreIdentity(id: String(repeating: "0", count: 32), origin: "flowrecorder-recordings")

  /// The events as records, the flows one after the other, positions from 0.
  ///
  /// - Throws: `StoreError` for a name that no record may have, or an event that no record can hold.
  public func records() throws(StoreError) -> [StoredRecord] {
    var records: [StoredRecord] = []
    for flow in flows {
      var positions: [Int: UInt64] = [:]
      for record in flow.records {
        let encoded = EventCoding.encode(record.event)
        positions[record.revision] = UInt64(records.count)
        let cause = record.cause.flatMap { positions[$0] }
        let identity = record.event.identity
        func add(_ type: String, _ version: Int, _ data: [UInt8], _ revision: Int) throws(StoreError) {
          let new = NewRecord(at: record.at, stream: flow.stream, type: type, version: version, data: data)
          records.append(
            try StoredRecord(
              new, position: UInt64(records.count), revision: revision, cause: revision == record.revision ? cause : nil
            ))
        }
        try add(identity.type, identity.version, encoded.data, record.revision)
        for (index, part) in encoded.parts.enumerated() {
          try add(EventCoding.partType, 1, part, record.revision + 1 + index)
        }
      }
    }
    return records
  }

  /// Writes the recording as a portable file, mode 0600, replacing any file there.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - source: the store that it names as its source.
  /// - Throws: `StoreError` as `SliceFile.write` does.
  public func write(to path: String, source: StoreIdentity = Recording.source) throws(StoreError) {
    try SliceFile.write(records: records(), source: source, digests: digests?.json, to: path)
  }

  /// How many events it has, of all flows.
  public var eventCount: Int { flows.reduce(0) { $0 + $1.records.count } }
}
