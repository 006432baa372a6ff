// The copy of a store on another machine: made from slices of its files, byte for byte, each verified before it is
// accepted.

/// A copy of a store that grows by bytes from elsewhere. One thread at a time may use it.
package final class StoreMirror {
  /// Its directory: a store, which all readers of stores read.
  package let directory: String
  let layout: StoreLayout
  let disk: any Disk
  private let evidence: String
  let pinned: VerifierKey
  /// The store's identity; nil before it has arrived.
  package internal(set) var identity: StoreIdentity?
  /// A `store.json` that names a handover which has not arrived.
  var waitingIdentity: [UInt8]?
  var current: MirrorSegment?
  var notes: MirrorNotes
  /// How far it is good and synced: what `sync` last returned, or what it was opened with.
  package internal(set) var state: MirrorState
  /// The newest trusted checkpoint that was seen, synced or not, and the end of the bytes that it protects from being
  /// dropped.
  var signed: (size: UInt64, end: MirrorPlace)?
  /// The rewritten form of a segment while it is being received.
  var staged: StagedSegment?
  /// What a superseding segment replaced, until the log has as many records again.
  private var overlap: MerkleFrontier?
  /// Where the bytes begin that are being added; nil once they are verified.
  private var unverified: MirrorPlace?
  var isDirty = false
  private var dirtyFiles: [any DiskFile] = []
  var hasNewNames = false

  /// Opens or makes the copy in a directory, as far as `state` says that it is good: later bytes are cut off, since
  /// nothing says that they reached the disk.
  ///
  /// - Parameters:
  ///   - directory: the store; made with its folders if it is not there.
  ///   - evidence: an existing folder for bytes that contradict the copy.
  ///   - pinned: the key that the host was enrolled with.
  /// - Throws: `malformed` if the directory has records that `state` does not cover, and what the disk throws.
  package init(
    directory: String, state: MirrorState?, evidence: String, pinned: VerifierKey, disk: any Disk
  ) throws(StoreError) {
    self.directory = directory
    self.disk = disk
    self.evidence = evidence
    self.pinned = pinned
    self.state = state ?? MirrorState()
    layout = StoreLayout(directory)
    for path in [layout.root, layout.segments, layout.checkpoints] { try disk.makeDurableDirectory(path) }
    notes = try MirrorNotes(layout: layout, disk: disk, pinned: pinned)
    if try disk.exists(layout.identity, in: layout.root) { identity = try StoreIdentity(of: layout, on: disk) }
    if state == nil, let problem = try Self.unknownCopy(in: directory, on: disk) { throw problem }
    signed = self.state.signed.map { (self.state.signedSize, $0) }
    Leftovers(layout: layout, disk: disk).remove()
    if let known = signed {
      // A version before this one remembered the end of the checkpoint itself.
      signed = (known.size, try coveredEnd(of: known.size, notedAt: known.end))
    }
    try syncLeft()
    try cut(to: self.state.end)
    // It was verified before it got its name, and may be newer than the remembered state.
    if current?.isRewritten == true { self.state = sketch }
  }

  /// The error of a copy that has segments, and of which nothing says how far it is good; nil if it has none.
  package static func unknownCopy(in directory: String, on disk: any Disk) throws(StoreError) -> StoreError? {
    guard try !StoreLayout(directory).segmentList(on: disk).isEmpty else { return nil }
    return StoreError(
      .malformed, "nothing says how far this copy is good", file: directory,
      advice: "end the collector, then put its state.json back, or move the copy away to have it collected again")
  }

  /// Makes durable what a process that was killed may have left unsynced: bytes that replaced dropped ones, and a
  /// rewritten segment under its name. Later statements about them must not be about old bytes that a power cut would
  /// bring back.
  private func syncLeft() throws(StoreError) {
    let segments = try layout.segmentList(on: disk)
    if segments.isEmpty { return }
    // This drops nothing that a checkpoint covers.
    for first in segments where first >= signed?.end.segment ?? 0 {
      try disk.open(layout.segment(first), .update).sync()
    }
    try disk.syncDirectory(layout.segments)
  }

  /// Where the next byte goes.
  package var received: MirrorPlace {
    guard let current else { return .start }
    return MirrorPlace(segment: current.first, form: current.end.form, offset: current.size)
  }

  /// How many records are verified, synced or not.
  package var size: UInt64 { current?.tail.frontier.size ?? 0 }

  /// The root over them.
  package var root: TreeHash { (current?.tail.frontier ?? MerkleFrontier()).root }

  // MARK: Taking bytes

  /// Takes bytes of a segment.
  ///
  /// - Parameter length: with the first bytes of a segment, the length of the previous segment, if the sender knows it.
  /// - Throws: only what the disk throws; faults of the bytes are a result.
  package func take(
    _ bytes: [UInt8], at place: MirrorPlace, after length: UInt64? = nil
  ) throws(StoreError) -> MirrorOutcome {
    guard identity != nil, place.offset <= FrameFormat.largestNumber else { return .gap }
    unverified = nil
    do throws(StoreError) {
      switch place.form {
      case .written:
        // Without its footer, a segment would look whole to the one that follows.
        if let current, let length, place.segment > current.first, !current.isRewritten, current.size < length {
          return .gap
        }
        return try takeWritten(bytes, at: place)
      case .rewritten: return try takeRewritten(bytes, at: place)
      }
    } catch {
      guard error.isOfContent else { throw error }
      return try refuse(bytes, at: place, error.message)
    }
  }

  private func takeWritten(_ bytes: [UInt8], at place: MirrorPlace) throws(StoreError) -> MirrorOutcome {
    guard let current, place.segment <= current.first else { return try begin(bytes, at: place) }
    let isCurrent = place.segment == current.first
    let file = isCurrent ? current.file : try? disk.open(layout.segment(place.segment), .read)
    guard let file else { throw StoreError(.malformed, "there is no such segment", position: place.segment) }
    if try isCurrent ? current.isRewritten : isRewritten(file) { return .known }
    let size = try file.size()
    guard place.offset <= size else { return .gap }
    let there = Int(min(UInt64(bytes.count), size - place.offset))
    guard try has(bytes[..<there], in: file, at: place.offset) else {
      throw StoreError(.malformed, "these are not the bytes that came before", file: file.path, offset: place.offset)
    }
    if there == bytes.count { return .known }
    guard isCurrent else { throw StoreError(.malformed, "bytes stand behind a segment that ended", file: file.path) }
    try append(bytes[there...])
    return .applied
  }

  func isRewritten(_ file: any DiskFile) throws(StoreError) -> Bool {
    try FooterPlace.form(in: file).map { $0 != .closed } ?? false
  }

  /// Begins the next segment.
  private func begin(_ bytes: [UInt8], at place: MirrorPlace) throws(StoreError) -> MirrorOutcome {
    guard place.offset == 0, current != nil || place.segment == 0 else { return .gap }
    let head = try FileHead(of: MemoryFile(bytes, path: layout.segment(place.segment)))
    let header = try SegmentHeader(frame: head.frame)
    guard header.first <= size else { return .gap }
    try check(header, named: place.segment)
    if let current, current.size > current.tail.offset {
      // Half an element that a failed sync of the writer left; the new segment has all of it.
      try current.file.truncate(to: current.tail.offset)
    }
    let before = current?.tail.frontier
    if let current { dirtyFiles.append(current.file) }
    let file = try disk.open(layout.segment(place.segment), .createNew)
    try file.write(Array(bytes[..<Int(head.end)]).span, at: 0)
    current = try MirrorSegment(of: place.segment, in: layout, on: disk)
    (hasNewNames, isDirty) = (true, true)
    if let before, before.size > header.first { overlap = before }
    if Int(head.end) < bytes.count { try append(bytes[Int(head.end)...]) }
    return .applied
  }

  /// Throws `malformed` if a header is not that of the next segment.
  func check(_ header: SegmentHeader, named first: UInt64) throws(StoreError) {
    func fail(_ what: String) -> StoreError {
      StoreError(.malformed, "the header \(what)", position: first, offset: 11)
    }
    guard let identity else { throw fail("came before store.json") }
    let writer = identity.writer(ofSegment: header.first)
    guard header.first == first else { throw fail("says first position \(header.first)") }
    guard header.store.isSame(as: writer.id), header.origin.isSame(as: writer.origin) else {
      throw fail("is of another store")
    }
    guard header.previous == current?.first else { throw fail("names another segment as the one before") }
    if header.first == size {
      guard header.frontier == current?.tail.frontier ?? MerkleFrontier(), current?.tail.open == nil,
        current?.tail.owed == nil
      else { throw fail("states another tree than that of the records before") }
    } else {
      // It begins before the end of what is there: the writer replaced what a failed sync may have lost.
      guard header.supersedes == header.first, header.first >= signed?.size ?? 0,
        try RootLookup(layout: layout, disk: disk).frontier(at: header.first) == header.frontier
      else { throw fail("replaces records that are there") }
    }
  }

  private func append(_ bytes: ArraySlice<UInt8>) throws(StoreError) {
    guard let identity, current != nil else { return }
    isDirty = true
    var (notes, signed) = (notes, signed)
    // So that there is one owner of what the segment has, and nothing is copied.
    guard var segment = current.take() else { return }
    defer { current = segment }
    unverified = MirrorPlace(segment: segment.first, offset: segment.size)
    try segment.append(bytes) { note, end throws(StoreError) in
      try notes.see(note, endingAt: end, identity: identity)
      if notes.newest?.note == note {
        signed = (note.size, try coveredEnd(of: note.size, notedAt: end))
      }
    }
    current = segment
    if let before = overlap {
      if segment.tail.frontier.size >= before.size {
        guard try RootLookup(layout: layout, disk: disk).frontier(at: before.size) == before else {
          throw StoreError(.malformed, "the segment replaces records by others", position: before.size)
        }
        overlap = nil
      } else if let signed, signed.end.segment == segment.first {
        // The host replaces all of its records before it signs, so the other records are not its own. Behind this
        // checkpoint they could not be dropped.
        throw StoreError(
          .malformed, "a checkpoint covers fewer records than the segment has to replace", position: signed.size)
      }
    }
    // Afterward, since a checkpoint that came with the records would keep an attacker's records from being dropped.
    (self.notes, self.signed) = (notes, signed)
    unverified = nil
  }

  /// The end of the bytes that a checkpoint, which itself ends at `end`, protects from being dropped. A checkpoint at
  /// the beginning of a segment covers only records of earlier segments: if a sync of its segment fails at the host,
  /// that segment is started again under its name, and the previous segment's bytes after these records are superseded.
  private func coveredEnd(of size: UInt64, notedAt end: MirrorPlace) throws(StoreError) -> MirrorPlace {
    guard end.form == .written, end.segment == size else { return end }
    guard let before = try layout.segmentList(on: disk).last(where: { $0 < size }) else { return end }
    do throws(StoreError) {
      let file = try disk.open(layout.segment(before), .read)
      if try isRewritten(file) { return MirrorPlace(segment: before, form: .rewritten, offset: try file.size()) }
      let last = try DirectoryChain.last(of: file, headEnd: try FileHead(of: file).end, limit: size)
      return last.directory?.end == size ? MirrorPlace(segment: before, offset: last.end) : end
    } catch {
      // Other checks find a copy that is damaged there; this one continues.
      guard error.isDamage else { throw error }
      return end
    }
  }

  // MARK: Contradictions

  /// Keeps bytes that do not fit as evidence. Drops the part of the copy that no checkpoint covers, if the new bytes
  /// could be right about it and the part can be kept as evidence.
  func refuse(_ bytes: [UInt8], at place: MirrorPlace, _ reason: String) throws(StoreError) -> MirrorOutcome {
    let isFork = contradictsSigned(bytes)
    try keep(bytes[...], at: place, as: "message")
    let end = signed?.end ?? .start
    var isKept = true
    if place.form == .rewritten {
      try dropStaged()
      // A rewritten segment is compared as a whole: it may contradict any record of the segment that no checkpoint
      // covers.
      if place.segment >= end.segment { isKept = try dropUnsigned() }
    } else if end.isBefore(MirrorPlace(segment: place.segment, offset: place.offset + UInt64(bytes.count))) {
      isKept = try dropUnsigned()
    }
    try takeBackUnverified()
    return .conflict(
      reason: isKept
        ? reason : reason + "; nothing was dropped, since there is no room for more evidence: move it elsewhere",
      isFork: isFork)
  }

  /// True if bytes contain a checkpoint by a trusted key that contradicts one of this copy.
  private func contradictsSigned(_ bytes: [UInt8]) -> Bool {
    guard let identity, let signed else { return false }
    let file = MemoryFile(bytes, path: "message")
    for found in (try? FrameScan.frames(of: [.note], in: file, from: 0)) ?? [] {
      guard let body = try? file.read(at: found.body, count: found.count),
        let text = String(validating: body, as: UTF8.self), let note = try? SignedNote(text: text),
        note.size <= signed.size, notes.isTrusted(note, identity: identity),
        let own = try? RootLookup(layout: layout, disk: disk).frontier(at: note.size)
      else { continue }
      if own.root != note.root { return true }
    }
    return false
  }

  /// Cuts off bytes that were added and did not verify, unless the bytes after the checkpoint were dropped.
  private func takeBackUnverified() throws(StoreError) {
    guard let place = unverified else { return }
    unverified = nil
    let file = try disk.open(layout.segment(place.segment), .update)
    let signedEnd = signed.map { $0.end.segment == place.segment ? $0.end.offset : 0 } ?? 0
    let end = max(place.offset, signedEnd)
    if try file.size() > end { try file.truncate(to: end) }
    current = try MirrorSegment(of: place.segment, in: layout, on: disk)
    isDirty = true
  }

  /// Drops everything after the newest trusted checkpoint, after keeping it as evidence. False, and nothing is dropped,
  /// if there is no room for that.
  private func dropUnsigned() throws(StoreError) -> Bool {
    let end = signed?.end ?? .start
    var parts: [Part] = []
    for first in try layout.segmentList(on: disk) where first >= end.segment {
      let file = try disk.open(layout.segment(first), .read)
      let (start, size) = (first == end.segment ? end.offset : 0, try file.size())
      if size <= start { continue }
      if first == end.segment, try isRewritten(file) { continue }
      parts += Self.parts(of: file, from: MirrorPlace(segment: first, offset: start), to: size)
    }
    guard try keep(parts) else { return false }
    try dropStaged()
    try cut(to: end)
    isDirty = true
    return true
  }

  /// Keeps all of the last segment as evidence, before it is replaced by a form without its records. False, and nothing
  /// is kept, if there is no room for that.
  func keepCurrent() throws(StoreError) -> Bool {
    guard let current, size > current.first else { return true }
    return try keep(
      Self.parts(
        of: current.file, from: MirrorPlace(segment: current.first, form: current.end.form), to: current.size))
  }

  /// Cuts the copy at a place.
  private func cut(to end: MirrorPlace) throws(StoreError) {
    (current, overlap, unverified) = (nil, nil, nil)
    for first in try layout.segmentList(on: disk) where first > end.segment || (end.offset == 0 && first >= end.segment)
    {
      try disk.remove(layout.segment(first))
      hasNewNames = true
    }
    guard let last = try lastBegun() else {
      state = MirrorState()
      return
    }
    let path = layout.segment(last)
    if last == end.segment {
      let file = try disk.open(path, .update)
      if try !isRewritten(file), try file.size() > end.offset { try file.truncate(to: end.offset) }
    }
    current = try MirrorSegment(of: last, in: layout, on: disk)
    overlap = try unreplaced()
    notes.forget(over: size)
    // Less of the copy is good now, or the last segment has its other form.
    if size <= state.size { state = sketch }
  }

  /// The tree up to the end of what a segment behind the newest checkpoint supersedes, if the copy has fewer records
  /// so far; nil if there is none.
  private func unreplaced() throws(StoreError) -> MerkleFrontier? {
    do throws(StoreError) {
      for first in try layout.segmentList(on: disk).reversed() where first > signed?.end.segment ?? 0 {
        let header = try SegmentHeader(of: first, in: layout, on: disk)
        guard header.supersedes != nil, let before = header.previous else { continue }
        let file = try disk.open(layout.segment(before), .read)
        let head = try FileHead(of: file)
        let tree = try Tail(of: file, head: head, header: try SegmentHeader(frame: head.frame)).frontier
        if tree.size > size { return tree }
      }
      return nil
    } catch {
      // Other checks find a copy that is damaged there; this one continues.
      guard error.isDamage || error.code == .notFound else { throw error }
      return nil
    }
  }

  /// The last segment; nil if there is none. A power cut may leave the name of a segment that was started again without
  /// all of its header: such a segment is removed, unless a checkpoint says that it was there.
  private func lastBegun() throws(StoreError) -> UInt64? {
    while let last = try layout.segmentList(on: disk).last {
      guard try endsInHeader(layout.segment(last)), signed.map({ last > $0.end.segment }) ?? true else { return last }
      try disk.remove(layout.segment(last))
      hasNewNames = true
    }
    return nil
  }

  private func endsInHeader(_ path: String) throws(StoreError) -> Bool {
    let file = try disk.open(path, .read)
    if try file.size() < UInt64(FrameFormat.prologue.count) { return true }
    do throws(StoreError) {
      _ = try FileHead(of: file)
      return false
    } catch {
      guard error.code == .torn else { throw error }
      return true
    }
  }

  /// How far the copy is good once it is synced.
  private var sketch: MirrorState {
    MirrorState(end: current?.end ?? .start, size: size, signed: signed?.end, signedSize: signed?.size ?? 0)
  }

  /// The most pieces of evidence kept per store: an attacker who writes in its name could otherwise fill the disk.
  private static let evidenceLimit = 256

  /// How many of them may be messages: the rest is reserved for bytes of the copy.
  private static let messageLimit = 192
  /// How many bytes a piece of evidence has at most.
  private static let evidencePiece: UInt64 = 64 << 20

  /// A part of a segment that is kept as evidence.
  private struct Part {
    let file: any DiskFile
    let place: MirrorPlace
    let count: Int
  }

  /// The bytes of a segment from a place to an offset, in pieces that can be kept.
  private static func parts(of file: any DiskFile, from place: MirrorPlace, to end: UInt64) -> [Part] {
    stride(from: place.offset, to: end, by: Int(evidencePiece)).map { offset in
      var start = place
      start.offset = offset
      return Part(file: file, place: start, count: Int(min(evidencePiece, end - offset)))
    }
  }

  /// Keeps bytes of the copy, durable when it returns. Returns false, and keeps nothing, if there is no room for all of
  /// them.
  private func keep(_ parts: [Part]) throws(StoreError) -> Bool {
    guard try evidenceNames().count + parts.count <= Self.evidenceLimit else { return false }
    for part in parts {
      let bytes = try part.file.read(at: part.place.offset, count: part.count)
      try put(bytes[...], at: part.place, as: "copy")
    }
    return true
  }

  /// Keeps a message that does not fit, if there is room for it.
  func keep(_ bytes: ArraySlice<UInt8>, at place: MirrorPlace, as what: String) throws(StoreError) {
    let names = try evidenceNames()
    guard names.count < Self.evidenceLimit, bytes.count <= Self.evidencePiece,
      names.filter({ $0.contains("-message-") }).count < Self.messageLimit
    else { return }
    try put(bytes, at: place, as: what)
  }

  /// The names of the pieces of evidence of this store.
  private func evidenceNames() throws(StoreError) -> Set<String> {
    let prefix = evidencePrefix
    return Set(try disk.names(in: evidence).filter { $0.hasPrefix(prefix) })
  }

  private var evidencePrefix: String { (identity?.id ?? "unknown") + "-" }

  private func put(_ bytes: ArraySlice<UInt8>, at place: MirrorPlace, as what: String) throws(StoreError) {
    let (prefix, names) = (evidencePrefix, try evidenceNames())
    var number = names.count
    var name: String
    repeat {
      number += 1
      name = "\(prefix)\(place.segment)-\(place.offset)-\(what)-\(number).bin"
    } while names.contains(name)
    try disk.replace(evidence + "/" + name, with: Array(bytes), in: evidence)
  }

  // MARK: Syncing

  /// Syncs everything that was accepted, publishes the newest checkpoint, and returns how far the copy is good now.
  package func sync() throws(StoreError) -> MirrorState {
    guard isDirty || hasNewNames else { return state }
    for file in dirtyFiles { try file.sync() }
    dirtyFiles = []
    try current?.file.sync()
    if hasNewNames { try disk.syncDirectories([layout.segments, layout.root], and: nil) }
    try notes.save()
    (isDirty, hasNewNames) = (false, false)
    state = sketch
    return state
  }

  /// The newest trusted checkpoint that was published here; nil without one, or if it cannot be read.
  package func newestNote() throws(StoreError) -> SignedNote? {
    try layout.readableNote(at: layout.latestCheckpoint, on: disk)
  }

  /// The errors of checkpoints' files that could not be read when the copy was opened, and were not replaced since,
  /// each with the file and what to do. They keep nothing else of the copy from being verified.
  package var unreadable: [StoreError] { notes.unreadable }
}
