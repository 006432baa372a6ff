// Every system call of the store stands in this file. `errno` and `EINTR` are handled in `retrying`, once.
import Foundation
import Glibc

/// The disk of this machine.
package struct SystemDisk: Disk {
  /// Whether the group may use files that it makes.
  private let isShared: Bool
  /// The directory that relative paths start from; nil for that of the process at the time of each call.
  private var base: String?

  /// The disk of this machine. Only the owner may use the files that it makes.
  package init() { isShared = false }

  /// The disk of this machine, for places that several users share: if `isShared`, the group may use the files that it
  /// makes as well.
  package init(sharingWithGroup isShared: Bool) { self.isShared = isShared }

  /// The same disk, on which relative paths start from the process's directory as it is now, whatever that is later.
  /// Errors name the paths as they are given. A disk that is fixed already stays as it is.
  func fixed(at directory: String = FileManager.default.currentDirectoryPath) -> SystemDisk {
    guard base == nil, directory.hasPrefix("/") else { return self }
    var disk = self
    disk.base = directory
    return disk
  }

  /// The path that is passed to the system for a given path.
  private func place(of path: String) -> String {
    guard let base, !path.utf8.starts(with: "/".utf8) else { return path }
    return base + "/" + path
  }

  package func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any DiskFile {
    try openFile(path, mode, and: O_NOFOLLOW)
  }

  private func openFile(_ path: String, _ mode: OpenMode, and more: Int32 = 0) throws(StoreError) -> SystemFile {
    let flags: Int32 =
      switch mode {
      case .read: O_RDONLY
      case .update: O_RDWR
      case .updateOrCreate: O_RDWR | O_CREAT
      case .createNew: O_RDWR | O_CREAT | O_EXCL
      }
    // Without these flags, opening a pipe without a writer would block, and a terminal would become the controlling
    // terminal of the process. They do not affect regular files.
    let all = flags | more | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let place = place(of: path)
    let descriptor = try retrying("open", path) { unsafe Glibc.open(place, all, 0o600) }
    // From here on the file owns the descriptor, and closes it if something fails.
    let file = SystemFile(descriptor: try Self.unlikeStandard(descriptor, path), path: path, place: place)
    if isShared, mode == .createNew { try file.shareWithGroup() }
    guard try file.status().st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.malformed, "this is no file with content of its own", file: path, advice: "give a usual file")
    }
    return file
  }

  /// The whole content of a regular file that the user named; a link may lead to it.
  ///
  /// - Throws: what `contents(of:limit:)` throws.
  func givenContents(of path: String, limit: Int) throws(StoreError) -> [UInt8] {
    try Self.contents(of: try openFile(path, .read), limit: limit)
  }

  /// The same file under another number if the program has standard input, output or error closed: what it prints would
  /// go into the file.
  private static func unlikeStandard(_ descriptor: Int32, _ path: String) throws(StoreError) -> Int32 {
    guard descriptor <= STDERR_FILENO else { return descriptor }
    defer { _ = close(descriptor) }
    return try retrying("open", path) { fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
  }

  /// The whole content of a file that only its owner may use. The mode is that of the file that is read, whatever link
  /// leads to it.
  ///
  /// - Throws: `keyExposed` if its mode lets its group or others, `tooLarge` over `limit` bytes.
  func secretContents(of path: String, limit: Int) throws(StoreError) -> [UInt8] {
    let file = try openFile(path, .read)
    let status = try file.status()
    let mode = UInt32(status.st_mode) & 0o777
    guard mode & 0o077 == 0 else {
      throw StoreError(
        .keyExposed, "its mode, \(String(mode, radix: 8)), lets others than its owner use the file", file: path,
        advice: "run chmod 600 on it")
    }
    return try Self.contents(of: file, limit: limit)
  }

  package func entry(_ path: String, followingLinks: Bool) throws(StoreError) -> DiskEntry? {
    var status = stat()
    let place = place(of: path)
    do throws(StoreError) {
      // SAFETY: `status` outlives the call, which only writes into it.
      _ = try retrying("read", path) {
        unsafe fstatat(AT_FDCWD, place, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW)
      }
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
    let kind: DiskEntry.Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .link
      default: .other
      }
    return DiskEntry(
      kind: kind, owner: status.st_uid, isOwn: status.st_uid == geteuid(), mode: UInt32(status.st_mode) & 0o777)
  }

  package func makeDirectory(_ path: String) throws(StoreError) -> Bool {
    let place = place(of: path)
    do {
      _ = try retrying("make", path) { unsafe mkdir(place, 0o700) }
      // Files made in it belong to the same group.
      if isShared { _ = try retrying("make", path) { unsafe chmod(place, 0o2770) } }
      return true
    } catch {
      guard error.code == .cannotCreate else { throw error }
      return false
    }
  }

  package func names(in directory: String) throws(StoreError) -> [String] {
    // SAFETY: the handle comes from opendir and is closed once; each entry is read before the next readdir call.
    guard let handle = unsafe opendir(place(of: directory)) else { throw systemError(errno, "list", directory) }
    defer { unsafe _ = closedir(handle) }
    var names: [String] = []
    while true {
      // A null pointer means the end, or an error: only errno distinguishes them.
      errno = 0
      guard let entry = unsafe readdir(handle) else {
        let number = errno
        guard number == 0 else { throw systemError(number, "list", directory) }
        return names
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  package func rename(_ from: String, to: String) throws(StoreError) {
    let (old, new) = (place(of: from), place(of: to))
    _ = try retrying("rename", from) { unsafe Glibc.rename(old, new) }
  }

  /// Gives a file a second name.
  ///
  /// - Throws: `cannotCreate` if that name is taken.
  package func link(_ from: String, as name: String) throws(StoreError) {
    let (old, new) = (place(of: from), place(of: name))
    _ = try retrying("make", name) { unsafe Glibc.link(old, new) }
  }

  package func remove(_ path: String) throws(StoreError) {
    let place = place(of: path)
    _ = try retrying("remove", path) { unsafe unlink(place) }
  }

  package func syncDirectory(_ path: String) throws(StoreError) {
    let place = place(of: path)
    let descriptor = try retrying("open", path) { unsafe Glibc.open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    defer { _ = close(descriptor) }
    _ = try retrying("sync", path) { fsync(descriptor) }
  }

  package func syncDirectories(_ paths: [String], and file: (any DiskFile)?) throws(StoreError) {
    let results = Results(waitingFor: paths.count)
    for path in paths {
      let sync: @Sendable () -> Void = {
        results.put(Result { () throws(StoreError) in try syncDirectory(path) })
      }
      // If there is no thread for it, it is synced on this one.
      do throws(StoreError) { try startThread("LogSync", stackSize: 1 << 18, sync) } catch { sync() }
    }
    let content = Result { () throws(StoreError) in try file?.sync() }
    for result in results.wait() { try result.get() }
    try content.get()
  }

  /// The results of several threads.
  private final class Results: @unchecked Sendable {  // guarded by `monitor`
    private let monitor = Monitor()
    private var found: [Result<Void, StoreError>] = []
    private let wanted: Int

    init(waitingFor count: Int) { wanted = count }

    func put(_ result: Result<Void, StoreError>) {
      monitor.lock()
      found.append(result)
      monitor.tell(.work)
      monitor.unlock()
    }

    func wait() -> [Result<Void, StoreError>] {
      monitor.lock()
      defer { monitor.unlock() }
      while found.count < wanted { monitor.wait(for: .work) }
      return found
    }
  }
}

/// A file of this machine. The descriptor never changes and is closed in `deinit`.
private final class SystemFile: DiskFile {
  let path: String
  private let descriptor: Int32
  /// Where it was opened, whatever the process's directory is by now.
  private let place: String

  /// `place` is the path that it was opened by: `path`, or `path` resolved from the base directory.
  init(descriptor: Int32, path: String, place: String) {
    self.descriptor = descriptor
    self.path = path
    self.place = place.hasPrefix("/") ? place : FileManager.default.currentDirectoryPath + "/" + place
  }

  deinit { _ = close(descriptor) }

  func size() throws(StoreError) -> UInt64 {
    UInt64(max(try status().st_size, 0))
  }

  /// Lets the group use the file.
  func shareWithGroup() throws(StoreError) {
    _ = try retrying("make", path) { fchmod(descriptor, 0o660) }
  }

  /// What the system says of the file.
  func status() throws(StoreError) -> stat {
    var status = stat()
    // SAFETY: `status` outlives the call, which only writes into it.
    _ = try retrying("read", path) { unsafe fstat(descriptor, &status) }
    return status
  }

  func isReplaced() throws(StoreError) -> Bool {
    try status().st_nlink == 0
  }

  func isInPlace() throws(StoreError) -> Bool {
    let own = try status()
    var named = stat()
    // SAFETY: `named` outlives the call, which only writes into it.
    guard unsafe lstat(place, &named) == 0 else {
      let number = errno
      if number == ENOENT || number == ENOTDIR { return false }
      throw systemError(number, "read", path)
    }
    return own.st_nlink > 0 && own.st_dev == named.st_dev && own.st_ino == named.st_ino
  }

  func read(at offset: UInt64, count: Int) throws(StoreError) -> [UInt8] {
    guard count > 0, offset <= UInt64(Int64.max) - UInt64(count) else { return [] }
    var failure: StoreError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(StoreError) {
        filled = try unsafe fill(UnsafeMutableRawBufferPointer(buffer), from: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  func read(at offset: UInt64, count: Int, into room: inout [UInt8]) throws(StoreError) -> Int {
    guard count > 0, offset <= UInt64(Int64.max) - UInt64(count) else { return 0 }
    if room.count < count { room = [UInt8](repeating: 0, count: count) }
    var span = room.mutableSpan
    return try unsafe span.withUnsafeMutableBytes { buffer throws(StoreError) in
      try unsafe fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), from: offset)
    }
  }

  /// Reads until the buffer is full or the file ends.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: UInt64) throws(StoreError) -> Int {
    var filled = 0
    while filled < buffer.count {
      // SAFETY: the range is inside the buffer, whose base address exists since it is not empty.
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let got = try retrying("read", path) {
        unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
      }
      if got == 0 { break }
      filled += got
    }
    return filled
  }

  func data(from offset: UInt64) throws(StoreError) -> UInt64 {
    guard offset <= UInt64(Int64.max) else { return offset }
    let found = lseek(descriptor, off_t(offset), Self.seekData)
    if found >= 0 { return UInt64(found) }
    // ENXIO says that only a hole follows. A file system that knows no holes says something else.
    guard errno == ENXIO else { return offset }
    return max(offset, try size())
  }

  /// `SEEK_DATA` of lseek(2).
  private static let seekData: Int32 = 3

  func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StoreError) {
    try unsafe bytes.withUnsafeBytes { buffer throws(StoreError) in
      var done = 0
      while done < buffer.count {
        // SAFETY: the range is inside the buffer, which outlives the call.
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
        let put = try retrying("write", path) {
          unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
        }
        guard put > 0 else { throw systemError(EIO, "write", path) }
        done += put
      }
    }
  }

  func truncate(to size: UInt64) throws(StoreError) {
    _ = try retrying("cut", path) { ftruncate(descriptor, off_t(size)) }
  }

  func sync() throws(StoreError) {
    // EINTR is no license to call fdatasync again, so this one call is not retried.
    guard fdatasync(descriptor) == 0 else { throw systemError(errno, "sync", path) }
  }

  func lock() throws(StoreError) -> Bool {
    var request = Self.exclusive
    // SAFETY: `request` outlives the call.
    if unsafe fcntl(descriptor, Self.setLock, &request) == 0 { return true }
    let number = errno
    switch number {
    case EAGAIN, EACCES: return false
    case ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL:
      // Without it, two writers would write over each other.
      throw StoreError(
        .io, "the file system keeps no locks", file: path,
        advice: "put the store on a disk of this machine, or mount the file system with locks")
    default: throw systemError(number, "lock", path)
    }
  }

  func unlock() {
    var request = Self.exclusive
    request.l_type = Int16(F_UNLCK)
    // SAFETY: `request` outlives the call.
    unsafe _ = fcntl(descriptor, Self.setLock, &request)
  }

  func isLockedElsewhere() throws(StoreError) -> Bool {
    var request = Self.exclusive
    // SAFETY: `request` outlives the call, which writes the answer into it.
    _ = try retrying("lock", path) { unsafe fcntl(descriptor, Self.getLock, &request) }
    return request.l_type != Int16(F_UNLCK)
  }

  /// An exclusive lock on the whole file.
  private static var exclusive: flock {
    flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
  }

  // Open-file-description locks: they belong to the open file, not the process, so that a second `open` in the same
  // process is refused too, and closing any other descriptor of the file frees nothing. fcntl(2), Linux 3.15.
  private static let getLock: Int32 = 36
  private static let setLock: Int32 = 37
}

/// Calls a function of the C library until it is not interrupted, and turns -1 into an error.
private func retrying<Result: SignedInteger>(
  _ verb: String, _ path: String, _ call: () -> Result
) throws(StoreError) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    let number = errno
    if number != EINTR { throw systemError(number, verb, path) }
  }
}

/// An error number as an error of the store.
private func systemError(_ number: Int32, _ verb: String, _ path: String) -> StoreError {
  let code: StoreError.Code
  let advice: String
  switch number {
  case ENOENT, ENOTDIR: (code, advice) = (.notFound, "check the path")
  case EACCES, EPERM: (code, advice) = (.permission, "check who owns it and its mode")
  case EROFS: (code, advice) = (.permission, "the file system is read-only; give a store on another")
  case ENOSPC, EDQUOT: (code, advice) = (.noSpace, "free some space, then go on")
  case EFBIG: (code, advice) = (.noSpace, "raise the limit on the size of files (ulimit -f), then go on")
  case EISDIR: (code, advice) = (.malformed, "give a usual file")
  case ELOOP: (code, advice) = (.malformed, "put the file itself in the place of the symbolic link")
  case ENXIO: (code, advice) = (.malformed, "give a usual file")
  case EEXIST: (code, advice) = (.cannotCreate, "give another path")
  case EMFILE, ENFILE: (code, advice) = (.io, "raise the limit of open files")
  default: (code, advice) = (.io, "check the disk")
  }
  // SAFETY: strerror's text is copied before anything else can run on this thread.
  let reason = unsafe String(cString: strerror(number))
  return StoreError(code, "cannot \(verb): \(reason)", file: path, advice: advice)
}
