// The source of a copy: reads a store's files in whole elements while its writer continues.

/// Whole elements of a segment, durable at their source.
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

  /// The store's current identity, and its bytes.
  package func identity() throws(StoreError) -> (identity: StoreIdentity, bytes: [UInt8]) {
    (try StoreIdentity(of: layout, on: disk), try disk.contents(of: layout.identity, limit: 1 << 20))
  }

  /// Returns a test whether a key of the store has signed a checkpoint: its current key, a former one, or one of a
  /// store that it was restored from. If a store names no key, every checkpoint passes: an older copy, from before the
  /// first checkpoint, may have been put back.
  package func signs() throws(StoreError) -> (SignedNote) -> Bool {
    let identity = try identity().identity
    let texts =
      [identity.publicKey].compactMap { $0 } + identity.retiredKeys.map(\.key)
      + identity.restoredFrom.compactMap(\.publicKey)
    let keys = texts.compactMap { try? VerifierKey(text: $0) }
    return { note in keys.isEmpty || keys.contains { note.standing(with: $0) == .valid } }
  }

  /// The end of the log's last file, whether or not it is a whole element.
  package func end() throws(StoreError) -> MirrorPlace {
    guard let last = try layout.segmentList(on: disk).last else { return .start }
    return MirrorPlace(segment: last, offset: try disk.open(layout.segment(last), .read).size())
  }

  /// The segments that were sealed, by their first positions. Pruned segments are left out: copies that have their
  /// records keep them.
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

  /// The length of the previous segment's file; nil if there is none, if it was sealed or pruned, or if this segment
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

  /// How many whole records it has; 0 if that cannot be determined.
  package func size() -> UInt64 { (try? LogReader(directory: directory, disk: disk).statistics().records) ?? 0 }

  /// Whole elements of a segment from a place on, at most `limit` bytes of them, synced by this process; nil if there
  /// are none. An element over the limit is split, and continues in the next slice.
  ///
  /// - Throws: `missingSegment` if the segment is not there in that form: it is a different log, or was sealed or
  ///   pruned meanwhile.
  package func slice(from place: MirrorPlace, limit: Int) throws(StoreError) -> SourceSlice? {
    var segment = try segment(of: place)
    try advance(&segment, past: place.offset + UInt64(limit))
    open = segment
    guard segment.whole > place.offset else { return nil }
    let count = Int(min(UInt64(limit), segment.whole - place.offset))
    let bytes = try segment.file.read(at: place.offset, count: count)
    guard bytes.count == count else { return nil }
    // Synced before it is sent: if a power cut removed the bytes here but not at the receiver, that would be a fork.
    try sync(segment)
    var end = place
    end.offset += UInt64(count)
    return SourceSlice(place: place, bytes: bytes, end: end)
  }

  /// Syncs a segment and its name through a descriptor of this process: a sync by the writer would not report errors
  /// here.
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
