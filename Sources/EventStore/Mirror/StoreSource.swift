// The other side of a copy: a store's files as they are while its writer goes on, in whole elements.

/// Bytes of a segment that are whole, and durable where they come from.
package struct SourceSlice: Sendable, Hashable {
  /// Where they begin.
  package var place: MirrorPlace
  /// The bytes.
  package var bytes: [UInt8]
  /// Where they end.
  package var end: MirrorPlace
}

/// Reads a store for shipping; any process may, beside its writer. One thread at a time may use it.
package final class StoreSource {
  /// The store's directory.
  package let directory: String
  private let layout: StoreLayout
  private let disk: any Disk
  private var open: OpenSegment?

  /// A segment that is being read.
  private struct OpenSegment {
    let first: UInt64
    let file: any DiskFile
    let isRewritten: Bool
    var walker: SegmentWalker
    /// Where the last whole element ends; a frame without a commit is none, since a recovery takes it away.
    var whole: UInt64
  }

  /// A source over the store at `directory`.
  ///
  /// - Throws: what `LogReader` throws, and `permission` if it is a backup.
  package init(directory: String, disk: any Disk) throws(StoreError) {
    self.directory = directory
    self.disk = disk
    layout = StoreLayout(directory)
    try StoreIdentity(of: layout, on: disk).refuseIfBackup(in: layout)
  }

  /// What the store says of itself now, and the bytes that say it.
  package func identity() throws(StoreError) -> (identity: StoreIdentity, bytes: [UInt8]) {
    (try StoreIdentity(of: layout, on: disk), try disk.contents(of: layout.identity, limit: 1 << 20))
  }

  /// Says of a checkpoint whether a key of the store has signed it: the one that it has, one that it had, or one of a
  /// store that it was restored from. A store that names no key can say it of none, and takes each for its own: an
  /// older copy may have been put back, from before the first checkpoint.
  package func signs() throws(StoreError) -> (SignedNote) -> Bool {
    let identity = try identity().identity
    let texts =
      [identity.publicKey].compactMap { $0 } + identity.retiredKeys.map(\.key)
      + identity.restoredFrom.compactMap(\.publicKey)
    let keys = texts.compactMap { try? VerifierKey(text: $0) }
    return { note in keys.isEmpty || keys.contains { note.standing(with: $0) == .valid } }
  }

  /// The end of the log's last file, whatever stands there.
  package func end() throws(StoreError) -> MirrorPlace {
    guard let last = try layout.segmentList(on: disk).last else { return .start }
    return MirrorPlace(segment: last, offset: try disk.open(layout.segment(last), .read).size())
  }

  /// The segments that were sealed, by their first positions. Pruned ones are none: who has their records keeps them.
  package func sealedSegments() throws(StoreError) -> [UInt64] {
    var found: [UInt64] = []
    for first in try layout.segmentList(on: disk)
    where try FooterPlace.form(in: try disk.open(layout.segment(first), .read)) == .sealed {
      found.append(first)
    }
    return found
  }

  /// The form that a segment has now; nil if it is not there.
  package func form(of first: UInt64) throws(StoreError) -> SliceForm? {
    guard try layout.segmentList(on: disk).contains(first) else { return nil }
    let footer = try FooterPlace.form(in: try disk.open(layout.segment(first), .read))
    return footer == nil || footer == .closed ? .written : .rewritten
  }

  /// The segment that follows, or nil.
  package func segment(after first: UInt64) throws(StoreError) -> UInt64? {
    try layout.segmentList(on: disk).first { $0 > first }
  }

  /// How long the file of the segment before is; nil if there is none, if it was sealed or pruned, or if this one
  /// supersedes its end.
  package func length(before first: UInt64) throws(StoreError) -> UInt64? {
    guard let before = try layout.segmentList(on: disk).last(where: { $0 < first }), try form(of: before) == .written,
      try form(of: first) == .written, try !SegmentHeader.supersedes(first, in: layout, on: disk)
    else { return nil }
    return try disk.open(layout.segment(before), .read).size()
  }

  /// The bytes at a place, fewer at the end of the file; nil if the segment is not there in that form.
  package func bytes(at place: MirrorPlace, count: Int) throws(StoreError) -> [UInt8]? {
    guard try form(of: place.segment) == place.form else { return nil }
    return try disk.open(layout.segment(place.segment), .read).read(at: place.offset, count: count)
  }

  /// True if the log has what a checkpoint covers.
  package func contains(_ note: SignedNote) throws(StoreError) -> Bool {
    do throws(StoreError) {
      return try LogReader(directory: directory, disk: disk).root(at: note.size) == note.root
    } catch {
      guard [.noSuchPosition, .missingSegment, .pruned, .malformed, .altered].contains(error.code) else { throw error }
      return false
    }
  }

  /// How many records are whole in it; 0 if that cannot be known.
  package func size() -> UInt64 { (try? LogReader(directory: directory, disk: disk).statistics().records) ?? 0 }

  /// Whole elements of a segment from a place on, at most `limit` bytes of them, synced by this process; nil if there
  /// are none. An element over the limit is cut, and goes on with the next slice.
  ///
  /// - Throws: `missingSegment` if the segment is not there in that form: the log is another one, or was sealed or
  ///   pruned meanwhile.
  package func slice(from place: MirrorPlace, limit: Int) throws(StoreError) -> SourceSlice? {
    var segment = try segment(of: place)
    try advance(&segment, past: place.offset + UInt64(limit))
    open = segment
    guard segment.whole > place.offset else { return nil }
    let count = Int(min(UInt64(limit), segment.whole - place.offset))
    let bytes = try segment.file.read(at: place.offset, count: count)
    guard bytes.count == count else { return nil }
    // Before anyone else has it: what a power cut takes away here and not there is a fork.
    try sync(segment)
    var end = place
    end.offset += UInt64(count)
    return SourceSlice(place: place, bytes: bytes, end: end)
  }

  /// Makes a segment, and its name, durable through a descriptor of this process: that of the writer says nothing here.
  private func sync(_ segment: OpenSegment) throws(StoreError) {
    try segment.file.sync()
    if syncedName != segment.first {
      try disk.syncDirectory(layout.segments)
      try disk.syncDirectory(layout.root)
      syncedName = segment.first
    }
  }

  private var syncedName: UInt64?

  private func segment(of place: MirrorPlace) throws(StoreError) -> OpenSegment {
    if let open, open.first == place.segment, open.isRewritten == (place.form == .rewritten),
      place.offset <= open.whole,
      try open.file.isInPlace()
    {
      return open
    }
    syncedName = nil
    guard try form(of: place.segment) == place.form else {
      throw StoreError(
        .missingSegment, "there is no segment \(place.segment) of that form", file: layout.segments,
        position: place.segment)
    }
    let file = try disk.open(layout.segment(place.segment), .read)
    let head = try FileHead(of: file)
    // The decoder needs a frame from its beginning: the last one that begins at or before the place is found by
    // hopping.
    var start = head.end
    let hop = try SegmentWalker(file, from: head.end, decoding: false)
    hopping: while hop.offset <= place.offset {
      switch try hop.next() {
      case .frameStart(let offset): start = offset
      case .frameEnd, .skippable: if hop.offset <= place.offset { start = hop.offset }
      case .commit: continue
      case .end: break hopping
      }
    }
    return OpenSegment(
      first: place.segment, file: file, isRewritten: place.form == .rewritten,
      walker: try SegmentWalker(file, from: start), whole: start)
  }

  /// Walks on until `end`, or as far as there are whole elements.
  private func advance(_ segment: inout OpenSegment, past end: UInt64) throws(StoreError) {
    while segment.whole < end {
      switch try segment.walker.next() {
      case .end: return
      case .frameStart: continue
      case .commit, .frameEnd, .skippable: segment.whole = segment.walker.offset
      }
    }
  }
}
