// A copy of a store as plain files, which can be updated as often as needed: unchanged files stay as they are.

/// The archive of one store: `store/` has its files byte for byte, `tiles/` its records and hashes in the layout of
/// C2SP tlog-tiles.
package struct StoreArchive: Sendable {
  /// The result of updating an archive.
  package struct Report: Sendable, Hashable {
    /// How many segments it has.
    package var segments = 0
    /// How many files of the store were written.
    package var written = 0
    /// How many bytes these have.
    package var bytes: UInt64 = 0
    /// How many records the tiles have; nil without a checkpoint.
    package var tiles: UInt64?
    /// The result of checking the archived store.
    package var check: VerifyReport
  }

  /// Its directory.
  package let root: String
  private let disk: any Disk

  /// The archive in a directory.
  package init(_ directory: String, disk: any Disk) {
    root = StoreLayout(directory).root
    self.disk = disk
  }

  /// The archived store.
  package var store: String { root + "/store" }
  /// Its tiles.
  package var tiles: String { root + "/tiles" }

  // MARK: Archiving

  /// Archives what a copy has up to `state`: segments, checkpoints, `store.json`. Each file that is written is read
  /// back and compared; then the archived store is verified as a whole, and its tiles are brought up to its newest
  /// checkpoint. Cost: reads both.
  ///
  /// The source may grow meanwhile.
  ///
  /// - Throws: `truncated` or `altered` if the archive has a checkpoint that the source does not contain (nothing is
  ///   written then), or if the archived store does not verify.
  package func update(
    from source: String, upTo state: MirrorState, pinned: VerifierKey, remembered: SignedNote? = nil
  ) throws(StoreError) -> Report {
    let (from, to) = (StoreLayout(source), StoreLayout(store))
    _ = try StoreIdentity(of: from, on: disk)
    for path in [root, to.root, to.segments, to.checkpoints] { try disk.makeDurableDirectory(path) }
    try refuseAnother(than: to, in: from)
    var tally = Tally()
    let segments = try from.segmentList(on: disk).filter { $0 <= state.end.segment }
    for first in segments {
      let isEnd = first == state.end.segment && state.end.form == .written
      let file = try disk.open(from.segment(first), .read)
      let length = isEnd ? state.end.offset : try file.size()
      try copy(file, to.segment(first), length: length, &tally)
    }
    for first in try to.segmentList(on: disk) where first > segments.last ?? 0 {
      // No checkpoint covered it, and the collector found that it is not the host's.
      try disk.remove(to.segment(first))
    }
    for name in try disk.names(in: from.checkpoints).sorted() where StoreFolder.checkpoints.has(name) {
      let path = from.checkpoints + "/" + name
      guard let note = try from.note(at: path, on: disk), note.size <= state.size else { continue }
      let file = try disk.open(path, .read)
      try copy(file, to.checkpoints + "/" + name, length: try file.size(), &tally)
    }
    let identity = try disk.open(from.identity, .read)
    try copy(identity, to.identity, length: try identity.size(), &tally)
    try disk.syncDirectories([to.root, to.segments, to.checkpoints], and: nil)
    let check = try verified(store, pinned: pinned, remembered: remembered)
    var report = Report(check: check)
    (report.segments, report.written, report.bytes) = (segments.count, tally.files, tally.bytes)
    if try to.latestCheckpoint(on: disk) != nil {
      report.tiles = try TileExport(of: store, disk: disk).update(tiles).records
    }
    return report
  }

  private struct Tally {
    var files = 0
    var bytes: UInt64 = 0
  }

  /// Throws if the source lacks what the newest checkpoint of the archive covers.
  private func refuseAnother(than archived: StoreLayout, in source: StoreLayout) throws(StoreError) {
    guard let note = try archived.latestCheckpoint(on: disk) else { return }
    let root: TreeHash
    do throws(StoreError) {
      root = try RootLookup(layout: source, disk: disk).frontier(at: note.size).root
    } catch {
      guard error.code == .noSuchPosition || error.code == .missingSegment else { throw error }
      throw StoreError(
        .truncated, "the archive has a checkpoint over \(note.size) records, and the copy has fewer",
        file: archived.root,
        position: note.size, advice: "keep both, and restore the copy from the archive")
    }
    guard root == note.root else {
      throw StoreError(
        .altered, "the archive has a checkpoint over \(note.size) records that is of another log than the copy",
        file: archived.root, position: note.size, advice: "keep both as evidence and run auditctl verify on them")
    }
  }

  /// How much is read and written at once.
  private static let piece = 1 << 20

  /// Copies the beginning of a file, unless it is there. `keepingHoles` leaves out what is a hole there: a sparse file
  /// may claim any size. An archive in a bucket takes no holes, so that `update` reads and writes all bytes.
  private func copy(
    _ file: any DiskFile, _ path: String, length: UInt64, keepingHoles: Bool = false, _ tally: inout Tally
  ) throws(StoreError) {
    if try isSame(file, path, length: length) { return }
    try disk.putInPlace(of: path) { draft throws(StoreError) in
      var offset: UInt64 = 0
      while offset < length {
        if keepingHoles { offset = try file.copyHole(from: offset, upTo: length, to: draft) }
        if offset == length { break }
        let bytes = try file.read(at: offset, count: Int(min(length - offset, UInt64(Self.piece))))
        guard !bytes.isEmpty else {
          throw StoreError(
            .truncated, "the file became shorter while it was copied", file: file.path, advice: "try again")
        }
        try draft.write(bytes.span, at: offset)
        offset += UInt64(bytes.count)
      }
      try draft.sync()
    }
    guard try isSame(file, path, length: length) else {
      throw StoreError(
        .io, "what was written does not read as it was meant", file: path,
        advice: "check the disk and the memory of this machine")
    }
    tally.files += 1
    tally.bytes += length
  }

  /// True if a file has those bytes, and no more.
  private func isSame(_ file: any DiskFile, _ path: String, length: UInt64) throws(StoreError) -> Bool {
    let there: any DiskFile
    do throws(StoreError) {
      there = try disk.open(path, .read)
    } catch {
      guard error.code == .notFound else { throw error }
      return false
    }
    guard try there.size() == length else { return false }
    var offset: UInt64 = 0
    while offset < length {
      let next = min(try file.data(from: offset), try there.data(from: offset), length)
      if next > offset {
        offset = next
        continue
      }
      let count = Int(min(length - offset, UInt64(Self.piece)))
      let bytes = try there.read(at: offset, count: count)
      guard bytes.count == count, try file.read(at: offset, count: count) == bytes else { return false }
      offset += UInt64(count)
    }
    return true
  }

  /// Checks a store, and throws if it has a fault.
  private func verified(
    _ path: String, pinned: VerifierKey?, remembered: SignedNote? = nil
  ) throws(StoreError) -> VerifyReport {
    let report = try Verifier(directory: path, pinnedKey: pinned, remembered: remembered, disk: disk).run()
    switch report.verdict {
    case .ok, .unanchored, .pruned: return report
    case .torn, .altered, .truncated, .forked, .badSignature, .missingSegment:
      let finding = report.findings.first { $0.kind == report.verdict }
      throw StoreError(
        .altered, "the store is \(report.verdict.rawValue): \(finding?.message ?? "see verify")", file: path,
        position: finding?.position, advice: "run auditctl verify on it and keep it as evidence")
    }
  }

  // MARK: Restoring

  /// Makes the archived store again, byte for byte, in a new or an empty directory. It stands under
  /// `<target>.incomplete` until it is whole, durable and verified with that key.
  ///
  /// - Throws: `cannotCreate` if `target` cannot be made, `altered` if the archived store does not verify; nothing is
  ///   left then.
  package func restore(to target: String, pinned: VerifierKey) throws(StoreError) -> VerifyReport {
    let from = StoreLayout(store)
    _ = try StoreIdentity(of: from, on: disk)
    let draft = try DirectoryDraft(of: target, outside: from, on: disk)
    do throws(StoreError) {
      let to = StoreLayout(draft.path)
      for path in to.folders { _ = try disk.makeDirectory(path) }
      var tally = Tally()
      for first in try from.segmentList(on: disk) {
        let file = try disk.open(from.segment(first), .read)
        try copy(file, to.segment(first), length: try file.size(), keepingHoles: true, &tally)
      }
      for name in try disk.names(in: from.checkpoints).sorted() where StoreFolder.checkpoints.has(name) {
        let file = try disk.open(from.checkpoints + "/" + name, .read)
        try copy(file, to.checkpoints + "/" + name, length: try file.size(), keepingHoles: true, &tally)
      }
      let identity = try disk.open(from.identity, .read)
      try copy(identity, to.identity, length: try identity.size(), &tally)
      for path in to.folders { try disk.syncDirectory(path) }
      let report = try verified(draft.path, pinned: pinned)
      try draft.publish()
      return report
    } catch {
      draft.discard()
      // The draft is removed; its source has the same fault.
      guard let file = error.file, file.hasPrefix(draft.path) else { throw error }
      var placed = error
      placed.file = from.root + file.dropFirst(draft.path.count)
      throw placed
    }
  }
}
