// The system calls on secret files, with shared handling of `errno` and `EINTR`.

package import Glibc

/// Why a secret file could not be read or written, including the path and what to do.
package enum SecretFileError: Error, Hashable {
  /// Users other than its owner can access it.
  case exposed(path: String, mode: UInt32)
  /// The file belongs to another user.
  case foreign(path: String)
  /// It is a symbolic link, a directory, or a device where a regular file or a directory is required.
  case kind(path: String, is: String)
  /// The file is larger than the limit.
  case tooLarge(path: String, limit: Int)
  /// A system call failed.
  case system(call: String, path: String, number: Int32)

  /// One sentence with the problem, the path, and what to do.
  package var reason: String {
    switch self {
    case .exposed(let path, let mode):
      "others than its owner may use \(path), whose mode is \(String(mode, radix: 8)); run chmod go= on it"
    case .foreign(let path): "\(path) belongs to another user; run chown on it, or give another directory"
    case .kind(let path, let kind): "\(path) is \(kind); remove it, or give another directory"
    case .tooLarge(let path, let limit): "\(path) has more than \(limit) bytes and is not ours; restore or remove it"
    case .system(let call, let path, let number): "\(call) on \(path) failed: \(Self.text(number))"
    }
  }

  private static func text(_ number: Int32) -> String {
    // SAFETY: strerror returns a zero-terminated string, which is copied before any other call.
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }
}

/// Retries a call interrupted by a signal, and converts -1 to an error.
package func retrying(_ name: String, _ path: String, _ call: () -> Int) throws(SecretFileError) -> Int {
  while true {
    let result = call()
    if result >= 0 { return result }
    let number = errno
    if number != EINTR { throw .system(call: name, path: path, number: number) }
  }
}

/// A file descriptor that is closed when it is no longer used.
package final class Descriptor: Sendable {
  /// The number of the descriptor.
  package let number: Int32

  /// Takes ownership of a descriptor.
  package init(_ number: Int32) { self.number = number }

  deinit { _ = close(number) }

  /// Opens a path relative to a directory (`AT_FDCWD` for the current one), never following a link in its last
  /// component.
  package static func open(_ path: String, below directory: Int32 = AT_FDCWD, named shown: String, flags: Int32)
    throws(SecretFileError) -> Descriptor
  {
    // Opening a pipe without a writer would block, and a terminal would become the controlling terminal of the process.
    let all = flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    do throws(SecretFileError) {
      let number = try retrying("open", shown) { unsafe Int(openat(directory, path, all, 0o600)) }
      guard let number = Int32(exactly: number) else { throw .system(call: "open", path: shown, number: EMFILE) }
      return Descriptor(try unlikeStandard(number, shown))
    } catch {
      switch error {
      case .system(_, _, ELOOP): throw .kind(path: shown, is: "a symbolic link")
      case .system(_, _, ENXIO): throw .kind(path: shown, is: "no file with content of its own")
      case .system(_, _, EISDIR): throw .kind(path: shown, is: "a directory")
      case .system(_, _, ENOTDIR) where flags & O_DIRECTORY != 0:
        throw .kind(path: shown, is: "a symbolic link or no directory")
      case .system, .exposed, .foreign, .kind, .tooLarge: throw error
      }
    }
  }

  /// Moves the descriptor to another number if standard input, output, or error is closed; otherwise, printed text
  /// could end up in the file.
  private static func unlikeStandard(_ number: Int32, _ path: String) throws(SecretFileError) -> Int32 {
    guard number <= STDERR_FILENO else { return number }
    defer { _ = close(number) }
    let copy = try retrying("open", path) { Int(fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)) }
    return Int32(truncatingIfNeeded: copy)
  }

  /// Whether the descriptor refers to a regular file.
  package var isFile: Bool {
    var status = stat()
    // SAFETY: `status` outlives the call, which only writes into it.
    return unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Refuses a file of a different kind, one that belongs to another user, and one that others can access.
  package func check(_ kind: mode_t, shown path: String) throws(SecretFileError) -> stat {
    var status = stat()
    // SAFETY: `status` outlives the call, which only writes into it.
    _ = try retrying("stat", path) { unsafe Int(fstat(number, &status)) }
    guard status.st_mode & S_IFMT == kind else {
      let isDirectory = status.st_mode & S_IFMT == S_IFDIR
      throw .kind(path: path, is: isDirectory ? "a directory" : "no file with content of its own")
    }
    guard status.st_uid == geteuid() else { throw .foreign(path: path) }
    let mode = UInt32(status.st_mode) & 0o777
    guard mode & 0o077 == 0 else { throw .exposed(path: path, mode: mode) }
    return status
  }

  /// Returns the contents of the file, up to a limit.
  package func contents(limit: Int, shown path: String) throws(SecretFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 4_096)
    while true {
      // SAFETY: the call writes at most as many bytes as the array has.
      let count = try retrying("read", path) {
        unsafe room.withUnsafeMutableBytes { unsafe read(number, $0.baseAddress, $0.count) }
      }
      if count == 0 { return bytes }
      bytes += room.prefix(count)
      if bytes.count > limit { throw .tooLarge(path: path, limit: limit) }
    }
  }

  /// Writes all bytes and waits until they are on disk.
  package func write(_ bytes: [UInt8], shown path: String) throws(SecretFileError) {
    try writeAll(bytes, shown: path)
    try sync(shown: path)
  }

  /// Writes all bytes.
  package func writeAll(_ bytes: [UInt8], shown path: String) throws(SecretFileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // SAFETY: the call reads at most as many bytes as the slice has.
      let count = try retrying("write", path) {
        unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits until written data is on disk.
  package func sync(shown path: String) throws(SecretFileError) {
    _ = try retrying("fsync", path) { Int(fsync(number)) }
  }

  /// Locks the file for this descriptor only, against other processes and other descriptors of this process.
  ///
  /// - Parameters:
  ///   - waiting: whether to wait until the lock is free; in that case, the result is always `true`.
  ///   - path: the path, for errors.
  /// - Returns: `false` if another descriptor has the lock. Closing the descriptor releases it.
  package func lock(waiting: Bool, shown path: String) throws(SecretFileError) -> Bool {
    do throws(SecretFileError) {
      _ = try retrying("lock", path) { Int(flock(number, waiting ? LOCK_EX : LOCK_EX | LOCK_NB)) }
      return true
    } catch .system(_, _, EWOULDBLOCK) {
      return false
    }
  }

  /// Releases the lock.
  package func unlock() { _ = flock(number, LOCK_UN) }

  /// Returns the available bytes, at most 4,096; empty at the end.
  package func readSome(shown path: String) throws(SecretFileError) -> [UInt8] {
    try readDescriptor(number, shown: path)
  }
}

/// Returns the bytes available from a descriptor, at most 4,096; empty at the end.
package func readDescriptor(_ number: Int32, shown path: String) throws(SecretFileError) -> [UInt8] {
  var room = [UInt8](repeating: 0, count: 4_096)
  // SAFETY: the call writes at most as many bytes as the array has.
  let count = try retrying("read", path) {
    unsafe room.withUnsafeMutableBytes { unsafe read(number, $0.baseAddress, $0.count) }
  }
  return Array(room.prefix(count))
}
