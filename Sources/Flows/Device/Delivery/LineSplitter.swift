/// Cuts bytes into lines, however they arrive, and keeps no more of a line than is allowed.
struct LineSplitter {
  /// A line that ended.
  enum Line: Hashable {
    /// Its number, from 1, and its bytes without the line break.
    case whole(number: Int, bytes: [UInt8])
    /// It had too many bytes.
    case tooLong(number: Int)
  }

  private let longest: Int
  private var number = 1
  private var line: [UInt8] = []
  private var isTooLong = false

  init(longest: Int) { self.longest = longest }

  /// The lines that end in these bytes. Empty ones are left out.
  mutating func take(_ bytes: [UInt8]) -> [Line] {
    var ended: [Line] = []
    for byte in bytes {
      if byte == 0x0A {
        if let end = endLine() { ended.append(end) }
      } else if line.count < longest {
        line.append(byte)
      } else {
        isTooLong = true
      }
    }
    return ended
  }

  /// The last line, if no line break ended it.
  mutating func end() -> Line? { endLine() }

  private mutating func endLine() -> Line? {
    defer {
      number += 1
      line = []
      isTooLong = false
    }
    if isTooLong { return .tooLong(number: number) }
    while let last = line.last, last == 0x0D || last == 0x20 { line.removeLast() }
    return line.isEmpty ? nil : .whole(number: number, bytes: line)
  }
}
