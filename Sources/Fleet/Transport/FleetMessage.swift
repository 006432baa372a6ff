// The messages from a host to its collectors (docs/FLEET.md §2).
package import EventStore

/// A message: bytes of a segment, or the store's `store.json`.
package struct FleetMessage: Sendable, Hashable {
  /// What its bytes are.
  package enum Content: String, Sendable, Hashable {
    /// Bytes of a segment as it was written.
    case written = "a"
    /// Bytes of a sealed or pruned segment.
    case rewritten = "s"
    /// `store.json`; the place is where the sender continues.
    case identity = "m"
  }

  /// The id of the store: 32 hexadecimal digits.
  package var store: String
  /// What the bytes are.
  package var content: Content
  /// Where the bytes stand.
  package var place: MirrorPlace
  /// The bytes.
  package var bytes: [UInt8]
  /// In the first slice of a segment, the length of the previous segment's file; nil if that has no meaning, since it
  /// was sealed or superseded.
  package var before: UInt64?

  /// A message from its parts.
  package init(store: String, content: Content, place: MirrorPlace, bytes: [UInt8], before: UInt64? = nil) {
    self.store = store
    self.content = content
    self.place = place
    self.bytes = bytes
    self.before = before
  }

  /// A message that carries a slice.
  package init(_ slice: SourceSlice, of store: String, before: UInt64? = nil) {
    self.init(
      store: store, content: slice.place.form == .written ? .written : .rewritten, place: slice.place,
      bytes: slice.bytes, before: before)
  }

  /// Where the bytes end.
  package var end: MirrorPlace {
    var end = place
    if content != .identity { end.offset += UInt64(bytes.count) }
    return end
  }

  /// The most bytes of a message: a slice of 256 KiB, or a `store.json`.
  package static let longest = 1 << 20

  /// True for 32 hexadecimal digits in lower case: what may stand in a path and in a subject.
  package static func isStore(_ id: String) -> Bool {
    id.utf8.count == 32 && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

extension FleetMessage {
  /// The message as a file: a line that says what and where, with a CRC-32C of line and bytes, then the bytes.
  package var encoded: [UInt8] {
    let head =
      "fr1 \(place.segment) \(content.rawValue)\(place.form.rawValue) \(place.offset) \(bytes.count) "
      + (before.map { "\($0) " } ?? "- ")
    return Array(head.utf8) + Array("\(CRC32C.checksum(Array(head.utf8) + bytes))\n".utf8) + bytes
  }

  /// Reads a file's bytes; nil if they are not a whole message. Accepts any bytes.
  package init?(encoded: [UInt8], of store: String) {
    guard encoded.count <= Self.longest + 200, let end = encoded.prefix(200).firstIndex(of: 0x0A) else { return nil }
    let words = String(decoding: encoded[..<end], as: UTF8.self)
      .split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 7, words[0] == "fr1", let segment = UInt64(words[1]), let offset = UInt64(words[3]),
      words[2].utf8.count == 2, let content = Content(rawValue: String(words[2].prefix(1))),
      let form = SliceForm(rawValue: String(words[2].suffix(1))), let count = Int(words[4]),
      count == encoded.count - end - 1, words[5] == "-" || UInt64(words[5]) != nil, segment <= Self.largest,
      offset <= Self.largest
    else { return nil }
    self.init(
      store: store, content: content, place: MirrorPlace(segment: segment, form: form, offset: offset),
      bytes: Array(encoded[(end + 1)...]),
      before: UInt64(words[5]))
    guard self.encoded == encoded else { return nil }
  }

  /// No position and no offset is larger (docs/FORMAT.md §2).
  private static let largest: UInt64 = 1 << 62
}
