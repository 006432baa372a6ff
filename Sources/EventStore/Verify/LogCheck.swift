// The walk of a check over all segments: recomputes every hash, and compares every statement with it.

/// The state of the check during its walk.
struct LogCheck {
  let layout: StoreLayout
  let disk: any Disk
  let identity: StoreIdentity
  let notes: NoteCheck
  let ownRecords: OwnRecordCheck
  /// Roots at the sizes that checkpoints cover, filled in during the walk.
  var roots: [UInt64: TreeHash] = [:]
  var wanted: [UInt64]
  /// All that was found.
  var findings: [VerifyReport.Finding] = []
  /// The tree over the records from 0 without a gap.
  var whole: MerkleFrontier?
  /// The tree so far; after damage it starts from the tree in the next segment's header.
  var frontier = MerkleFrontier()
  /// The revision that the next record of each stream must have.
  var streams = StreamTable()
  var frames = 0
  /// The check of pruned records, and of the records that report them.
  var pruning = PruningCheck()
  /// The position up to which good bytes say that the log was synced.
  var synced: UInt64 = 0
  /// True in the check of a segment ahead of its turn, which does not know the revisions it begins with.
  private(set) var isAhead = false
  /// How far the log seems to reach, damaged parts included.
  var reach: UInt64 = 0
  /// Receives the number of bytes checked and the total.
  var progress: WorkProgress?
  /// True if the one damage is a torn tail.
  var isTornOnly = false
  /// The superseded end of the previous segment, to compare with the records that replace it.
  var overlap: OverlapCheck?
  /// The largest size of a checkpoint in a segment that a key of the store has signed, and that agrees with the log;
  /// and of one that a trusted key has signed.
  var signed: (any: UInt64?, trusted: UInt64?)
  /// The largest checkpoint in a segment that a trusted key has signed, and that agrees with the log.
  var newest: SignedNote?
  /// The faults of the store's own records in the commit under check.
  var own: [(position: UInt64, message: String)] = []
  var tally = (done: UInt64(0), told: UInt64(0), total: UInt64(0))

  /// A check that will note the roots at the sizes `wanted`.
  init(layout: StoreLayout, disk: any Disk, identity: StoreIdentity, notes: NoteCheck, wanted: Set<UInt64>) {
    self.layout = layout
    self.disk = disk
    self.identity = identity
    self.notes = notes
    ownRecords = OwnRecordCheck(identity: identity)
    self.wanted = wanted.sorted(by: >)
    noteRoot()
  }

  /// Makes this the check of one segment that begins after these records.
  mutating func begin(ahead start: MerkleFrontier) {
    frontier = start
    whole = nil
    (roots, streams, findings, synced, isAhead) = ([:], StreamTable(), [], 0, true)
    signed = (nil, nil)
    newest = nil
    wanted.removeAll { $0 <= start.size }
    pruning = PruningCheck()
    progress = nil
  }

  /// The tree over the records from 0 without a gap.
  var intact: MerkleFrontier { whole ?? frontier }

  /// Walks all segments, on that many threads. The findings, and their order, are the same with any number.
  mutating func run(threads: Int) throws(StoreError) {
    let firsts = try listed()
    if progress != nil {
      for first in firsts { tally.total &+= (try? disk.open(layout.segment(first), .read).size()) ?? 0 }
    }
    let ahead = ChecksAhead(of: self, firsts: firsts, threads: threads)
    defer { ahead.stop() }
    for index in firsts.indices {
      let checked = ahead.take(index)
      if try isNoFile(firsts[index]) { continue }
      var walk = try walk(index, of: firsts)
      let before = overlap
      overlap = nil
      do throws(StoreError) {
        try check(&walk, firsts: firsts, checked: checked, superseding: before)
      } catch {
        guard error.code == .malformed || error.code == .torn || error.code == .altered else { throw error }
        try damaged(walk, error)
      }
      reach = max(reach, frontier.size)
      if progress != nil { tally.done &+= try walk.file.size() }
      tell(0)
    }
  }

  /// The findings about pruned records, given that `size` records are covered by checkpoints that count.
  func pruned(coveredTo size: UInt64) -> [VerifyReport.Finding] {
    // The record of pruning was synced before any record was dropped: a torn tail is no excuse.
    pruning.findings(isWhole: whole == nil || isTornOnly, coveredTo: size)
  }

  /// Returns true, and reports it, if something other than a file has the name of a segment.
  private mutating func isNoFile(_ first: UInt64) throws(StoreError) -> Bool {
    guard let kind = try disk.entry(layout.segment(first), followingLinks: false)?.kind, kind != .file else {
      return false
    }
    let what =
      switch kind {
      case .directory: "A directory"
      case .link: "A symbolic link"
      case .file, .other: "A pipe, a socket or a device"
      }
    findings.append(
      .init(
        kind: .altered, segment: SegmentName.name(first: first), offset: nil, position: first,
        message: "\(what) has the name of a segment: put the segment itself in its place."))
    if whole == nil { whole = frontier }
    return true
  }

  /// The segments; empty if the directory is gone too.
  private mutating func listed() throws(StoreError) -> [UInt64] {
    do throws(StoreError) {
      return try layout.segmentList(on: disk)
    } catch {
      guard error.code == .notFound else { throw error }
      findings.append(
        .init(
          kind: .missingSegment, segment: "segments", offset: nil, position: 0,
          message: "The directory of the segments is not there."))
      return []
    }
  }

  /// The beginning of a walk through the segment number `index`.
  func walk(_ index: Int, of firsts: [UInt64]) throws(StoreError) -> SegmentWalk {
    let isLast = index == firsts.count - 1
    return SegmentWalk(
      first: firsts[index], previous: index > 0 ? firsts[index - 1] : nil,
      limit: isLast ? nil : limit(by: firsts[index + 1]), isLast: isLast,
      file: try disk.open(layout.segment(firsts[index]), .read))
  }

  /// From where on a segment replaces the one before it; nil if it does not, or cannot be read: that is reported later.
  private func limit(by next: UInt64) -> UInt64? {
    (try? SegmentHeader.supersedes(next, in: layout, on: disk)) == true ? next : nil
  }

  /// One segment on the way.
  struct SegmentWalk {
    let first: UInt64
    let previous: UInt64?
    /// From where on the next segment supersedes this one.
    let limit: UInt64?
    let isLast: Bool
    let file: any DiskFile
    /// Where the item under check begins.
    var offset: UInt64 = 0
    var frame: FrameTally?
    var owed: FrameTally?
    var directory: UInt64 = 0
    /// The expected content of its footer, if it has one, or may have one when the check reaches its end.
    var footer: FooterCheck?
    /// True for the last segment if it had no footer when its check began: a writer may close it meanwhile.
    var mayStayOpen = false
    /// The superseded end of the previous segment, if this one supersedes it.
    var overlap: OverlapCheck?
    var name: String { SegmentName.name(first: first) }
  }
}
