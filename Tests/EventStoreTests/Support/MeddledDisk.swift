import Foundation

@testable import EventStore

/// A disk on which something else happens right before one of its calls, those on open files aside.
final class MeddledDisk: Disk, @unchecked Sendable {  // `left` is guarded by `guardian`
  private let base: any Disk
  private let meddle: () -> Void
  private let guardian = NSLock()
  private var left: Int

  /// Calls `meddle` once, before the call that comes `call`th.
  init(base: any Disk, call: Int, meddle: @escaping () -> Void) {
    self.base = base
    self.meddle = meddle
    left = call
  }

  private func turn() {
    let isTime = guardian.withLock {
      left -= 1
      return left == 0
    }
    if isTime { meddle() }
  }

  func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any DiskFile {
    turn()
    return try base.open(path, mode)
  }

  func makeDirectory(_ path: String) throws(StoreError) -> Bool {
    turn()
    return try base.makeDirectory(path)
  }

  func names(in directory: String) throws(StoreError) -> [String] {
    turn()
    return try base.names(in: directory)
  }

  func rename(_ from: String, to: String) throws(StoreError) {
    turn()
    try base.rename(from, to: to)
  }

  func remove(_ path: String) throws(StoreError) {
    turn()
    try base.remove(path)
  }

  func syncDirectory(_ path: String) throws(StoreError) {
    turn()
    try base.syncDirectory(path)
  }
}
