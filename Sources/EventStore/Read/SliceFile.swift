// Recordings (DESIGN §1): the file format of a segment under a header of kind `slice`. The hashed bytes of the records
// are unchanged; their positions have gaps. One frame, closed; no directory, since a recording is read whole.

/// The header of a recording.
public struct SliceHeader: Sendable, Hashable {
  /// The version of the format of recordings, which is not that of stores.
  public static let currentFormat = 1

  /// The version of the format.
  public var format: Int
  /// The id of the store that it was cut from.
  public var store: String
  /// The origin of that store.
  public var origin: String
  /// How many records the file has.
  public var records: Int
  /// Digests of what an SDK makes of the records, which replays compare: see FORMAT.md §4. Nil if the recording has
  /// none.
  public var digests: JSON?

  /// A header from its parts, taken as they are.
  public init(
    format: Int = SliceHeader.currentFormat, store: String, origin: String, records: Int, digests: JSON? = nil
  ) {
    self.format = format
    self.store = store
    self.origin = origin
    self.records = records
    self.digests = digests
  }

  /// Reads a header frame.
  ///
  /// - Throws: `malformed`, `unsupported`.
  init(frame: SkippableFrame) throws(StoreError) {
    guard frame.kind == .head, let wire = try? JSON(parsing: frame.body), wire["kind"] == "slice",
      let format = wire["format"]?.int, let store = wire["store"]?.string, let origin = wire["origin"]?.string,
      let records = wire["records"]?.int
    else {
      throw StoreError(
        .malformed, "this is not a recording", offset: UInt64(FrameFormat.prologue.count),
        advice: "make one with auditctl export")
    }
    guard format == Self.currentFormat else {
      throw StoreError(
        .unsupported, "the recording has format \(format), this program knows \(Self.currentFormat)",
        advice: "use a later version of it")
    }
    self.init(format: format, store: store, origin: origin, records: records, digests: wire["digests"])
  }

  /// The frame that says this.
  var frame: SkippableFrame {
    let wire = JSON.members([
      ("digests", digests), ("format", .int(format)), ("kind", "slice"), ("origin", .string(origin)),
      ("records", .int(records)), ("store", .string(store)),
    ])
    return SkippableFrame(kind: .head, body: wire.bytes)
  }
}

/// A recording: records cut out of a log, unchanged, in the log's own format under a header that says `slice`.
public enum SliceFile {
  /// How much is put into a block.
  private static let blockBytes = 256 << 10

  /// Writes a recording to `path`, mode 0600, replacing any file there, durable when it returns. `records` must be in
  /// the order of the log.
  ///
  /// - Throws: `invalid` if they are not, `cannotCreate` if something other than a file stands there, a link or a
  ///   device for instance, and `permission`, `noSpace`, `io`.
  public static func write(
    records: [StoredRecord], source: StoreIdentity, digests: JSON? = nil, to path: String
  ) throws(StoreError) {
    try put(encode(records: records, source: source, digests: digests), at: path)
  }

  /// Writes the same at LZ4's highest compression, which takes longer.
  ///
  /// - Throws: what `write(records:source:digests:to:)` throws.
  package static func writeSmall(records: [StoredRecord], source: StoreIdentity, to path: String) throws(StoreError) {
    try put(encode(records: records, source: source, digests: nil, with: BlockCompressor(level: 12)), at: path)
  }

  /// Writes records as JSON Lines to `path`, plain, as `records(in:)` reads them.
  ///
  /// - Throws: what `write(records:source:to:)` throws.
  package static func writeLines(records: [StoredRecord], to path: String) throws(StoreError) {
    var bytes: [UInt8] = []
    for record in records {
      bytes.append(contentsOf: record.bytes)
      bytes.append(0x0A)
    }
    try put(bytes, at: path)
  }

