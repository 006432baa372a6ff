// Files that a command writes: new ones and usual ones, for their owner's eyes alone; pipes, where the shell made one.

import EventStore
import Glibc

/// A file that takes what a command prints.
struct OutputFile {
  /// The path as it was given.
  let path: String

  /// Opens it: a file is made, or emptied, with mode 0600, a pipe or terminal is written to. Of links only those that the system
  /// makes for open files (`/dev/stdout`, what a shell makes of `>(...)`) are followed.
  ///
  /// - Returns: a descriptor, which the caller closes.
  /// - Throws: exit 73 if it cannot be made, is another user's, or is something else.
  func descriptor() throws(CommandFailure) -> Int32 {
    let follows =
      ["/dev/stdout", "/dev/stderr"].contains(path) || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/")
    // Without O_TRUNC: what is there is looked at before it is emptied.
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | (follows ? 0 : O_NOFOLLOW)
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else {
      throw refusal(errno == ELOOP ? "it is a symbolic link" : String(cString: strerror(errno)))
    }
    do {
      try prepare(descriptor)
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Writes all of a file. What could not be written whole is removed, if it was made here.
  ///
  /// - Throws: what `descriptor` throws; exit 74 if it cannot be written.
  func write(_ bytes: [UInt8]) throws {
    let descriptor = try descriptor()
    defer { close(descriptor) }
    do {
      let output = Output(descriptor: descriptor)
      try output.bytes(bytes)
      try output.flush()
    } catch {
      if FileMode(of: descriptor)?.isRegular == true { unlink(path) }
      throw error
    }
  }

  private func prepare(_ descriptor: Int32) throws(CommandFailure) {
    guard let mode = FileMode(of: descriptor) else { throw refusal(String(cString: strerror(errno))) }
    if mode.isRegular {
      // Before it has anything that others may not read.
      guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
        throw refusal(String(cString: strerror(errno)))
      }
    } else if !mode.isStream {
      throw refusal("it is no usual file")
    }
  }

  private func refusal(_ reason: String) -> CommandFailure {
    CommandFailure(.cannotCreate, "\(path) cannot be written: \(reason); choose another file")
  }
}
