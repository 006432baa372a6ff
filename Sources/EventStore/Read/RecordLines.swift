// Records that went through other programs: JSON Lines, plain or in an LZ4 frame, as `auditctl cat`, `jq` and `lz4`
// write them. Only their form is checked; nothing vouches for their content.

import CLZ4

extension SliceFile {
  /// Whether bytes begin like a recording or like records; the rest is not checked.
  package static func mayBeRecords(_ bytes: [UInt8]) -> Bool {
    bytes.first == UInt8(ascii: "{") || bytes.starts(with: LZ4Frames.magic) || bytes.starts(with: FrameFormat.prologue)
  }

  /// Reads a recording, or the records that some program wrote as JSON Lines: plain, or in LZ4 frames.
  ///
  /// Lines are as in the log: keys in their order, no spaces, one record a line. Empty lines are skipped.
  ///
  /// - Parameters:
  ///   - bytes: the content of a file.
  ///   - limitBytes: how many bytes it may decode to.
  /// - Returns: the records, and the header of a recording.
  /// - Throws: `malformed`, with the byte or the line, if it is neither, cut or damaged; `tooLarge` if it decodes to
  ///   more than `limitBytes`.
  public static func records(
    in bytes: [UInt8], limitBytes: Int = 256 << 20
  ) throws(StoreError) -> (header: SliceHeader?, records: [StoredRecord]) {
    var records: [StoredRecord] = []
    let header = try forEachRecord(in: bytes, limitBytes: limitBytes) { records.append($0) }
    return (header, records)
  }

  /// Reads the same record by record, for a caller that keeps none. A fault after a record is found only after the
  /// record was passed on.
  ///
  /// - Returns: the header of a recording.
  /// - Throws: as `records(in:limitBytes:)` does, and what `body` throws.
  @discardableResult
  package static func forEachRecord(
    in bytes: [UInt8], limitBytes: Int = 256 << 20, _ body: (StoredRecord) throws(StoreError) -> Void
  ) throws(StoreError) -> SliceHeader? {
    if bytes.first == UInt8(ascii: "{") {
      try forEachLine(of: bytes, limitBytes: limitBytes, body)
      return nil
    }
    if bytes.starts(with: LZ4Frames.magic), !bytes.starts(with: FrameFormat.prologue) {
      var decoded: [UInt8] = []
      do throws(StoreError) {
        try LZ4Frames.decode(bytes, limitBytes: limitBytes, into: &decoded)
      } catch {
        // The whole lines before the fault, for a caller that takes what can be read.
        let end = decoded.lastIndex(of: 0x0A) ?? 0
        try? forEachLine(of: Array(decoded[..<end]), limitBytes: limitBytes, body)
        throw error
      }
      try forEachLine(of: decoded, limitBytes: limitBytes, body)
      return nil
    }
    return try forEachRecord(in: MemoryFile(bytes, path: "recording"), limitBytes: limitBytes, body)
  }

  private static func forEachLine(
    of bytes: [UInt8], limitBytes: Int, _ body: (StoredRecord) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard bytes.count <= limitBytes else { throw tooLarge(limitBytes) }
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() where !line.isEmpty
    {
      let record: StoredRecord
      do throws(StoreError) {
        record = try StoredRecord(line: Array(line))
      } catch {
        throw StoreError(
          .malformed, "line \(index + 1): \(error.message)", file: "recording", offset: UInt64(line.startIndex),
          advice: "give records as auditctl cat prints them")
      }
      try body(record)
    }
  }

  fileprivate static func tooLarge(_ limitBytes: Int) -> StoreError {
    StoreError(
      .tooLarge, "the recording decodes to over \(limitBytes) bytes", file: "recording",
      advice: "allow more, or give a smaller one")
  }
}

/// LZ4 frames of any program (LZ4 Frame Format 1.6), decoded by liblz4.
private enum LZ4Frames {
  /// What a frame begins with.
  static let magic: [UInt8] = [0x04, 0x22, 0x4D, 0x18]

  /// Decodes all frames of a file; if that fails, `decoded` has what came before.
  static func decode(_ bytes: [UInt8], limitBytes: Int, into decoded: inout [UInt8]) throws(StoreError) {
    var context: OpaquePointer?
    guard unsafe LZ4F_isError(LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))) == 0 else {
      throw StoreError(.io, "there is no memory to decode the recording", file: "recording")
    }
    defer { unsafe LZ4F_freeDecompressionContext(context) }
    var piece = [UInt8](repeating: 0, count: 256 << 10)
    var offset = 0
    var hint = 1
    // liblz4 may consume the last bytes of a frame before it has returned everything they decode to.
    var isFull = false
    while offset < bytes.count || isFull {
      var given = piece.count
      var taken = bytes.count - offset
      hint = unsafe bytes[offset...].withUnsafeBytes { input in
        unsafe piece.withUnsafeMutableBytes { output in
          unsafe LZ4F_decompress(context, output.baseAddress, &given, input.baseAddress, &taken, nil)
        }
      }
      guard LZ4F_isError(hint) == 0, taken > 0 || given > 0 else {
        throw StoreError(
          .malformed, "the LZ4 frame is damaged", file: "recording", offset: UInt64(offset), advice: "make it again")
      }
      decoded += piece[..<given]
      guard decoded.count <= limitBytes else { throw SliceFile.tooLarge(limitBytes) }
      offset += taken
      isFull = given == piece.count
    }
    guard hint == 0 else {
      throw StoreError(
        .malformed, "the LZ4 frame is cut off", file: "recording", offset: UInt64(bytes.count), advice: "make it again")
    }
  }
}
