// The envelope of a record: a JSON object with fixed keys in a fixed order and no spaces, so that one value has one
// encoding (DESIGN §4). Writing and reading stand side by side here; `docs/FORMAT.md` §2 specifies both.

/// Where the parts of a line stand. Offsets count from the line's first byte.
struct Envelope: Sendable, Hashable {
  var position: UInt64 = 0
  var at = Timestamp(microseconds: 0)
  var stream = 0..<0
  var revision = 0
  var id: Range<Int>?
  var type = 0..<0
  var version = 0
  var cause: UInt64?
  /// Where `data` begins; it ends one byte before the line does.
  var data = 0

  /// The stream of a store's own records.
  static let ownStream = "log"
  /// The longest line, without its `\n`.
  static let longestLine = 65_535
  /// The shortest line, without its `\n`: its keys and marks, one digit a number, one byte a name, empty `data`.
  static let shortestLine =
    #"{"n":0,"at":"","stream":"s","rev":0,"type":"t","v":1,"data":{}}"#.utf8.count + Timestamp.width
  /// The longest stream, id or type, in bytes.
  static let longestName = 1_024

  /// True if `name` may stand between two quotes as it is.
  static func isName(_ name: String) -> Bool {
    let bytes = name.utf8
    guard !bytes.isEmpty, bytes.count <= longestName else { return false }
    func isAllowed(_ byte: UInt8) -> Bool {
      byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
    let found = unsafe bytes.withContiguousStorageIfAvailable { bytes in
      var refused: UInt8 = 0
      for index in 0..<bytes.count { refused |= unsafe isAllowed(bytes[index]) ? 0 : 1 }
      return refused == 0
    }
    return found ?? bytes.allSatisfy(isAllowed)
  }

  /// True if `data` has the outer shape of one minified JSON object: braces at both ends, no byte under 0x20.
  static func isObject(_ data: [UInt8]) -> Bool {
    guard data.count >= 2, data[0] == UInt8(ascii: "{"), data[data.count - 1] == UInt8(ascii: "}") else { return false }
    return unsafe data.withUnsafeBytes { bytes in
      // 64 bytes at a time, by columns.
      let least = SIMD16<UInt8>(repeating: 0x20)
      var (low, other) = (SIMDMask<SIMD16<Int8>>(repeating: false), SIMDMask<SIMD16<Int8>>(repeating: false))
      var offset = 0
      while offset + 64 <= bytes.count {
        // SAFETY: the loads are inside of the buffer, by the condition of the loop.
        low = unsafe low .| (bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self) .< least)
        other = unsafe other .| (bytes.loadUnaligned(fromByteOffset: offset + 16, as: SIMD16<UInt8>.self) .< least)
        low = unsafe low .| (bytes.loadUnaligned(fromByteOffset: offset + 32, as: SIMD16<UInt8>.self) .< least)
        other = unsafe other .| (bytes.loadUnaligned(fromByteOffset: offset + 48, as: SIMD16<UInt8>.self) .< least)
        offset += 64
      }
      guard !any(low .| other) else { return false }
      while offset < bytes.count {
        guard unsafe bytes[offset] >= 0x20 else { return false }
        offset += 1
      }
      return true
    }
  }
}
