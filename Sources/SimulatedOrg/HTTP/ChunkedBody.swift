// A chunked body out of a byte stream (RFC 9112 §7.1).

/// How far a chunked body has been read. Each byte is examined once, however the bytes are split, so that many small
/// chunks cost no more than one large one. What is not content is bounded as well.
struct ChunkedBody {
  /// The most bytes of a line with a chunk's size and extensions.
  static let lineLimit = 16 * 1024
  /// The most bytes of all that stands around the content; as many as there may be of content.
  static let framingLimit = RequestParser.bodyLimit
  /// The most bytes of trailer fields.
  static let trailerLimit = 16 * 1024

  private enum Part {
    case size
    case data(Int)
    case trailers
  }

  /// The content so far.
  private(set) var content: [UInt8] = []
  /// The index after what was read; at the end, after the body.
  private(set) var end: Int
  private var part = Part.size
  /// Where the search for the end of a line goes on.
  private var searched: Int
  private var framing = 0
  private var trailers = 0

  /// A body that begins at that index.
  init(at start: Int) {
    end = start
    searched = start
  }

  /// Reads on in all bytes that have come; true when the body is whole.
  mutating func read(_ bytes: [UInt8]) throws(RequestDefect) -> Bool {
    while true {
      switch part {
      case .size:
        guard let line = try nextLine(in: bytes, limit: Self.lineLimit, defect: .malformed) else { return false }
        let count = try Self.size(line)
        if count > RequestParser.bodyLimit - content.count { throw .bodyTooLarge }
        // Two line ends: its own, and that of the data.
        framing += line.count + 4
        if framing > Self.framingLimit { throw .bodyTooLarge }
        part = count == 0 ? .trailers : .data(count)
      case .data(let count):
        guard bytes.count >= end + count + 2 else { return false }
        guard bytes[end + count] == 13, bytes[end + count + 1] == 10 else { throw .malformed }
        content += bytes[end..<(end + count)]
        end += count + 2
        searched = end
        part = .size
      case .trailers:
        // Read over until the empty line.
        let left = Self.trailerLimit - trailers
        guard let line = try nextLine(in: bytes, limit: left, defect: .headTooLarge) else { return false }
        trailers += line.count + 2
        if line.isEmpty { return true }
      }
    }
  }

  /// The next line without its end, `nil` while that has not come.
  private mutating func nextLine(
    in bytes: [UInt8], limit: Int, defect: RequestDefect
  ) throws(RequestDefect) -> ArraySlice<UInt8>? {
    let feed = bytes[searched...].firstIndex(of: 10)
    searched = feed.map { $0 + 1 } ?? bytes.count
    if searched - end > limit { throw defect }
    guard let feed else { return nil }
    guard feed > end, bytes[feed - 1] == 13 else { throw .malformed }
    let line = bytes[end..<(feed - 1)]
    end = feed + 1
    return line
  }

  /// The number before the extensions, with white space around it or not; over the limit of a body it is just too large.
  private static func size(_ line: ArraySlice<UInt8>) throws(RequestDefect) -> Int {
    var digits = line.prefix { $0 != UInt8(ascii: ";") }
    while let first = digits.first, first == 32 || first == 9 { digits.removeFirst() }
    while let last = digits.last, last == 32 || last == 9 { digits.removeLast() }
    if digits.isEmpty { throw .malformed }
    var size = 0
    for byte in digits {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      default: throw .malformed
      }
      size = min(size * 16 + Int(digit), RequestParser.bodyLimit + 1)
    }
    return size
  }
}
