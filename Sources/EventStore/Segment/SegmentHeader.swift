import Foundation

/// The header of a segment, JSON in its first skippable frame.
struct SegmentHeader: Sendable, Hashable {
  /// The version of the format.
  var format: Int
  /// The id of the store.
  var store: String
  /// The origin of the store.
  var origin: String
  /// The tree over all records before this segment; its size is the segment's first position.
  var frontier: MerkleFrontier
  /// The first position of the segment before; nil in the first.
  var previous: UInt64?
  /// From which position this segment replaces the one before, after a failed sync; nil in a usual one.
  var supersedes: UInt64?

  /// The position of its first record.
  var first: UInt64 { frontier.size }

  /// The frame that says this.
  func frame() throws(StoreError) -> SkippableFrame {
    let wire = Wire(
      kind: "segment", format: format, store: store, origin: origin, first: first,
      frontier: frontier.hashes.map(\.description), root: frontier.root.description, previous: previous,
      supersedes: supersedes)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return SkippableFrame(kind: .head, body: Array(try encoder.encode(wire)))
    } catch {
      throw StoreError(.invalid, "the segment's header cannot be written as JSON")
    }
  }

  /// A header from its parts.
  init(identity: StoreIdentity, frontier: MerkleFrontier, previous: UInt64?, isReplacement: Bool = false) {
    format = StoreIdentity.currentFormat
    store = identity.id
    origin = identity.origin
    self.frontier = frontier
    self.previous = previous
    supersedes = isReplacement ? frontier.size : nil
  }

  /// Reads a header.
  ///
  /// - Throws: `malformed` if it is not a segment's header, or contradicts itself; `unsupported` if it is of a later
  ///   format.
  init(frame: SkippableFrame) throws(StoreError) {
    let malformed = StoreError(.malformed, "the header is not that of a segment", offset: 0)
    // Not decoded by Foundation, whose first decoding takes longer than everything else in opening a log.
    guard frame.kind == .head, let wire = (try? JSON(parsing: frame.body)).flatMap(Wire.init), wire.kind == "segment"
    else { throw malformed }
    guard StoreIdentity.knownFormats.contains(wire.format) else {
      throw StoreError(
        .unsupported,
        "the segment has format \(wire.format), this program knows those up to \(StoreIdentity.currentFormat)",
        advice: "use a later version of it")
    }
    var hashes: [TreeHash] = []
    for text in wire.frontier {
      guard let hash = TreeHash(base64: text) else { throw malformed }
      hashes.append(hash)
    }
    guard wire.previous ?? 0 <= FrameFormat.largestNumber else { throw malformed }
    guard wire.supersedes == nil || wire.supersedes == wire.first else {
      throw StoreError(.malformed, "the header supersedes from another position than its first", offset: 0)
    }
    guard wire.first <= FrameFormat.largestNumber, let frontier = MerkleFrontier(size: wire.first, hashes: hashes),
      frontier.root.description == wire.root
    else {
      throw StoreError(.malformed, "the header's root does not follow from its subtree hashes", offset: 0)
    }
    format = wire.format
    store = wire.store
    origin = wire.origin
    self.frontier = frontier
    previous = wire.previous
    supersedes = wire.supersedes
  }

  /// The header of the segment `first`. Errors name its file.
  init(of first: UInt64, in layout: StoreLayout, on disk: any Disk) throws(StoreError) {
    let file = try disk.open(layout.segment(first), .read)
    do throws(StoreError) {
      try self.init(frame: try FileHead(of: file).frame)
    } catch {
      throw error.file == nil ? error.shifted(by: UInt64(FrameFormat.prologue.count)).inFile(file.path) : error
    }
  }

  /// True if the segment `first` replaces the end of the one before it.
  static func supersedes(_ first: UInt64, in layout: StoreLayout, on disk: any Disk) throws(StoreError) -> Bool {
    try SegmentHeader(of: first, in: layout, on: disk).supersedes != nil
  }

  private struct Wire: Encodable {
    var kind: String
    var format: Int
    var store: String
    var origin: String
    var first: UInt64
    var frontier: [String]
    var root: String
    var previous: UInt64?
    var supersedes: UInt64?

    private enum CodingKeys: String, CodingKey {
      case kind, format, store, origin, first, frontier, root, previous, supersedes
    }

    init(
      kind: String, format: Int, store: String, origin: String, first: UInt64, frontier: [String], root: String,
      previous: UInt64?, supersedes: UInt64?
    ) {
      self.kind = kind
      self.format = format
      self.store = store
      self.origin = origin
      self.first = first
      self.frontier = frontier
      self.root = root
      self.previous = previous
      self.supersedes = supersedes
    }

    /// The header in a document, or nil if a part is missing or has the wrong type.
    init?(_ json: JSON) {
      guard let kind = json["kind"]?.string, let format = json["format"]?.int, let store = json["store"]?.string,
        let origin = json["origin"]?.string, let first = json["first"].flatMap(Self.position),
        let list = json["frontier"]?.array, let root = json["root"]?.string
      else { return nil }
      let frontier = list.compactMap(\.string)
      var places: [UInt64?] = []
      for place in [json["previous"] ?? .null, json["supersedes"] ?? .null] {
        let found = Self.position(place)
        guard found != nil || place == .null else { return nil }
        places.append(found)
      }
      guard frontier.count == list.count else { return nil }
      self.init(
        kind: kind, format: format, store: store, origin: origin, first: first, frontier: frontier, root: root,
        previous: places[0], supersedes: places[1])
    }

    private static func position(_ json: JSON) -> UInt64? {
      if case .number(let text) = json { UInt64(text) } else { nil }
    }

    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: CodingKeys.self)
      try fields.encode(kind, forKey: .kind)
      try fields.encode(format, forKey: .format)
      try fields.encode(store, forKey: .store)
      try fields.encode(origin, forKey: .origin)
      try fields.encode(first, forKey: .first)
      try fields.encode(frontier, forKey: .frontier)
      try fields.encode(root, forKey: .root)
      try fields.encode(previous, forKey: .previous)  // as null if there is none
      try fields.encode(supersedes, forKey: .supersedes)
    }
  }
}
