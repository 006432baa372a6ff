// A directory of small secret files, each written whole or not at all.

import Glibc

/// A directory with mode 0700 that contains files with mode 0600.
///
/// A file is written under a temporary name, synced, and renamed, and the directory is synced: after a crash, either
/// the old or the new content remains. Writers in all processes take turns by locking the file `LOCK`; the holder of
/// the lock removes leftovers of processes that died.
package struct SecretDirectory: Sendable {
  private static let lockName = "LOCK"
  private static let draftPrefix = ".draft-"

  /// The path as it was given.
  package let path: String
  private let descriptor: Descriptor

  /// Opens a directory. It and its parents are created if they are missing.
  package init(path: String) throws(SecretFileError) {
    self.path = path
    do throws(SecretFileError) {
      descriptor = try Self.open(path)
    } catch .system(_, _, ENOENT) {
      try Self.make(path)
      descriptor = try Self.open(path)
    }
    _ = try descriptor.check(S_IFDIR, shown: path)
  }

  private static func open(_ path: String) throws(SecretFileError) -> Descriptor {
    try Descriptor.open(path, named: path, flags: O_RDONLY | O_DIRECTORY)
  }

  private static func make(_ path: String) throws(SecretFileError) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      let above = made.isEmpty ? "." : made
      made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
      do throws(SecretFileError) {
        _ = try retrying("mkdir", made) { unsafe Int(mkdir(made, 0o700)) }
      } catch .system(_, _, EEXIST) {
        continue
      }
      // A parent directory that this user may not read cannot be synced; the system writes it eventually.
      if let parent = try? Self.open(above) { try parent.sync(shown: above) }
    }
  }

  /// Returns the contents of a file, or `nil` if it does not exist.
  package func read(_ name: String, limit: Int) throws(SecretFileError) -> [UInt8]? {
    let shown = "\(path)/\(name)"
    let file: Descriptor
    do throws(SecretFileError) {
      file = try Descriptor.open(name, below: descriptor.number, named: shown, flags: O_RDONLY)
    } catch .system(_, _, ENOENT) {
      return nil
    }
    _ = try file.check(S_IFREG, shown: shown)
    return try file.contents(limit: limit, shown: shown)
  }

  /// Refuses anything other than a regular file, a file that belongs to another user, and one that others can access.
  package func check(_ name: String) throws(SecretFileError) {
    let shown = "\(path)/\(name)"
    let file = try Descriptor.open(name, below: descriptor.number, named: shown, flags: O_RDONLY)
    _ = try file.check(S_IFREG, shown: shown)
  }

  /// Writes a file, replacing an older one.
  package func write(_ bytes: [UInt8], to name: String) throws(SecretFileError) {
    try alone { () throws(SecretFileError) in try writeAlone(bytes, to: name) }
  }

  /// Writes a file that does not exist yet.
  ///
  /// - Returns: `false` if another process created the file first; that file is kept.
  package func writeNew(_ bytes: [UInt8], to name: String) throws(SecretFileError) -> Bool {
    try alone { () throws(SecretFileError) in
      guard try !isThere(name) else { return false }
      try writeAlone(bytes, to: name)
      return true
    }
  }

  /// Writes a file. Call this only inside of `alone`.
  package func writeAlone(_ bytes: [UInt8], to name: String) throws(SecretFileError) {
    try removeDrafts()
    let draft = Self.draftPrefix + name
    let shown = "\(path)/\(draft)"
    do throws(SecretFileError) {
      let file = try Descriptor.open(
        draft, below: descriptor.number, named: shown, flags: O_WRONLY | O_CREAT | O_EXCL)
      try file.write(bytes, shown: shown)
      _ = try retrying("rename", shown) {
        unsafe Int(renameat(descriptor.number, draft, descriptor.number, name))
      }
    } catch {
      _ = unsafe unlinkat(descriptor.number, draft, 0)
      throw error
    }
    try descriptor.sync(shown: path)
  }

  /// Removes a file.
  ///
  /// - Returns: whether the file existed.
  package func remove(_ name: String) throws(SecretFileError) -> Bool {
    try alone { () throws(SecretFileError) in try removeAlone(name) }
  }

  /// Removes a file. Call this only inside of `alone`.
  ///
  /// - Returns: whether the file existed.
  package func removeAlone(_ name: String) throws(SecretFileError) -> Bool {
    try removeDrafts()
    let shown = "\(path)/\(name)"
    do throws(SecretFileError) {
      _ = try retrying("unlink", shown) { unsafe Int(unlinkat(descriptor.number, name, 0)) }
    } catch .system(_, _, ENOENT) {
      return false
    }
    try descriptor.sync(shown: path)
    return true
  }

  /// The names of its files, in no particular order.
  package func names() throws(SecretFileError) -> [String] {
    try entries().filter { $0 != Self.lockName && !$0.hasPrefix(Self.draftPrefix) }
  }

  /// Runs a step while excluding all other processes.
  package func alone<Value>(_ body: () throws(SecretFileError) -> Value) throws(SecretFileError) -> Value {
    let lock = try lockFile(Self.lockName)
    _ = try lock.lock(waiting: true, shown: "\(path)/\(Self.lockName)")
    // Closing the descriptor releases the lock, so it must stay open until the step ends.
    return try withExtendedLifetime(lock) { () throws(SecretFileError) in try body() }
  }

  /// Opens a file that serves as a lock, creating it if it is missing. It is never removed, because a process may wait
  /// for it.
  package func lockFile(_ name: String) throws(SecretFileError) -> Descriptor {
    let shown = "\(path)/\(name)"
    let file = try Descriptor.open(name, below: descriptor.number, named: shown, flags: O_RDWR | O_CREAT)
    _ = try file.check(S_IFREG, shown: shown)
    return file
  }

  private func isThere(_ name: String) throws(SecretFileError) -> Bool {
    var status = stat()
    do throws(SecretFileError) {
      // SAFETY: `status` outlives the call, which only writes into it.
      _ = try retrying("stat", "\(path)/\(name)") {
        unsafe Int(fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW))
      }
      return true
    } catch .system(_, _, ENOENT) {
      return false
    }
  }

  private func removeDrafts() throws(SecretFileError) {
    for name in try entries() where name.hasPrefix(Self.draftPrefix) {
      _ = try retrying("unlink", "\(path)/\(name)") { unsafe Int(unlinkat(descriptor.number, name, 0)) }
    }
  }

  private func entries() throws(SecretFileError) -> [String] {
    let copy = try Descriptor.open(".", below: descriptor.number, named: path, flags: O_RDONLY | O_DIRECTORY)
    let number = try retrying("open", path) { Int(fcntl(copy.number, F_DUPFD_CLOEXEC, 3)) }
    // SAFETY: fdopendir takes ownership of the descriptor, and closedir closes it once; each entry is copied before the
    // next.
    guard let handle = unsafe fdopendir(Int32(truncatingIfNeeded: number)) else {
      throw .system(call: "list", path: path, number: errno)
    }
    defer { unsafe _ = closedir(handle) }
    var names: [String] = []
    while let entry = unsafe readdir(handle) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
