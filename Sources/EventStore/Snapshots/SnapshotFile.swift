// A snapshot is a cache; it must not be able to lie. What makes it believable stands in the log: a `snapshot.taken`
// record with the size, the root and the SHA-256 of the snapshot's bytes. To change the snapshot, an attacker must
// change that record too, and with it the tree: so a snapshot is worth exactly what the log is worth, and `verify`
// finds the change.
//
//     index/snapshots/<name>-<version>      the position of the record, 8 bytes, little-endian; then the state's bytes

import Crypto

/// The file of a fold's snapshot, and the record of the log that vouches for it.
struct SnapshotFile {
  let layout: StoreLayout
  let disk: any Disk
  let name: String
  let version: Int

  /// The type of the record that vouches for a snapshot.
  static let recordType = OwnRecords.snapshot
  /// The largest state that is kept.
  static let longest = 256 << 20

  var folder: String { StoreFolder.snapshots.path(in: layout) }
  var path: String { folder + "/\(name)-\(version)" }

  /// The record that vouches for these bytes.
  func record(of bytes: [UInt8], size: UInt64, root: TreeHash, at time: Timestamp) -> NewRecord {
    let data: JSON = .members([
      ("fold", .string(name)), ("version", .int(version)), ("size", .string("\(size)")),
      ("root", .string(root.description)), ("sha256", .string(Base64.encode(Array(SHA256.hash(data: bytes))))),
    ])
    return NewRecord(at: time, stream: Envelope.ownStream, type: Self.recordType, data: data.bytes)
  }

  /// Keeps the bytes, with the position of the record that vouches for them.
  func save(_ bytes: [UInt8], vouchedAt position: UInt64) throws(StoreError) {
    _ = try disk.makeDirectory(folder)
    var content: [UInt8] = []
    content.appendUInt64(position)
    try disk.replace(path, with: content + bytes, in: folder)
  }

  /// The bytes and the size that they stand for, if the log vouches for them; nil if there is no such snapshot, or if
  /// it is of another log, of a log that was cut or rewritten, or has other bytes. A bad snapshot never causes an
  /// error.
  func load() -> (bytes: [UInt8], size: UInt64)? {
    guard let content = try? disk.contents(of: path, limit: Self.longest + 8) else { return nil }
    var cursor = ByteCursor(content)
    guard let position = try? cursor.uint64() else { return nil }
    let bytes = Array(content.dropFirst(8))
    guard let reading = try? SegmentReading(layout: layout, disk: disk, position: position),
      let record = try? reading.next(), record.position == position, record.type == Self.recordType,
      record.isOf(stream: Array(Envelope.ownStream.utf8)), let data = try? JSON(parsing: record.data),
      data["fold"]?.string == name, data["version"]?.int == version,
      data["sha256"]?.string == Base64.encode(Array(SHA256.hash(data: bytes))),
      let size = data["size"]?.string.flatMap({ UInt64($0) }), size <= position,
      let root = try? RootLookup(layout: layout, disk: disk).frontier(at: size).root,
      data["root"]?.string == root.description
    else { return nil }
    return (bytes, size)
  }
}
