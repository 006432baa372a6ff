import Glibc

/// Small texts that a command leaves in a file, or prints.
enum TextFile {
  /// Writes a text to a file, or to stdout if there is none, or for `-`.
  ///
  /// - Throws: exit 73 if the file cannot be made.
  static func write(_ text: String, to path: String?) throws {
    guard let path, path != "-" else { return try write(text, with: Output()) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .cannotCreate, "\(path) cannot be written: \(String(cString: strerror(errno))); choose another file")
    }
    defer { close(descriptor) }
    try write(text, with: Output(descriptor: descriptor))
  }

  private static func write(_ text: String, with output: Output) throws {
    try output.text(text)
    try output.flush()
  }
}
