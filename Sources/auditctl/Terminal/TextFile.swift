import Glibc

/// Small texts that a command leaves in a file, or prints.
enum TextFile {
  /// Writes a text to a file, or to stdout if there is none, or for `-`.
  ///
  /// - Throws: exit 73 if the file cannot be made.
  static func write(_ text: String, to path: String?) throws {
    guard let path, path != "-" else { return try write(text, with: Output()) }
    try OutputFile(path: path, permissions: 0o644).write { try $0.text(text) }
  }

  private static func write(_ text: String, with output: Output) throws {
    try output.text(text)
    try output.flush()
  }
}
