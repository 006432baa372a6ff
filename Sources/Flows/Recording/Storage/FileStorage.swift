// Values in files: a dedicated folder with one file per value, written atomically.

import Foundation

/// Stores values in a folder with mode 0700, each in a file with its name and mode 0600.
///
/// A value is written to a temporary file, synced, and renamed, and the folder is synced: after a crash, either the old
/// value or the new one remains. Several processes may use one folder; the last one to write wins. Values are not
/// encrypted here: whoever stores a secret value must encrypt it first.
public struct FileStorage: FlowStorage {
  /// The maximum length of a value, in bytes. Longer files are not read.
  public static let limit = 1 << 20
  private let folder: String

  /// Creates a storage for a folder, which is created when a value is first stored.
  public init(folder: String) { self.folder = folder }

  /// Reads a file.
  ///
  /// - Throws: `unsafe` if it is not a regular file, belongs to another user, or is readable by others; `failed` if it
  ///   is too long or a system call fails.
  public func read(_ name: StorageName) throws(FlowStorageError) -> [UInt8]? {
    let path = folder + "/" + name.text
    let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      switch errno {
      case ENOENT: return nil
      case ELOOP: throw .unsafe(path: path, reason: "it is a symbolic link")
      default: throw Self.failure(path)
      }
    }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw Self.failure(path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unsafe(path: path, reason: "it is no plain file") }
    guard status.st_uid == geteuid() else { throw .unsafe(path: path, reason: "it belongs to another user") }
    guard status.st_mode & 0o077 == 0 else { throw .unsafe(path: path, reason: "others may read or write it") }
    var bytes: [UInt8] = []
    while bytes.count <= Self.limit {
      var part = [UInt8](repeating: 0, count: 16_384)
      let count = unsafe Foundation.read(file, &part, part.count)
      if count == 0 { return bytes }
      if count < 0, errno != EINTR { throw Self.failure(path) }
      if count > 0 { bytes += part[..<count] }
    }
    throw .failed(path: path, reason: "it is longer than \(Self.limit) bytes")
  }

  /// Writes a file, replacing an older one.
  ///
  /// - Throws: `unsafe` if the folder is not a directory or is accessible to others; `failed` if the value is longer
  ///   than `limit` or a system call fails.
  public func write(_ bytes: [UInt8], as name: StorageName) throws(FlowStorageError) {
    let path = folder + "/" + name.text
    guard bytes.count <= Self.limit else {
      throw .failed(path: path, reason: "it would be longer than \(Self.limit) bytes")
    }
    try prepare()
    // No name begins with a dot, so a file left behind by a crash is never taken for a value. The suffix is random
    // because process IDs are reused, in a container even at every start.
    let temporary = folder + "/.\(name.text).\(String(SystemEntropy().next(), radix: 36))"
    let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure(temporary) }
    do throws(FlowStorageError) {
      defer { close(file) }
      var done = 0
      while done < bytes.count {
        let count = unsafe bytes[done...].withUnsafeBytes { unsafe Foundation.write(file, $0.baseAddress, $0.count) }
        if count < 0, errno != EINTR { throw Self.failure(temporary) }
        done += max(count, 0)
      }
      guard fsync(file) == 0 else { throw Self.failure(temporary) }
      guard unsafe rename(temporary, path) == 0 else { throw Self.failure(path) }
    } catch {
      unsafe unlink(temporary)
      throw error
    }
    try sync()
  }

  /// Removes a file.
  ///
  /// - Throws: `failed` if a system call fails.
  @discardableResult public func remove(_ name: StorageName) throws(FlowStorageError) -> Bool {
    let path = folder + "/" + name.text
    guard unsafe unlink(path) == 0 else {
      if errno == ENOENT { return false }
      throw Self.failure(path)
    }
    try sync()
    return true
  }

  /// Returns the names of all files.
  ///
  /// - Throws: `failed` if the folder cannot be listed.
  public func names() throws(FlowStorageError) -> [StorageName] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap(StorageName.init).sorted()
    } catch {
      throw .failed(path: folder, reason: "it cannot be listed")
    }
  }

  /// Creates the folder, and checks that no other user can access it.
  private func prepare() throws(FlowStorageError) {
    var status = stat()
    if unsafe lstat(folder, &status) != 0 {
      guard errno == ENOENT else { throw Self.failure(folder) }
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw .failed(path: folder, reason: "the folder cannot be made")
      }
      guard unsafe lstat(folder, &status) == 0 else { throw Self.failure(folder) }
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .unsafe(path: folder, reason: "it is no folder") }
    guard status.st_uid == geteuid() else { throw .unsafe(path: folder, reason: "it belongs to another user") }
    guard status.st_mode & 0o077 == 0 else { throw .unsafe(path: folder, reason: "others may read or write in it") }
  }

  private func sync() throws(FlowStorageError) {
    let handle = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard handle >= 0 else { throw Self.failure(folder) }
    defer { close(handle) }
    guard fsync(handle) == 0 else { throw Self.failure(folder) }
  }

  private static func failure(_ path: String) -> FlowStorageError {
    .failed(path: path, reason: unsafe String(cString: strerror(errno)))
  }
}
