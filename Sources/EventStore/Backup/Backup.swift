/// What a backup or a restored store holds.
public struct CopyReport: Sendable, Hashable {
  /// The name under which it signs.
  public var origin: String
  /// How many records it has.
  public var records: UInt64
  /// The Merkle root over them.
  public var root: TreeHash
  /// The size of the largest checkpoint in it; nil if there is none.
  public var checkpoint: UInt64?
  /// How many records a checkpoint covers that are lost; see `StoreOrigin.lost`.
  public var lost: UInt64 = 0
  /// For an export as tiles: the position of its first entry, a multiple of 256. Earlier entries are missing because
  /// records were pruned (the minimum index of C2SP tlog-tiles).
  public var minimumIndex: UInt64 = 0
}

/// A copy of a store that is a valid store itself, taken also while the writer runs.
///
/// It keeps origin and key, so `Verifier` treats it as the log it is a copy of. It cannot be opened for appending: that
/// would make two logs that sign under one name. `Restore` makes a log from it that continues under a new name.
public struct Backup: Sendable {
  private let directory: String
  private let disk: any Disk

  /// A backup of the store at `directory`.
  public init(of directory: String) {
    self.directory = directory
    disk = SystemDisk()
  }

  /// Writes the backup into `target`, which must be new or an empty directory, and verifies it. It stands under
  /// `<target>.incomplete` until it is whole and durable. Cost: reads the log, writes it, and reads the copy.
  ///
  /// `progress` receives the bytes done and the total.
  ///
  /// - Throws: `cannotCreate` if `target` cannot be made, `truncated` or `altered` if the store is damaged (nothing is
  ///   left behind then), and what reading a store throws.
  public func write(
    to target: String, at time: Timestamp = .now(), progress: WorkProgress? = nil
  ) throws(StoreError) -> CopyReport {
    let source = StoreLayout(directory)
    _ = try StoreIdentity(of: source, on: disk)  // before anything is made
    let draft = try DirectoryDraft(of: target, outside: source, on: disk)
    let passes = TwoPasses(progress)
    do throws(StoreError) {
      let layout = StoreLayout(draft.path)
      let copy = try StoreCopy(
        source: source, target: layout, disk: disk, takesTruncated: false,
        progress: passes.first
      ).run()
      var identity = copy.identity
      identity.backup = BackupMark(
        at: time.description, size: copy.frontier.size, root: copy.frontier.root.description)
      try identity.save(to: layout, on: disk)
      try Self.check(draft.path, against: source.root, progress: passes.second)
      try draft.publish()
      return CopyReport(
        origin: identity.origin, records: copy.frontier.size, root: copy.frontier.root, checkpoint: copy.last?.size)
    } catch {
      draft.discard()
      throw error
    }
  }

  /// Verifies a copy; throws what is wrong with it.
  static func check(
    _ path: String, against source: String, progress: WorkProgress?
  ) throws(StoreError) {
    let report = try Verifier(directory: path).run(progress: progress)
    switch report.verdict {
    case .ok, .unanchored, .pruned: return
    case .torn, .altered, .truncated, .forked, .badSignature, .missingSegment:
      let finding = report.findings.first { $0.kind == report.verdict }
      throw StoreError(
        .altered, "the store is \(report.verdict.rawValue): \(finding?.message ?? "see verify")", file: source,
        position: finding?.position, advice: "run auditctl verify on it and keep it as evidence")
    }
  }
}
