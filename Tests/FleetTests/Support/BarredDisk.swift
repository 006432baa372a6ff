// A disk on which a directory was moved away, or may not be used any more. Files that are open stay as they are.
@testable import EventStore

/// A disk that refuses everything at and below one path. One thread uses it.
final class BarredDisk: Disk, @unchecked Sendable {
  private let disk: MemoryDisk
  private var bar: (path: String, code: StoreError.Code)?

  init(_ disk: MemoryDisk) { self.disk = disk }

  /// Refuses that path from now on: `notFound` as if it was moved away, `permission` as if its mode was changed.
  func refuse(_ path: String, with code: StoreError.Code) { bar = (path, code) }

  /// Refuses nothing any more.
  func refuseNothing() { bar = nil }

  private func check(_ path: String) throws(StoreError) {
    guard let bar, path == bar.path || path.hasPrefix(bar.path + "/") else { return }
    throw StoreError(bar.code, "cannot open: it was refused", file: path, advice: "check it")
  }

  func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any DiskFile {
    try check(path)
    return try disk.open(path, mode)
  }

  func makeDirectory(_ path: String) throws(StoreError) -> Bool {
    try check(path)
    return try disk.makeDirectory(path)
  }

  func names(in directory: String) throws(StoreError) -> [String] {
    try check(directory)
    return try disk.names(in: directory)
  }

  func rename(_ from: String, to: String) throws(StoreError) {
    try check(from)
    try disk.rename(from, to: to)
  }

  func remove(_ path: String) throws(StoreError) {
    try check(path)
    try disk.remove(path)
  }

  func syncDirectory(_ path: String) throws(StoreError) {
    try check(path)
    try disk.syncDirectory(path)
  }
}
