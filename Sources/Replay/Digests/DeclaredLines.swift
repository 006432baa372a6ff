// What the kinds of flow declared, as text, when golden recordings were made: digests show that a part has changed,
// these lines show where.

package import EventStore
import FlowKinds
import FlowRecording

/// The lines of all parts of what the kinds declare, in a file beside the golden recordings.
///
/// It is a recording whose streams are no flows, so that `auditctl cat` shows it: a stream for each kind and one for
/// the runtime, whose records have the text of the parts, piece by piece.
package enum DeclaredLines {
  /// The name of the file. It does not end like a recording's, since it has no flow.
  package static let fileName = "declared.slice"
  private static let (type, prefix) = ("declared.lines", "declared/")
  /// How much text a record has: escaped it may be twice that, and a line of the log has 65,535 bytes.
  private static let pieceBytes = 24_000
  /// How much the file may decode to.
  private static let limitBytes = 256 << 20

  /// Writes the lines of this SDK.
  ///
  /// - Parameter folder: where the recordings are.
  /// - Throws: as `SliceFile.write` does.
  package static func write(to folder: String) throws(StoreError) {
    var records: [StoredRecord] = []
    for (owner, parts) in KindDeclarations.all {
      var revision = 0
      for (part, lines) in parts {
        for piece in pieces(of: lines.joined(separator: "\n")) {
          let data = JSON.members([("part", .string(part)), ("text", .string(piece))])
          let new = NewRecord(
            at: Timestamp(microseconds: 0), stream: prefix + owner, type: type, version: 1, data: data.bytes)
          records.append(
            try StoredRecord(new, position: UInt64(records.count), revision: revision, cause: nil))
          revision += 1
        }
      }
    }
    try SliceFile.writeSmall(records: records, source: Recording.source, to: "\(folder)/\(fileName)")
  }

  private static func pieces(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    var pieces: [String] = []
    var start = 0
    while start < bytes.count {
      var end = min(start + pieceBytes, bytes.count)
      while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      pieces.append(String(decoding: bytes[start..<end], as: UTF8.self))
      start = end
    }
    return pieces
  }

  /// The folder of a recording's file, with a trailing slash; empty for the current directory.
  static func folder(of recording: String) -> String {
    recording.lastIndex(of: "/").map { String(recording[...$0]) } ?? ""
  }

  /// The lines of a part as they were when a recording was made.
  ///
  /// - Parameters:
  ///   - owner: the kind, or `runtime`.
  ///   - recording: the path of the recording, beside which the file is looked for.
  ///   - digest: the digest of the lines in the recording.
  /// - Returns: nil if there is no such file, or if it was made with other declarations than the recording.
  static func recorded(_ part: String, of owner: String, beside recording: String, digest: String) -> [String]? {
    let folder = folder(of: recording)
    var text = ""
    do throws(StoreError) {
      try SliceFile.forEachRecord(path: folder + fileName, limitBytes: limitBytes) { record in
        guard record.stream == prefix + owner, record.type == type, let data = try? JSON(parsing: record.data),
          data["part"]?.string == part
        else { return }
        text += data["text"]?.string ?? ""
      }
    } catch {
      return nil
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return KindDeclarations.digest(lines) == digest ? lines : nil
  }
}
