// Standard output, in large writes. A reader who has gone away ends the command quietly.

import AuditReports
import EventStore
import Glibc

/// Collects what a command prints and writes it in large pieces; what is left is written by `flush`.
final class Output {
  private var buffer: [UInt8] = []
  private let descriptor: Int32
  private let isTerminal: Bool
  private static let piece = 1 << 16

  /// An output on a descriptor; standard output where none is given.
  init(descriptor: Int32 = STDOUT_FILENO) {
    isTerminal = isatty(descriptor) == 1
    // A pager shows on the terminal what it is given.
    self.descriptor = descriptor == STDOUT_FILENO ? Pager.descriptor ?? descriptor : descriptor
  }

  /// Appends text and a line end.
  func line(_ text: String = "") throws {
    let text = isTerminal ? text.shown : text
    buffer.append(contentsOf: text.utf8)
    try endLine()
  }

  /// Appends lines.
  func lines(_ texts: [String]) throws {
    for text in texts { try line(text) }
  }

  /// Appends text as it is.
  func text(_ text: String) throws {
    let text = isTerminal ? text.shown : text
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Output.piece { try flush() }
  }

  /// Appends bytes as they are, for a file.
  func bytes(_ bytes: [UInt8]) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Output.piece { try flush() }
  }

  /// The version of the JSON documents: it rises where a member goes, or means something else.
  static let schema = 1

  /// Appends a JSON document and a line end. Objects begin with `"schema"`. What a terminal would obey is in strings
  /// alone, and is escaped as JSON escapes it.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - store: the store that it is about, if it is one of several.
  func json(_ document: JSON, of store: String? = nil) throws {
    var document = document
    if let members = document.object?.members {
      var named: [(String, JSON?)] = [("schema", .int(Self.schema))]
      if let store, document["store"] == nil { named.append(("store", .string(store))) }
      document = .members(named + members.map { ($0.key, $0.value) })
    }
    try line(String(decoding: document.bytes, as: UTF8.self).printable)
  }

  /// The same of a report, row by row.
  func json(_ report: Report) throws {
    try report.forEachPieceOfJSON(after: [("schema", .int(Self.schema))]) { piece in
      buffer.append(contentsOf: piece.printable.utf8)
      if buffer.count >= Output.piece { try flush() }
    }
    try text("\n")
  }

  /// Appends a line of JSON and a line end: its bytes as they are. On a terminal, which would obey some of them, these
  /// are escaped as JSON escapes them.
  func line(_ bytes: [UInt8]) throws { try line(bytes.span) }

  /// The same of bytes that are lent.
  func line(_ bytes: Span<UInt8>) throws {
    bytes.withUnsafeBufferPointer { bytes in
      if isTerminal, bytes.contains(where: { !(0x20..<0x7F).contains($0) }) {
        buffer.append(contentsOf: String(decoding: bytes, as: UTF8.self).printable.utf8)
      } else {
        buffer.append(contentsOf: bytes)
      }
    }
    try endLine()
  }

  /// Writes what is collected.
  ///
  /// - Throws: `OutputClosed` if the output is no longer read; `CommandFailure` if it cannot be written.
  func flush() throws {
    var start = 0
    while start < buffer.count {
      let written = buffer.withUnsafeBytes { bytes in
        write(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
      }
      if written >= 0 {
        start += written
      } else if errno == EPIPE {
        buffer = []
        throw OutputClosed()
      } else if errno != EINTR {
        let number = errno
        buffer = []
        throw CommandFailure(.inputOutput, "the output cannot be written: \(Self.reason(number))")
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Why a write failed, and what to do.
  private static func reason(_ number: Int32) -> String {
    let reason = String(cString: strerror(number))
    return switch number {
    case EBADF: "it is closed"
    case EFBIG: "\(reason); raise the limit on the size of files (ulimit -f)"
    default: "\(reason); see whether its disk is full"
    }
  }

  /// Writes what is left of the output of a command that ends with a verdict: if the reader has gone, the verdict
  /// counts anyway.
  func end() throws {
    do { try flush() } catch is OutputClosed {}
  }

  private func endLine() throws {
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= Output.piece { try flush() }
  }
}

/// Lines for the person at the terminal, on standard error.
enum Messages {
  /// Writes one line. Text that cannot be written is lost, because there is nowhere left to report it.
  static func say(_ text: String) {
    let line = Array((text.shown + "\n").utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Writes text without a line end, before a question is answered.
  static func ask(_ text: String) {
    let bytes = Array(text.shown.utf8)
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
