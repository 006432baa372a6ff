// Our skippable frames. `lz4` skips them unread, and accepts one that is cut, so each carries its own length and CRC:
//
//     50 2A 4D 18 | size u32 | kind, 4 ASCII bytes | body | size u32, again | CRC-32C u32 of kind...size
//                            '------------------- size bytes -----------------------------------------'
//
// The length stands at the end too, so that a file which ends with one is read from its end.

/// A skippable frame of ours, taken apart.
struct SkippableFrame: Sendable {
  /// What it holds.
  var kind: FrameKind
  /// The bytes between the kind and the length.
  var body: [UInt8]

  /// The bytes of a frame before its payload.
  static let headLength = 8
  /// The bytes of the payload that are not body.
  static let overhead = 12

  /// How many bytes the whole frame takes.
  var length: UInt64 { UInt64(Self.headLength + Self.overhead + body.count) }

  /// The frame as it stands in the file.
  var encoded: [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(Int(length))
    out.appendUInt32(FrameFormat.skippableMagic)
    out.appendUInt32(UInt32(Self.overhead + body.count))
    out.append(contentsOf: kind.rawValue.utf8)
    out.append(contentsOf: body)
    out.appendUInt32(UInt32(Self.overhead + body.count))
    out.appendUInt32(CRC32C.checksum(out[Self.headLength...]))
    return out
  }

  /// A frame with that content.
  init(kind: FrameKind, body: [UInt8]) {
    self.kind = kind
    self.body = body
  }

  /// Reads a payload.
  ///
  /// - Throws: `malformed`.
  init(payload: ArraySlice<UInt8>) throws(StoreError) {
    let bytes = Array(payload)
    guard bytes.count >= Self.overhead else { throw StoreError(.malformed, "a frame of ours is too short", offset: 0) }
    var end = ByteCursor(bytes, offset: bytes.count - 8)
    let length = try end.uint32()
    let crc = try end.uint32()
    guard length == UInt32(truncatingIfNeeded: bytes.count) else {
      throw StoreError(.malformed, "a frame's two lengths differ", offset: 0)
    }
    guard crc == CRC32C.checksum(bytes.dropLast(4)) else {
      throw StoreError(.malformed, "a frame's CRC does not fit", offset: 0)
    }
    guard let kind = FrameKind(rawValue: String(decoding: bytes[..<4], as: UTF8.self)) else {
      throw StoreError(.malformed, "a frame of unknown kind", offset: 0)
    }
    self.kind = kind
    body = Array(bytes[4..<bytes.count - 8])
  }
}

extension FrameKind {
  /// How many bytes its payload may have. A frame that states another length is not ours and is not read.
  var payloads: ClosedRange<Int> {
    switch self {
    // 62 hashes and two names in a segment; in a recording, perhaps digests.
    case .head: SkippableFrame.overhead...64 << 10
    // A line of a record is longer than what its frame's directory says of it.
    case .directory: SkippableFrame.overhead...FrameFormat.largestFrame + (4 << 10)
    case .note: SkippableFrame.overhead...64 << 10
    case .synced: SkippableFrame.overhead + 8...SkippableFrame.overhead + 8
    case .footer, .leaves: SkippableFrame.overhead...FrameFormat.largestPayload
    }
  }

  /// The kind that four bytes name, as a number with the first of them lowest.
  init?(code: UInt32) {
    var code = code
    let name = unsafe withUnsafeBytes(of: &code) { unsafe String(decoding: $0, as: UTF8.self) }
    self.init(rawValue: name)
  }
}
