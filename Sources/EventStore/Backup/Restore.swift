/// Creates a log that continues from a backup or a damaged store.
///
/// The new store keeps every record and checkpoint byte by byte, has a new id and a new origin, and names in
/// `store.json` the store it was made from, its size, key and last checkpoint. Its own segments begin after that; the
/// first record there is `log.restored`. It signs with a new key, made on first signing.
public struct Restore: Sendable {
  private let directory: String
  private let disk: any Disk

  /// A restore from the store or backup at `directory`, which is only read.
  public init(from directory: String) {
    self.directory = directory
    disk = SystemDisk()
  }

  /// Writes the new store into `target`, which must be new or an empty directory, and verifies it. It stands under
  /// `<target>.incomplete` until it is whole and durable.
  ///
  /// - Parameters:
  ///   - target: the directory of the new store.
  ///   - origin: the name under which it signs; nil makes one from its random id. No log before it may have had it.
  ///   - acceptsLoss: takes a log that is smaller than its last checkpoint. The checkpoint is kept in `store.json`, so
  ///     that the loss is on record. Also takes a backup that is smaller than it was when it was made.
  ///   - time: when the records say that it was restored.
  ///   - progress: receives the bytes that are done; nil reports no progress.
  /// - Throws: `cannotCreate` if `target` cannot be made, `invalid` if the origin cannot be used, `truncated` or
  ///   `altered` if the source is damaged (nothing is left behind then), and what reading a store throws.
  public func write(
    to target: String, origin: String? = nil, acceptsLoss: Bool = false, at time: Timestamp = .now(),
    progress: WorkProgress? = nil
  ) throws(StoreError) -> CopyReport {
    let source = StoreLayout(directory)
    let old = try StoreIdentity(of: source, on: disk)
    var identity = try StoreIdentity(newWithOrigin: origin)
    guard !old.isOf(identity.origin) else {
      throw StoreError(
        .invalid, "\(identity.origin) is the name of the log that is restored", file: source.root,
        advice: "give another origin, or none")
    }
    let draft = try DirectoryDraft(of: target, outside: source, on: disk)
    let passes = TwoPasses(progress)
    do throws(StoreError) {
      let layout = StoreLayout(draft.path)
      let copy = try StoreCopy(
        source: source, target: layout, disk: disk, takesTruncated: acceptsLoss,
        progress: passes.first
      ).run()
      // The largest checkpoint of a store that was restored and has signed nothing is one of the store before it, whose
      // own entry has it.
      let own = copy.last.flatMap { $0.origin.isSame(as: old.origin) ? $0 : nil }
      let before = StoreOrigin(
        store: old.id, origin: old.origin, size: copy.frontier.size, root: copy.frontier.root.description,
        publicKey: copy.identity.publicKey, checkpoint: own?.text)
      identity.retiredKeys = copy.identity.retiredKeys
      identity.restoredFrom = old.restoredFrom + [before]
      try identity.save(to: layout, on: disk)
      try begin(layout, identity: identity, after: copy)
      let (size, root) = try tell(before, lost: before.lost, in: draft.path, at: time)
      try Backup.check(draft.path, against: source.root, progress: passes.second)
      try draft.publish()
      return CopyReport(
        origin: identity.origin, records: size, root: root, checkpoint: copy.last?.size, lost: before.lost)
    } catch {
      draft.discard()
      throw error
    }
  }

  /// Begins a segment of the new store after the last record of the old one.
  private func begin(
    _ layout: StoreLayout, identity: StoreIdentity, after copy: StoreCopy.Result
  ) throws(StoreError) {
    // A segment that the old writer began but left empty is replaced.
    let previous = copy.firsts.last { $0 < copy.frontier.size }
    let header = SegmentHeader(identity: identity, frontier: copy.frontier, previous: previous)
    try disk.replace(
      layout.segment(copy.frontier.size), with: FrameFormat.prologue + (try header.frame()).encoded,
      in: layout.segments)
  }

  /// Puts what happened into the log.
  private func tell(
    _ before: StoreOrigin, lost: UInt64, in path: String, at time: Timestamp
  ) throws(StoreError) -> (UInt64, TreeHash) {
    let log = try EventLog.open(at: path)
    let data =
      "{\"store\":\"\(before.store)\",\"origin\":\"\(before.origin)\",\"size\":\(before.size),"
      + "\"root\":\"\(before.root)\",\"lost\":\(lost)}"
    _ = try log.engine.append(
      [
        NewRecord(at: time, stream: Envelope.ownStream, type: OwnRecords.restored, data: Array(data.utf8))
      ], expecting: .any)
    try log.close()
    guard let root = TreeHash(bytes: log.rootHash) else { return (log.size, MerkleTree.empty) }
    return (log.size, root)
  }
}
