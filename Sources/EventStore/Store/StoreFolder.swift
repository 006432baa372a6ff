/// A directory of a store, and the names of its files (docs/FORMAT.md §1).
enum StoreFolder: CaseIterable {
  case root, segments, checkpoints, quarantine, index, snapshots

  /// Where it is.
  func path(in layout: StoreLayout) -> String {
    switch self {
    case .root: layout.root
    case .segments: layout.segments
    case .checkpoints: layout.checkpoints
    case .quarantine: layout.quarantine
    case .index: layout.index
    case .snapshots: layout.index + "/snapshots"
    }
  }

  /// True if readers need what is in it.
  var isNeeded: Bool {
    switch self {
    case .root, .segments, .checkpoints: true
    case .quarantine, .index, .snapshots: false
    }
  }

  /// True for a name that the store uses here.
  func has(_ name: String) -> Bool {
    switch self {
    case .root: return ["LOCK", "store.json", "segments", "checkpoints", "quarantine", "index"].contains(name)
    case .segments: return SegmentName.first(of: name) != nil
    case .checkpoints: return name == "latest" || Self.number(name[...]) != nil
    case .quarantine:
      // <20 digits>-<offset>.bin, and <20 digits>-<offset>-<attempt>.bin
      let parts = name.dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
      return name.hasSuffix(".bin") && (2...3).contains(parts.count)
        && SegmentName.first(of: parts[0] + SegmentName.suffix) != nil
        && parts.dropFirst().allSatisfy { Self.number($0) != nil }
    case .index: return name == "snapshots" || Self.isOldIndex(name)
    case .snapshots:
      guard let mark = name.lastIndex(of: "-") else { return false }
      return Self.isFoldName(String(name[..<mark])) && Self.number(name[name.index(after: mark)...]) != nil
    }
  }

  /// True for `<name>.tmp`, a draft of a file of the store: it is never read.
  func isDraft(_ name: String) -> Bool {
    guard name.hasSuffix(Draft.suffix) else { return false }
    let whole = String(name.dropLast(Draft.suffix.count))
    switch self {
    case .root: return whole == "store.json"
    case .index: return Self.isOldIndex(whole)
    case .segments, .checkpoints, .quarantine, .snapshots: return has(whole)
    }
  }

  /// True for the name of a fold, which the names of its snapshots begin with.
  static func isFoldName(_ name: String) -> Bool {
    let bytes = name.utf8
    func isPlain(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) }
    guard let first = bytes.first, bytes.count <= 64, isPlain(first) else { return false }
    return bytes.allSatisfy { isPlain($0) || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains($0) }
  }

  /// True for an index file of a closed segment: stores of format 1 have them, and nothing reads them.
  static func isOldIndex(_ name: String) -> Bool {
    name.hasSuffix(".idx") && SegmentName.first(of: name.dropLast(4) + SegmentName.suffix) != nil
  }

  /// The number in a text, as the store writes numbers: without sign or leading zeros, and not larger than a log can
  /// reach.
  static func number(_ text: Substring) -> UInt64? {
    guard let number = UInt64(text), String(number) == text, number <= FrameFormat.largestNumber else { return nil }
    return number
  }
}
