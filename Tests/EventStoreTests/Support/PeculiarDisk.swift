import Foundation

@testable import EventStore

/// A disk of which a test changes two things: what a directory lists, and how long writes take.
final class PeculiarDisk: Disk {
  private let base: any Disk
  private let list: @Sendable (String, [String]) throws(StoreError) -> [String]
  private let beforeWrite: @Sendable (String) -> Void

  /// `list` gets a directory and its names, and gives those that are seen; `beforeWrite` gets the path of a file.
  init(
    _ base: any Disk,
    list: @escaping @Sendable (String, [String]) throws(StoreError) -> [String] = { _, names in names },
    beforeWrite: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.base, self.list, self.beforeWrite) = (base, list, beforeWrite)
  }

  func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any DiskFile {
    PeculiarFile(try base.open(path, mode), beforeWrite)
  }

  func entry(_ path: String, followingLinks: Bool) throws(StoreError) -> DiskEntry? {
    try base.entry(path, followingLinks: followingLinks)
  }

  func names(in directory: String) throws(StoreError) -> [String] {
    try list(directory, try base.names(in: directory))
  }

  func makeDirectory(_ path: String) throws(StoreError) -> Bool { try base.makeDirectory(path) }
  func rename(_ from: String, to: String) throws(StoreError) { try base.rename(from, to: to) }
  func remove(_ path: String) throws(StoreError) { try base.remove(path) }
  func syncDirectory(_ path: String) throws(StoreError) { try base.syncDirectory(path) }

  private final class PeculiarFile: DiskFile {
    private let file: any DiskFile
    private let beforeWrite: @Sendable (String) -> Void
    var path: String { file.path }

    init(_ file: any DiskFile, _ beforeWrite: @escaping @Sendable (String) -> Void) {
      (self.file, self.beforeWrite) = (file, beforeWrite)
    }

    func size() throws(StoreError) -> UInt64 { try file.size() }
    func read(at offset: UInt64, count: Int) throws(StoreError) -> [UInt8] { try file.read(at: offset, count: count) }
    func data(from offset: UInt64) throws(StoreError) -> UInt64 { try file.data(from: offset) }
    func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StoreError) {
      beforeWrite(path)
      try file.write(bytes, at: offset)
    }
    func truncate(to size: UInt64) throws(StoreError) { try file.truncate(to: size) }
    func sync() throws(StoreError) { try file.sync() }
    func lock() throws(StoreError) -> Bool { try file.lock() }
    func unlock() { file.unlock() }
    func isReplaced() throws(StoreError) -> Bool { try file.isReplaced() }
    func isInPlace() throws(StoreError) -> Bool { try file.isInPlace() }
    func isLockedElsewhere() throws(StoreError) -> Bool { try file.isLockedElsewhere() }
  }
}
