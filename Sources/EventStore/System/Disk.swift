// The operations that the store needs from a disk, and nothing more, so that an in-memory disk that loses unsynced
// bytes can stand in for the real one. Paths are text with `/`; each error names the file and what to do.

/// The directory operations of a disk.
package protocol Disk: Sendable {
  /// Opens a regular file; symbolic links are not followed.
  ///
  /// - Throws: `notFound`, `permission`, `cannotCreate`, `noSpace`, `io`, and `malformed` if there is a link, a
  ///   directory, a pipe or a device; none of them blocks the call.
  func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any DiskFile
  /// The entry of a name, or of a link's target if `followingLinks`. Nil if there is none, or if the disk has no users
  /// and links.
  func entry(_ path: String, followingLinks: Bool) throws(StoreError) -> DiskEntry?
  /// Makes a directory of mode 0700. False if the name exists already.
  func makeDirectory(_ path: String) throws(StoreError) -> Bool
  /// The names in a directory, in no order.
  ///
  /// - Throws: `notFound` if there is none.
  func names(in directory: String) throws(StoreError) -> [String]
  /// Puts a file in the place of another, in one step. Durable only after `syncDirectory`.
  func rename(_ from: String, to: String) throws(StoreError)
  /// Removes a file. Durable only after `syncDirectory`.
  func remove(_ path: String) throws(StoreError)
  /// Makes creations, renames and removals in a directory survive a power cut.
  func syncDirectory(_ path: String) throws(StoreError)
  /// Syncs several directories, and the content of a file with them, in parallel if the disk can: on a busy disk each
  /// sync takes some milliseconds.
  func syncDirectories(_ paths: [String], and file: (any DiskFile)?) throws(StoreError)
}

/// How a file is opened.
package enum OpenMode: Sendable {
  /// For reading.
  case read
  /// For reading and writing; it must be there.
  case update
  /// For reading and writing; made with mode 0600 if it is not there.
  case updateOrCreate
  /// For reading and writing; made with mode 0600, it must not be there.
  case createNew
}

/// An open file; closed when the last reference goes.
package protocol DiskFile: AnyObject, Sendable {
  /// The path it was opened by.
  var path: String { get }
  /// Its size in bytes.
  func size() throws(StoreError) -> UInt64
  /// Up to `count` bytes from `offset`; fewer only at the end of the file.
  func read(at offset: UInt64, count: Int) throws(StoreError) -> [UInt8]
  /// Reads into reused memory: to the front of `room`, which grows if it is too small. Returns how many bytes were
  /// read.
  func read(at offset: UInt64, count: Int, into room: inout [UInt8]) throws(StoreError) -> Int
  /// The first offset from `offset` on at which there may be another byte than 0; the size if there is none. A sparse
  /// file may claim more bytes than a disk has.
  func data(from offset: UInt64) throws(StoreError) -> UInt64
  /// Writes all of `bytes` at `offset`. When it throws, any part of them may be there.
  func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StoreError)
  /// Cuts or extends the file.
  func truncate(to size: UInt64) throws(StoreError)
  /// Makes the content and size survive a power cut (fdatasync). Must not be repeated after it threw: the failed pages
  /// count as clean from then on.
  func sync() throws(StoreError)
  /// Takes the exclusive lock; false if another open file has it. The lock is released when this file closes.
  func lock() throws(StoreError) -> Bool
  /// Gives the lock back. Closing does so too, unless a process that was just started still has the open file.
  func unlock()
  /// True if the file no longer has a name: it was replaced or removed.
  func isReplaced() throws(StoreError) -> Bool
  /// True if the file still stands where it was opened: false if its name leads nowhere now, or to another file.
  func isInPlace() throws(StoreError) -> Bool
  /// True if another open file has the exclusive lock.
  func isLockedElsewhere() throws(StoreError) -> Bool
}

extension Disk {
  package func entry(_ path: String, followingLinks: Bool) throws(StoreError) -> DiskEntry? { nil }

  package func syncDirectories(_ paths: [String], and file: (any DiskFile)?) throws(StoreError) {
    for path in paths { try syncDirectory(path) }
    try file?.sync()
  }
}

extension DiskFile {
  package func isInPlace() throws(StoreError) -> Bool { try !isReplaced() }

  package func data(from offset: UInt64) throws(StoreError) -> UInt64 { offset }

  /// Extends a copy, which has the bytes up to `offset`, over the hole that begins there.
  ///
  /// - Returns: where there are bytes again, at most `size`.
  package func copyHole(from offset: UInt64, upTo size: UInt64, to copy: any DiskFile) throws(StoreError) -> UInt64 {
    let next = min(try data(from: offset), size)
    if next > offset { try copy.truncate(to: next) }
    return next
  }

  package func read(at offset: UInt64, count: Int, into room: inout [UInt8]) throws(StoreError) -> Int {
    room = try read(at: offset, count: count)
    return room.count
  }
}
