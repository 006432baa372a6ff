@testable import EventStore

/// A disk that is only read, on which one file has other bytes than it has.
struct OverlaidDisk: Disk {
  let base: any Disk
  let path: String
  let bytes: [UInt8]

  func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any DiskFile {
    guard mode == .read else { throw refusal }
    return path == self.path ? MemoryFile(bytes, path: path) : try base.open(path, mode)
  }

  func names(in directory: String) throws(StoreError) -> [String] { try base.names(in: directory) }
  func makeDirectory(_ path: String) throws(StoreError) -> Bool { throw refusal }
  func rename(_ from: String, to: String) throws(StoreError) { throw refusal }
  func remove(_ path: String) throws(StoreError) { throw refusal }
  func syncDirectory(_ path: String) throws(StoreError) { throw refusal }

  private var refusal: StoreError { StoreError(.permission, "this disk is only read") }
}
