// Values in files: a folder of its own, one file a value, each change whole or not at all.

import Foundation

/// Values in a folder, mode 0700, each in a file of its name, mode 0600.
///
/// A value is written to a temporary file, synced, renamed, and the folder synced: a crash leaves the old value or the
/// new one. Several processes may use one folder; the last to write wins. The values are not encrypted: a stored value
/// must be encrypted by the code that stores it, or be no secret.
public struct FileStorage: FlowStorage {
  /// Values are at most this long; a longer file is not read.
  public static let limit = 1 << 20
  private let folder: String
  private static let lock = Locked(0)

  /// A storage in a folder, which is made when something is stored.
  public init(folder: String) { self.folder = folder }

  /// Reads a file.
  ///
  /// - Throws: `unsafe` if it is no plain file, belongs to another user or others may read it, `failed` if it is too
  ///   long or the system refuses.
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

  /// Writes a file in the place of an older one.
  ///
  /// - Throws: `unsafe` if the folder is none or others may use it, `failed` if the value is longer than `limit` or
  ///   the system refuses.
  public func write(_ bytes: [UInt8], as name: StorageName) throws(FlowStorageError) {
    let path = folder + "/" + name.text
    guard bytes.count <= Self.limit else {
      throw .failed(path: path, reason: "it would be longer than \(Self.limit) bytes")
    }
    try prepare()
    let serial = Self.lock.withLock { count in
      count += 1
      return count
    }
    // A dot begins no name, so a file that a crash leaves behind is no value.
    let temporary = folder + "/.\(name.text).\(getpid()).\(serial)"
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
  /// - Throws: `failed` if the system refuses.
  @discardableResult public func remove(_ name: StorageName) throws(FlowStorageError) -> Bool {
    let path = folder + "/" + name.text
    guard unsafe unlink(path) == 0 else {
      if errno == ENOENT { return false }
      throw Self.failure(path)
    }
    try sync()
    return true
  }

  /// The names of all files.
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

  /// Makes the folder, and sees to it that no other user has a hand in it.
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
