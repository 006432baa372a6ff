/// Bytes in memory that are read like a file: a recording that did not come from the disk.
final class MemoryFile: DiskFile {
  let path: String
  private let bytes: [UInt8]

  init(_ bytes: [UInt8], path: String) {
    self.bytes = bytes
    self.path = path
  }

  func size() throws(StoreError) -> UInt64 { UInt64(bytes.count) }

  func read(at offset: UInt64, count: Int) throws(StoreError) -> [UInt8] {
    guard offset < UInt64(bytes.count), count > 0 else { return [] }
    let start = Int(offset)
    return Array(bytes[start..<start + Swift.min(count, bytes.count - start)])
  }

  func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StoreError) { throw refusal }
  func truncate(to size: UInt64) throws(StoreError) { throw refusal }
  func sync() throws(StoreError) { throw refusal }
  func lock() throws(StoreError) -> Bool { throw refusal }
  func unlock() {}
  func isReplaced() throws(StoreError) -> Bool { false }
  func isLockedElsewhere() throws(StoreError) -> Bool { false }

  private var refusal: StoreError { StoreError(.permission, "these bytes are only read", file: path) }
}
