import Foundation

@testable import EventStore

/// A disk that is only read, and calls a closure before each call of it: a test acts in the middle of a look-up.
final class WatchedDisk: Disk, @unchecked Sendable {  // one thread at a time
  private let base: any Disk
  /// What is called with the number of the call, from 0.
  var before: (Int) -> Void = { _ in }
  /// How many calls there were.
  private(set) var calls = 0
  /// How many bytes were read.
  private(set) var bytesRead = 0

  init(_ base: any Disk) { self.base = base }

  private func told<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    before(calls)
    calls += 1
    return try body()
  }

  func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any DiskFile {
    guard mode == .read else { throw refusal }
    return try told { () throws(StoreError) in WatchedFile(try base.open(path, mode), of: self) }
  }

  func names(in directory: String) throws(StoreError) -> [String] {
    try told { () throws(StoreError) in try base.names(in: directory) }
  }

  func makeDirectory(_ path: String) throws(StoreError) -> Bool { throw refusal }
  func rename(_ from: String, to: String) throws(StoreError) { throw refusal }
  func remove(_ path: String) throws(StoreError) { throw refusal }
  func syncDirectory(_ path: String) throws(StoreError) { throw refusal }

  private var refusal: StoreError { StoreError(.permission, "this disk is only read") }

  private final class WatchedFile: DiskFile {
    private let file: any DiskFile
    private let disk: WatchedDisk
    var path: String { file.path }

    init(_ file: any DiskFile, of disk: WatchedDisk) {
      self.file = file
      self.disk = disk
    }

    func size() throws(StoreError) -> UInt64 { try disk.told { () throws(StoreError) in try file.size() } }

    func read(at offset: UInt64, count: Int) throws(StoreError) -> [UInt8] {
      let bytes = try disk.told { () throws(StoreError) in try file.read(at: offset, count: count) }
      disk.bytesRead += bytes.count
      return bytes
    }

    func data(from offset: UInt64) throws(StoreError) -> UInt64 { try file.data(from: offset) }
    func isReplaced() throws(StoreError) -> Bool { try disk.told { () throws(StoreError) in try file.isReplaced() } }
    func isLockedElsewhere() throws(StoreError) -> Bool { try file.isLockedElsewhere() }
    func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StoreError) { throw disk.refusal }
    func truncate(to size: UInt64) throws(StoreError) { throw disk.refusal }
    func sync() throws(StoreError) { throw disk.refusal }
    func lock() throws(StoreError) -> Bool { throw disk.refusal }
    func unlock() {}
  }
}
