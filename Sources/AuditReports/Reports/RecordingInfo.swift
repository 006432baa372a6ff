package import EventStore
import FlowRecording

/// The size and origin of a recording, for display.
package struct RecordingInfo: Sendable {
  private let file: RecordingFile
  private let flows: Int

  /// Counts the contents of a recording.
  package init(_ file: RecordingFile) {
    self.file = file
    flows = file.records.count { $0.revision == 0 && $0.type == FlowStarted.type }
  }

  private var rawBytes: Int { file.records.reduce(0) { $0 + $1.bytes.count + 1 } }

  /// One line of `auditctl info --json`.
  package var json: JSON {
    [
      "recording": .string(file.directory), "store": file.header.map { .string($0.store) } ?? .null,
      "origin": file.header.map { .string($0.origin) } ?? .null, "records": .int(file.records.count),
      "flows": .int(flows), "streams": .int(file.streams().count), "bytesOnDisk": .int(file.size),
      "bytesRaw": .int(rawBytes), "segments": .null, "lastCheckpoint": .null,
    ]
  }

  /// The same as text.
  package func lines(width: LineWidth = 80) -> [String] {
    let rows = [
      ("recording", file.directory),
      ("cut from", file.header.map { "\($0.origin), store \($0.store)" } ?? "unknown: JSON Lines say no store"),
      ("records", String(file.records.count)), ("flows", String(flows)), ("streams", String(file.streams().count)),
      ("on disk", Quantity.size(UInt64(file.size))), ("raw", Quantity.size(UInt64(rawBytes))),
      ("trust", "a recording is no evidence: verify the store that it was cut from"),
    ]
    return rows.flatMap { Paragraph.lines($1.printable, width: width, lead: $0.padded(to: 12)) }
  }
}
