import Foundation

/// Small texts that a command leaves in a file, or prints.
enum TextFile {
  /// Writes a text to a file, whole or not at all, or to stdout.
  ///
  /// - Throws: exit 73 if the file cannot be made.
  static func write(_ text: String, to path: String?) throws {
    guard let path else {
      let output = Output()
      try output.text(text)
      return try output.flush()
    }
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw CommandFailure(.cannotCreate, "\(path) cannot be written; check the path")
    }
  }
}