  private static func put(_ bytes: [UInt8], at path: String) throws(StoreError) {
    if let entry = try SystemDisk().entry(path, followingLinks: false), entry.kind != .file {
      throw StoreError(
        .cannotCreate, "this is no usual file that could be replaced", file: path, advice: "give another path")
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    try SystemDisk().replace(path, with: bytes, in: folder)
  }

  /// The bytes of a recording.
  ///
  /// - Parameters:
  ///   - records: the records, in the order of their positions.
  ///   - source: the store that they come from.
  ///   - digests: the digests of what an SDK makes of the records; none by default.
  /// - Throws: `invalid` if the records are not in order; `tooLarge` if the digests are more than a header may have, 64
  ///   KiB.
  public static func encode(
    records: [StoredRecord], source: StoreIdentity, digests: JSON? = nil
  ) throws(StoreError) -> [UInt8] {
    try encode(records: records, source: source, digests: digests, with: BlockCompressor(acceleration: 1))
  }

  private static func encode(
    records: [StoredRecord], source: StoreIdentity, digests: JSON?, with compressor: BlockCompressor
  ) throws(StoreError) -> [UInt8] {
    let header = SliceHeader(store: source.id, origin: source.origin, records: records.count, digests: digests).frame
    guard header.body.count + SkippableFrame.overhead <= header.kind.payloads.upperBound else {
      throw StoreError(
        .tooLarge, "the recording's header would have \(header.body.count) bytes", advice: "leave the digests out")
    }
    var out = FrameFormat.prologue + header.encoded
    try compressor.begin(into: &out)
    var block: [UInt8] = []
    var largest = 0
    var before: UInt64?
    for record in records {
      if let before, record.position <= before {
        throw StoreError(
          .invalid, "the records of a recording are not in order", position: record.position, advice: "sort them")
      }
      before = record.position
      block.append(contentsOf: record.bytes)
      block.append(0x0A)
      if block.count >= blockBytes {
        largest = max(largest, try compressor.add(block.span, into: &out))
        block.removeAll(keepingCapacity: true)
      }
    }
    if !block.isEmpty { largest = max(largest, try compressor.add(block.span, into: &out)) }
    out.append(contentsOf: FrameFormat.ending(afterBlockOf: largest))
    return out
  }

  /// Reads a recording.
  ///
  /// - Throws: `notFound`; `malformed`, with the byte, if the file is something else, cut or damaged; `tooLarge` if it
  ///   has or decodes to over `limitBytes`.
  public static func read(
    path: String, limitBytes: Int = 256 << 20
  ) throws(StoreError) -> (header: SliceHeader, records: [StoredRecord]) {
    try read(
      file: MemoryFile(try SystemDisk().givenContents(of: path, limit: limitBytes), path: path), limitBytes: limitBytes)
  }

  /// Reads the same record by record, for a caller that keeps none. A fault after a record is found only after the
  /// record was passed on.
  @discardableResult
  package static func forEachRecord(
    path: String, limitBytes: Int = 256 << 20, _ body: (StoredRecord) throws(StoreError) -> Void
  ) throws(StoreError) -> SliceHeader {
    try forEachRecord(
      in: MemoryFile(try SystemDisk().givenContents(of: path, limit: limitBytes), path: path), limitBytes: limitBytes,
      body)
  }

  /// Reads a recording from its bytes.
  ///
  /// - Throws: what `read(path:limitBytes:)` throws.
  public static func read(
    bytes: [UInt8], limitBytes: Int = 256 << 20
  ) throws(StoreError) -> (header: SliceHeader, records: [StoredRecord]) {
    try read(file: MemoryFile(bytes, path: "recording"), limitBytes: limitBytes)
  }

  private static func read(
    file: any DiskFile, limitBytes: Int
  ) throws(StoreError) -> (header: SliceHeader, records: [StoredRecord]) {
    var records: [StoredRecord] = []
    let header = try forEachRecord(in: file, limitBytes: limitBytes) { records.append($0) }
    return (header, records)
  }

  /// Calls `body` with each record of a recording. A fault after a record is found only after the record was passed on.
  static func forEachRecord(
    in file: any DiskFile, limitBytes: Int, _ body: (StoredRecord) throws(StoreError) -> Void
  ) throws(StoreError) -> SliceHeader {
    let head: FileHead
    let header: SliceHeader
    do throws(StoreError) {
      head = try FileHead(of: file)
      header = try SliceHeader(frame: head.frame)
    } catch {
      // What to do with a log that is torn is not what to do with a recording.
      let (isTorn, own) = (error.code == .torn, "give a recording that auditctl export made")
      throw StoreError(
        isTorn ? .malformed : error.code, error.message, file: file.path, offset: error.offset,
        advice: isTorn ? own : error.advice ?? own)
    }
    var count = 0
    try forEachRecord(try SegmentWalker(file, from: head.end, largestFrame: .max), limitBytes: limitBytes) {
      record throws(StoreError) in
      count += 1
      try body(record)
    }
    guard count == header.records else {
      throw StoreError(
        .malformed, "the recording has \(count) records, its header says \(header.records)", file: file.path,
        offset: UInt64(FrameFormat.prologue.count), advice: "make it again")
    }
    return header
  }

  private static func forEachRecord(
    _ walker: SegmentWalker, limitBytes: Int, _ body: (StoredRecord) throws(StoreError) -> Void
  ) throws(StoreError) {
    var last: UInt64?
    var total = 0
    var frames = 0
    while true {
      switch try next(of: walker) {
      case .frameStart: frames += 1
      case .frameEnd, .skippable: continue
      case .end(.whole) where frames > 0: return
      case .end:
        throw StoreError(
          .malformed, "the recording is cut off", file: walker.path, offset: walker.offset, advice: "make it again")
      case .commit(let offset):
        try walker.withCommit { commit throws(StoreError) in
          total += commit.count
          guard total <= limitBytes else {
            throw StoreError(
              .tooLarge, "the recording decodes to over \(limitBytes) bytes", file: walker.path, offset: offset,
              advice: "allow more, or give a smaller one")
          }
          try CommitLines.forEach(in: commit) { line, _ throws(StoreError) in
            let record = try record(line, after: last, in: walker.path, at: offset)
            last = record.position
            try body(record)
          }
        }
      }
    }
  }

  private static func next(of walker: SegmentWalker) throws(StoreError) -> SegmentWalker.Item {
    do throws(StoreError) {
      return try walker.next()
    } catch {
      var error = error
      if error.isDamage { error.advice = error.advice ?? "make it again" }
      throw error
    }
  }

  private static func record(
    _ line: Span<UInt8>, after last: UInt64?, in path: String, at offset: UInt64
  ) throws(StoreError) -> StoredRecord {
    do throws(StoreError) {
      let record = try StoredRecord(line: CommitLines.array(line))
      guard last.map({ $0 < record.position }) ?? true else {
        throw StoreError(.malformed, "record \(record.position) is out of order")
      }
      return record
    } catch {
      throw StoreError(error.code, error.message, file: path, offset: offset, advice: "make the recording again")
    }
  }
}
