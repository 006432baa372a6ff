// JSON Lines from other systems: with a byte order mark, and with CRLF line endings.

/// Normalizes JSON Lines to the form in which records are written.
package enum LineEndings {
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let (carriageReturn, newLine) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))

  /// The bytes without a byte order mark, and with LF alone at the ends of lines; unchanged if they are not JSON Lines.
  ///
  /// No record has such bytes in it: JSON escapes a carriage return in a text, and records have no spaces.
  package static func plain(_ bytes: [UInt8]) -> [UInt8] {
    let start = bytes.starts(with: mark) ? mark.count : 0
    guard start < bytes.count, bytes[start] == UInt8(ascii: "{") else { return bytes }
    guard bytes.contains(carriageReturn) else { return start == 0 ? bytes : Array(bytes[start...]) }
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    for index in start..<bytes.count {
      let isAtEnd = index + 1 == bytes.count || bytes[index + 1] == newLine
      if bytes[index] != carriageReturn || !isAtEnd { plain.append(bytes[index]) }
    }
    return plain
  }
}
