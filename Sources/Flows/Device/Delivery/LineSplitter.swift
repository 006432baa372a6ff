/// Splits bytes that arrive in arbitrary pieces into lines, and buffers at most the allowed length of one line.
struct LineSplitter {
  /// A complete line.
  enum Line: Hashable {
    /// A line by its number, starting at 1, with its bytes but without the line break.
    case whole(number: Int, bytes: [UInt8])
    /// A line that exceeded the limit.
    case tooLong(number: Int)
  }

  private let longest: Int
  private var number = 1
  private var line: [UInt8] = []
  private var isTooLong = false
  /// Whether the last byte was a carriage return, which is part of the line only if no line feed follows.
  private var endsInReturn = false

  /// Creates a splitter of lines of at most this many bytes. A line break, LF or CRLF, does not count.
  init(longest: Int) { self.longest = longest }

  /// Takes bytes and returns the lines that they complete, except for empty ones.
  mutating func take(_ bytes: [UInt8]) -> [Line] {
    var ended: [Line] = []
    for byte in bytes {
      if byte == 0x0A {
        endsInReturn = false
        if let end = endLine() { ended.append(end) }
        continue
      }
      addReturn()
      if byte == 0x0D { endsInReturn = true } else { add(byte) }
    }
    return ended
  }

  /// Adds a carriage return that was not part of a line break.
  private mutating func addReturn() {
    guard endsInReturn else { return }
    endsInReturn = false
    add(0x0D)
  }

  private mutating func add(_ byte: UInt8) {
    if line.count < longest { line.append(byte) } else { isTooLong = true }
  }

  /// Ends the input and returns the last line, if no line break ended it.
  mutating func end() -> Line? {
    addReturn()
    return endLine()
  }

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
