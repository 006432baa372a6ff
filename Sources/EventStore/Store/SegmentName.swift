/// The names of segment files: the first position in twenty digits, so that they sort as text.
enum SegmentName {
  /// What the name ends with.
  static let suffix = ".ndjson.lz4"

  /// The name of the segment that begins with `first`.
  static func name(first: UInt64) -> String {
    let digits = String(first)
    return String(repeating: "0", count: 20 - digits.count) + digits + suffix
  }

  /// The first position that a name says, or nil if it is not the name of a segment. Also nil for positions that no log
  /// reaches, so that counting on from a position never overflows.
  static func first(of name: String) -> UInt64? {
    guard name.utf8.count == 20 + suffix.utf8.count, name.hasSuffix(suffix), let first = UInt64(name.prefix(20)),
      first <= FrameFormat.largestNumber, SegmentName.name(first: first) == name
    else { return nil }
    return first
  }
}
