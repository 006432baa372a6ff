// One recorded sign-in as many: in a store, and as files of their own. Each has a stream of its own; what was recorded stays.

import EventStore
import Foundation

struct ManyFlows {
  private let records: [StoredRecord]
  private let source: StoreIdentity

  /// Takes the records of a recording of one flow.
  init(of path: String) throws {
    let slice = try SliceFile.read(path: path)
    records = slice.records
    source = StoreIdentity(id: slice.header.store, origin: slice.header.origin)
  }

  /// The stream of a copy, in the form of the SDK's own: a kind, and 26 digits of Crockford's base 32.
  private func stream(_ number: Int) -> String { "authn/01KBENCH" + String(format: "%018d", number) }

  /// Appends so many copies to a new store, the events of 64 flows at a time side by side.
  func fill(_ directory: String, _ count: Int) throws {
    let log = try EventLog.open(at: directory)
    let beside = 64
    var position: UInt64 = 0
    for first in stride(from: 0, to: count, by: beside) {
      let flows = first..<min(first + beside, count)
      var places: [[UInt64: UInt64]] = Array(repeating: [:], count: flows.count)
      for record in records {
        // The store has a record of its own before the first.
        var batch: [NewRecord] = []
        for flow in flows {
          let cause = record.cause.flatMap { places[flow - first][$0] }
          batch.append(
            NewRecord(
              at: record.at, stream: stream(flow), type: record.type, version: record.version,
              cause: cause.map(Cause.position), data: Array(record.data)))
        }
        position = try log.append(batch).positions.lowerBound
        for (offset, _) in flows.enumerated() { places[offset][record.position] = position + UInt64(offset) }
      }
    }
    try log.close()
  }

  /// Writes so many copies as recordings into a new folder.
  func write(to folder: String, _ count: Int) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard let name = records.first?.stream else { return }
    let lines = records.map { String(decoding: $0.bytes, as: UTF8.self) }
    for number in 0..<count {
      let copies = try lines.map { line in
        try StoredRecord(line: Array(line.replacingOccurrences(of: "\"\(name)\"", with: "\"\(stream(number))\"").utf8))
      }
      let bytes = try SliceFile.encode(records: copies, source: source)
      let path = "\(folder)/\(String(format: "%05d", number)).ndjson.lz4"
      guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { throw SignIn.Unexpected() }
    }
  }
}
