// The envelope of a record: a JSON object with fixed keys in a fixed order and no spaces, so that one value has one
// encoding (DESIGN §4). Writing and reading stand side by side here; `docs/FORMAT.md` §2 specifies both.

/// Where the parts of a line stand. Offsets count from the line's first byte.
struct Envelope {
  var position: UInt64
  var at: Timestamp
  var stream: Range<Int>
  var revision: Int
  var id: Range<Int>?
  var type: Range<Int>
  var version: Int
  var cause: UInt64?
  /// Where `data` begins; it ends one byte before the line does.
  var data: Int

  /// The longest line, without its `\n`.
  static let longestLine = 65_535
  /// The longest stream, id or type, in bytes.
  static let longestName = 1_024

  /// True where `name` may stand between two quotes as it is.
  static func isName(_ name: String) -> Bool {
    let bytes = name.utf8
    guard !bytes.isEmpty, bytes.count <= longestName else { return false }
    return bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
  }

  /// True where `data` has the outer shape of one minified JSON object: braces at both ends, no byte under 0x20.
  static func isObject(_ data: [UInt8]) -> Bool {
    guard data.count >= 2, data[0] == UInt8(ascii: "{"), data[data.count - 1] == UInt8(ascii: "}") else { return false }
    // One pass without a branch in it, so that the compiler can take 16 or 32 bytes at a time.
    var low: UInt8 = 0
    for byte in data { low |= byte < 0x20 ? 1 : 0 }
    return low == 0
  }

  /// Appends the line of `record` and a `\n`. Cost: one copy of the data, no allocation where capacity is there.
  static func append(
    _ record: NewRecord, position: UInt64, revision: Int, cause: UInt64?, to bytes: inout [UInt8]
  ) {
    bytes.append("{\"n\":")
    bytes.appendDecimal(position)
    bytes.append(",\"at\":\"")
    record.at.append(to: &bytes)
    bytes.append("\",\"stream\":\"")
    bytes.append(contentsOf: record.stream.utf8)
    bytes.append("\",\"rev\":")
    bytes.appendDecimal(UInt64(revision))
    if let id = record.id {
      bytes.append(",\"id\":\"")
      bytes.append(contentsOf: id.utf8)
      bytes.append("\"")
    }
    bytes.append(",\"type\":\"")
    bytes.append(contentsOf: record.type.utf8)
    bytes.append("\",\"v\":")
    bytes.appendDecimal(UInt64(record.version))
    if let cause {
      bytes.append(",\"cause\":")
      bytes.appendDecimal(cause)
    }
    bytes.append(",\"data\":")
    bytes.append(contentsOf: record.data)
    bytes.append("}\n")
  }
}
