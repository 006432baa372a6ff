import EventStore

/// An object open for reading. Its bytes are those at the time of opening: if it is replaced, reading fails.
final class ObjectFile: DiskFile {
  let path: String
  let key: String
  let tag: String
  let length: UInt64
  private let disk: ObjectDisk

  init(_ path: String, key: String, tag: String, length: UInt64, disk: ObjectDisk) {
    (self.path, self.key, self.tag, self.length, self.disk) = (path, key, tag, length, disk)
  }

  func size() throws(StoreError) -> UInt64 { length }

  func read(at offset: UInt64, count: Int) throws(StoreError) -> [UInt8] {
    guard count > 0, offset < length else { return [] }
    let end = offset + min(UInt64(count), length - offset)
    let width = UInt64(BlockCache.blockBytes)
    var bytes: [UInt8] = []
    var at = offset
    while at < end {
      let block = try disk.block(at / width, of: self)
      let first = Int(at % width)
      let last = min(block.count, first + Int(end - at))
      guard first < last else {
        throw StoreError(.io, "the object is shorter than it was", file: path, advice: "try again")
      }
      bytes += block[first..<last]
      at += UInt64(last - first)
    }
    return bytes
  }

  func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StoreError) { throw refusal }
  func truncate(to size: UInt64) throws(StoreError) { throw refusal }
  func sync() throws(StoreError) {}
  func lock() throws(StoreError) -> Bool { throw refusal }
  func unlock() {}
  func isReplaced() throws(StoreError) -> Bool { try disk.isReplaced(self) }
  func isLockedElsewhere() throws(StoreError) -> Bool { false }

  private var refusal: StoreError { StoreError(.permission, "objects are only read", file: path) }
}
