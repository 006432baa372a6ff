// Lines from a descriptor: answers of a person, secrets, JSON Lines from a pipe.

import Glibc

/// Reads lines, as many as are there at once.
final class LineInput {
  private let descriptor: Int32
  private let name: String
  private var buffer: [UInt8] = []
  private var hasEnded = false
  /// How many lines were given.
  private var count = 0
  private static let piece = 1 << 20

  /// Lines of a descriptor, which messages call by a name; standard input where none is given.
  init(descriptor: Int32 = STDIN_FILENO, named name: String = "standard input") {
    (self.descriptor, self.name) = (descriptor, name)
  }

  /// All lines that are there, without their line ends; waits for the first. Nil at the end.
  ///
  /// - Parameter limit: how many bytes a line may have.
  func batch(limit: Int) throws -> [ArraySlice<UInt8>]? {
    while true {
      if let end = buffer.lastIndex(of: UInt8(ascii: "\n")) {
        let lines = buffer[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        buffer = Array(buffer[(end + 1)...])
        count += lines.count
        return lines
      }
      guard !hasEnded else {
        defer { buffer = [] }
        return buffer.isEmpty ? nil : [buffer[...]]
      }
      guard buffer.count <= limit else {
        let message = "line \(count + 1) of the input has more than \(limit) bytes; records are smaller: shorten it"
        throw CommandFailure(.malformed, message)
      }
      try fill()
      // What is there already comes along, so that a fast writer gets large commits.
      while !hasEnded, buffer.count < LineInput.piece, hasMore { try fill() }
    }
  }

  /// All that is left, up to the end.
  ///
  /// - Parameter limit: how many bytes that may be.
  func rest(limit: Int) throws -> [UInt8] {
    while !hasEnded {
      try fill()
      guard buffer.count <= limit else { throw CommandFailure(.malformed, "the input has more than \(limit) bytes") }
    }
    defer { buffer = [] }
    return buffer
  }

  /// Whether a read would not have to wait.
  private var hasMore: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) == 1 && request.revents & Int16(POLLIN) != 0
  }

  /// The next line without its end; nil at the end. Reads byte by byte, so that nothing of the next line is lost to
  /// whoever reads the descriptor after this.
  ///
  /// - Throws: `CommandFailure`; the line is no UTF-8, and would reach the org as another text than was typed.
  func line() throws -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      try Interruption.waitToRead(descriptor)
      let count = read(descriptor, &byte, 1)
      if count == 1 {
        guard byte != UInt8(ascii: "\n") else { break }
        line.append(byte)
        guard line.count <= 65_536 else { throw CommandFailure(.malformed, "an answer has more than 65536 bytes") }
      } else if count == 0 {
        guard !line.isEmpty else { return nil }
        break
      } else if errno != EINTR, errno != EAGAIN {
        throw failure(errno)
      }
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard let text = String(validating: line, as: UTF8.self) else {
      throw CommandFailure(.malformed, "the input is no UTF-8; convert it, for instance with iconv -f LATIN1 -t UTF-8")
    }
    return text
  }

  private func fill() throws {
    let piece = [UInt8](unsafeUninitializedCapacity: LineInput.piece) { bytes, count in
      repeat { count = read(descriptor, bytes.baseAddress, LineInput.piece) } while count < 0 && errno == EINTR
      if count < 0 { count = 0; hasFailed = errno }
    }
    if let hasFailed { throw failure(hasFailed) }
    hasEnded = piece.isEmpty
    buffer += piece
  }

  private var hasFailed: Int32?

  private func failure(_ code: Int32) -> CommandFailure {
    code == EISDIR
      ? CommandFailure(.notFound, "\(name) is a directory; give a file or a pipe")
      : CommandFailure(.inputOutput, "\(name) cannot be read: \(String(cString: strerror(code))); check what it is")
  }
}
