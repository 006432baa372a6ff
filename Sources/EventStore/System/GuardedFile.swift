/// A file that is synced by one caller at a time, and never again after a sync failed: the failed pages count as clean,
/// so that the next sync would report them as on the disk.
///
/// Each sync checks that the file still has its name and its written length: a sync of a file without a name succeeds,
/// but saves nothing.
final class GuardedFile: DiskFile, @unchecked Sendable {  // `failure` is guarded by `monitor`, `end` by `ending`
  private let file: any DiskFile
  private let monitor = Monitor()
  private var failure: StoreError?
  private let ending = Monitor()
  /// The end of the written bytes.
  private var end: UInt64 = 0

  init(_ file: any DiskFile) { self.file = file }

  var path: String { file.path }
  func size() throws(StoreError) -> UInt64 { try file.size() }
  func read(at offset: UInt64, count: Int) throws(StoreError) -> [UInt8] { try file.read(at: offset, count: count) }
  func read(at offset: UInt64, count: Int, into room: inout [UInt8]) throws(StoreError) -> Int {
    try file.read(at: offset, count: count, into: &room)
  }
  func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StoreError) {
    // Checked before writing: a write would give a cut file its length back, with zeros in place of records.
    try refuseIfCut()
    try file.write(bytes, at: offset)
    ending.lock()
    end = max(end, offset + UInt64(bytes.count))
    ending.unlock()
  }
  func truncate(to size: UInt64) throws(StoreError) {
    try file.truncate(to: size)
    ending.lock()
    end = min(end, size)
    ending.unlock()
  }
  func lock() throws(StoreError) -> Bool { try file.lock() }
  func unlock() { file.unlock() }
  func isLockedElsewhere() throws(StoreError) -> Bool { try file.isLockedElsewhere() }
  func isReplaced() throws(StoreError) -> Bool { try file.isReplaced() }
  func isInPlace() throws(StoreError) -> Bool { try file.isInPlace() }

  /// Throws `missingSegment` if the file has been removed, moved, replaced or cut since it was opened. Cost: two status
  /// calls.
  func refuseIfGone() throws(StoreError) {
    guard try file.isInPlace() else {
      throw gone("the file that is written to was removed, moved or replaced")
    }
    try refuseIfCut()
  }

  private func refuseIfCut() throws(StoreError) {
    ending.lock()
    let end = end
    ending.unlock()
    guard try file.size() >= end else { throw gone("the file that is written to was cut by another program") }
  }

  private func gone(_ what: String) -> StoreError {
    StoreError(
      .missingSegment, what, file: path,
      advice: "nothing more is written; put it back if it was moved, run auditctl verify, then open the log again")
  }

  func sync() throws(StoreError) {
    monitor.lock()
    defer { monitor.unlock() }
    if let failure { throw failure }
    do {
      try file.sync()
      try refuseIfGone()
    } catch {
      failure = error
      throw error
    }
  }
}
