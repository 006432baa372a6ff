/// A file whose sync is asked for once at a time, and never again after it failed: the pages that failed count as clean,
/// so that the next sync would say that they are on the disk.
final class GuardedFile: DiskFile, @unchecked Sendable {  // `failure` is guarded by `monitor`
  private let file: any DiskFile
  private let monitor = Monitor()
  private var failure: StoreError?

  init(_ file: any DiskFile) { self.file = file }

  var path: String { file.path }
  func size() throws(StoreError) -> UInt64 { try file.size() }
  func read(at offset: UInt64, count: Int) throws(StoreError) -> [UInt8] { try file.read(at: offset, count: count) }
  func read(at offset: UInt64, count: Int, into room: inout [UInt8]) throws(StoreError) -> Int {
    try file.read(at: offset, count: count, into: &room)
  }
  func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StoreError) { try file.write(bytes, at: offset) }
  func truncate(to size: UInt64) throws(StoreError) { try file.truncate(to: size) }
  func lock() throws(StoreError) -> Bool { try file.lock() }
  func unlock() { file.unlock() }
  func isLockedElsewhere() throws(StoreError) -> Bool { try file.isLockedElsewhere() }
  func isReplaced() throws(StoreError) -> Bool { try file.isReplaced() }

  func sync() throws(StoreError) {
    monitor.lock()
    defer { monitor.unlock() }
    if let failure { throw failure }
    do {
      try file.sync()
    } catch {
      failure = error
      throw error
    }
  }
}
