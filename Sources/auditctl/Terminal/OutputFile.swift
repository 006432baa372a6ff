// Files that a command writes: new ones and usual ones, for their owner's eyes alone; pipes, if the shell made one.

import EventStore
import Foundation
import Glibc

/// A file that takes what a command prints.
struct OutputFile {
  /// The path as it was given.
  let path: String
  /// Who may use it once it is made.
  var permissions: mode_t = 0o600

  /// Whether a link is followed: one that the system makes for an open file.
  private var follows: Bool {
    if ["/dev/stdout", "/dev/stderr"].contains(path) || path.hasPrefix("/dev/fd/") { return true }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 5 && parts[1] == "proc" && parts[3] == "fd"
      && (parts[2] == "self" || parts[2].allSatisfy(\.isNumber))
  }

  /// Opens it: a file is made, or emptied, with these permissions; a pipe or terminal is written to. Of links only
  /// those that the system makes for open files (`/dev/stdout`, what a shell makes of `>(...)`) are followed.
  ///
  /// - Returns: a descriptor, which the caller closes.
  /// - Throws: exit 73 if it cannot be made, is another user's, or is something else.
  private func descriptor() throws(CommandFailure) -> Int32 {
    guard path != "-" else { throw CommandFailure(.usage, "- is no file; give a name with -o") }
    if !follows { try StorePlace.refuse(path) }
    // Without O_TRUNC: what is there is looked at before it is emptied.
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | (follows ? 0 : O_NOFOLLOW)
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else {
      throw refusal(errno == ELOOP ? "it is a symbolic link" : String(cString: strerror(errno)))
    }
    do {
      // Whatever name or link has led there.
      if FileMode(of: descriptor)?.isRegular == true,
        let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
      {
        try StorePlace.refuse(place)
      }
      try prepare(descriptor)
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Writes all of a file. If that fails, or the process is killed, what was there stays as it was; a pipe or a
  /// terminal gets the lines as they come.
  ///
  /// - Parameter body: prints what the file is to have.
  /// - Throws: exit 73 if it cannot be made, is another user's, or is something else; what `body` throws.
  func write(_ body: (Output) throws -> Void) throws {
    guard path != "-", isReplaceable else {
      let descriptor = try descriptor()
      defer { close(descriptor) }
      return try print(to: descriptor, body)
    }
    try StorePlace.refuse(path)
    if let there = FileMode(ofLink: path) {
      guard there.isOwn else { throw refusal(String(cString: strerror(EPERM))) }
      guard access(path, W_OK) == 0 else { throw refusal(String(cString: strerror(errno))) }
    }
    let draft = OutputFile(path: Self.draft(of: path), permissions: permissions)
    do {
      let descriptor: Int32
      do throws(CommandFailure) {
        descriptor = try draft.descriptor()
      } catch {
        throw CommandFailure(error.status, error.message.replacing(draft.path, with: path))
      }
      defer { close(descriptor) }
      try print(to: descriptor, body)
      guard fsync(descriptor) == 0 else {
        throw CommandFailure(.inputOutput, "\(path) cannot be written: \(String(cString: strerror(errno)))")
      }
    } catch {
      unlink(draft.path)
      throw error
    }
    guard rename(draft.path, path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(draft.path)
      throw refusal(reason)
    }
  }

  /// Writes all of a file, as `write(_:)` does.
  func write(_ bytes: [UInt8]) throws { try write { try $0.bytes(bytes) } }

  private func print(to descriptor: Int32, _ body: (Output) throws -> Void) throws {
    let output = Output(descriptor: descriptor)
    try body(output)
    try output.flush()
  }

  /// Whether a file of its own can take its place: nothing is there, or a file with content of its own.
  private var isReplaceable: Bool {
    guard !follows else { return false }
    guard let mode = FileMode(ofLink: path) else { return errno == ENOENT }
    return mode.isRegular
  }

  /// The file that is written in place of another, beside it.
  private static func draft(of path: String) -> String {
    let cut = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    return "\(path[..<cut]).\(path[cut...].prefix(100)).\(getpid())"
  }

  private func prepare(_ descriptor: Int32) throws(CommandFailure) {
    guard let mode = FileMode(of: descriptor) else { throw refusal(String(cString: strerror(errno))) }
    if mode.isRegular {
      // Before it has anything that others may not read.
      guard fchmod(descriptor, permissions) == 0, ftruncate(descriptor, 0) == 0 else {
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
