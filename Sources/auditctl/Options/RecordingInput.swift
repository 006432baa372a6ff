// Files that should be recordings, as people find them: what they are instead is said.

import AuditReports
import Replay

extension InputFile {
  /// The bytes of a recording, JSON Lines in their own form.
  ///
  /// - Throws: what `bytes(limit:)` throws; exit 65 if the file is seen to be something else.
  static func recording(_ path: String) throws(CommandFailure) -> [UInt8] {
    let bytes = LineEndings.plain(
      withoutLeadingBlanks(
        try InputFile(path: path, content: "a recording").bytes(limit: LogSource.longestRecording)))
    guard let found = content(of: bytes) else { return bytes }
    throw CommandFailure(.malformed, "\(path.printable) is no recording: \(found)")
  }

  private static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

  /// JSON Lines without the blank lines before the first record, which are passed by as those between records are; all
  /// other bytes as they are.
  static func withoutLeadingBlanks(_ bytes: [UInt8]) -> [UInt8] {
    guard let start = bytes.firstIndex(where: { !blanks.contains($0) }), start > 0, bytes[start] == UInt8(ascii: "{")
    else { return bytes }
    return Array(bytes[start...])
  }

  /// What bytes are that are no recording, and what to do; nil for all others.
  static func content(of bytes: [UInt8]) -> String? {
    let heads: [([UInt8], String)] = [
      ([0x1F, 0x8B], "it is compressed by gzip; give what gunzip makes of it"),
      ([0x50, 0x4B, 0x03, 0x04], "it is a ZIP archive; give the file in it"),
      ([0x28, 0xB5, 0x2F, 0xFD], "it is compressed by zstd; give what unzstd makes of it"),
      ([0xFF, 0xFE], "it is text in UTF-16; write it as UTF-8"),
      ([0xFE, 0xFF], "it is text in UTF-16; write it as UTF-8"),
    ]
    if bytes.isEmpty { return "it is empty; export the flow again" }
    if let head = heads.first(where: { bytes.starts(with: $0.0) }) { return head.1 }
    let start = bytes.prefix(256).filter { !blanks.contains($0) }
    if start.starts(with: Array(#"{"log":"#.utf8)) {
      return "it is an HTTP archive; auditctl import --har makes a recording of it"
    }
    // A record is one line, and a line of one has no blank behind its brace.
    let isPretty = start.starts(with: Array(#"{"n":"#.utf8)) && !bytes.starts(with: Array(#"{"n":"#.utf8))
    let isList = start.starts(with: Array(#"[{"n":"#.utf8))
    return isPretty || isList ? "its records are written otherwise; give one a line, as jq -c makes them" : nil
  }
}
