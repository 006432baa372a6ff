// Files that a command reads whole: regular ones, and pipes, which a shell makes of <(...) and /dev/stdin.

import EventStore
import Glibc

/// Where a path leads.
enum FilePlace {
  /// The path without links and detours; as it is if nothing is there.
  static func canonical(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }
}

/// A file that is read from its beginning to its end, into memory.
struct InputFile {
  /// The path as it was given.
  let path: String
  /// What it should hold, for messages: "a response body".
  let content: String

  /// Whether a path is that of a file or a pipe, and not of a directory or of nothing.
  static func isFile(_ path: String) -> Bool {
    FileMode(of: path)?.isDirectory == false
  }

  /// All bytes of it.
  ///
  /// - Parameter limit: how many bytes it may have: a pipe has no size that could be looked at before.
  /// - Throws: exit 66 if it is not there, 77 if it may not be read, 65 if it is larger, 74 if reading it fails.
  func bytes(limit: Int) throws(CommandFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw refusal(errno) }
    defer { close(descriptor) }
    guard let mode = FileMode(of: descriptor) else { throw refusal(errno) }
    guard !mode.isDirectory else {
      throw CommandFailure(.notFound, "\(path) is a directory; give a file with \(content)")
    }
    var bytes: [UInt8] = []
    while true {
      let piece = try read(descriptor)
      if piece.isEmpty { return bytes }
      bytes += piece
      guard bytes.count <= limit else {
        throw CommandFailure(.malformed, "\(path) has more than \(limit) bytes; give a file with \(content)")
      }
    }
  }

  private func read(_ descriptor: Int32) throws(CommandFailure) -> [UInt8] {
    var failure: Int32?
    let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { bytes, count in
      repeat { count = Glibc.read(descriptor, bytes.baseAddress, 1 << 16) } while count < 0 && errno == EINTR
      if count < 0 { (count, failure) = (0, errno) }
    }
    if let failure {
      throw CommandFailure(.inputOutput, "\(path) cannot be read: \(String(cString: strerror(failure)))")
    }
    return piece
  }

  private func refusal(_ code: Int32) -> CommandFailure {
    switch code {
    case ENOENT, ENOTDIR, ENXIO: CommandFailure(.notFound, "there is no file \(path); check the path")
    case EACCES, EPERM: CommandFailure(.permission, "\(path) cannot be read; check its permissions")
    default: CommandFailure(.inputOutput, "\(path) cannot be read: \(String(cString: strerror(code)))")
    }
  }
}
