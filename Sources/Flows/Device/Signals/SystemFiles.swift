// Reads small system files with limits.

import FlowRecording
import Glibc

/// Reads files under a directory: at most 16 KiB of each, and nothing that would block.
struct SystemFiles: Sendable {
  private static let limit = 16_384
  private static let mostEntries = 1_024
  private let root: String

  /// Creates a reader for a directory; use `/` for this machine.
  init(root: String) { self.root = root.hasSuffix("/") ? root : root + "/" }

  /// Returns whether a file exists.
  func isThere(_ path: String) -> Bool { unsafe access(root + path, F_OK) == 0 }

  /// The beginning of a file; `nil` if it is missing, is not a regular file, or cannot be read.
  func text(_ path: String) -> String? {
    bytes(path, atMost: Self.limit).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The beginning of a file, up to the given number of bytes; `nil` if it is missing, is not a regular file, or cannot
  /// be read.
  func bytes(_ path: String, atMost limit: Int) -> [UInt8]? {
    // Opening a pipe without a writer would block.
    let number = unsafe open(root + path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let file = Descriptor(number)
    guard file.isFile else { return nil }
    var bytes: [UInt8] = []
    while bytes.count < limit {
      guard let piece = try? file.readSome(shown: path) else { return nil }
      if piece.isEmpty { break }
      bytes += piece
    }
    return Array(bytes.prefix(limit))
  }

  /// The first line of a file, without control characters and with spaces normalized; `nil` if the line is empty or a
  /// known placeholder.
  func line(_ path: String) -> String? {
    guard let text = text(path)?.split(whereSeparator: \.isNewline).first else { return nil }
    let shown = String(
      String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    let line = shown.split(separator: " ").joined(separator: " ")
    let fillers = [
      "", "To Be Filled By O.E.M.", "Default string", "System Product Name", "System manufacturer", "None",
    ]
    return fillers.contains(line) ? nil : String(line.prefix(256))
  }

  /// The value of a shell variable in a file, without quotes (os-release(5), machine-info(5)). The last assignment
  /// counts.
  func variable(_ name: String, of path: String) -> String? {
    let lines = (bytes(path, atMost: Self.limit) ?? []).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    guard let line = lines.last(where: { $0.starts(with: (name + "=").utf8) }) else { return nil }
    var value = Substring(String(decoding: line, as: UTF8.self)).dropFirst(name.count + 1)
    if let quote = value.first, quote == "\"" || quote == "'", value.count >= 2, value.last == quote {
      value = value.dropFirst().dropLast()
    }
    return Self.unescaped(value)
  }

  static func unescaped(_ text: Substring) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        result.append(character)
        isEscaped = false
      }
    }
    return result
  }

  /// The names in a directory, sorted, at most 1,024.
  func names(_ path: String) -> [String] {
    // SAFETY: the handle comes from opendir and is closed once; each entry is copied before the next readdir call.
    guard let handle = unsafe opendir(root + path) else { return [] }
    defer { unsafe _ = closedir(handle) }
    var names: [String] = []
    while names.count < Self.mostEntries, let entry = unsafe readdir(handle) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
