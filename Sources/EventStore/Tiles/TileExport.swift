/// A log as static files in the layout of C2SP tlog-tiles, to be served by any web server and read by any client of
/// that layout: `checkpoint`, the tiles of hashes, the bundles of entries. An entry is a line without its `\n`.
public struct TileExport: Sendable {
  private let directory: String
  private let disk: any Disk

  /// An export of the store at `directory`.
  public init(of directory: String) {
    self.init(of: directory, disk: SystemDisk())
  }

  package init(of directory: String, disk: any Disk) {
    self.directory = directory
    self.disk = disk
  }

  /// Writes the files into `target`, which must be new or an empty directory: the records that the latest checkpoint
  /// covers, and it. They stand under `<target>.incomplete` until they are whole. Cost: reads the log up to there;
  /// memory for 256 records, and for the hashes of one pruned segment. All is durable when it returns.
  ///
  /// If records were pruned, all tiles of hashes are there, and the bundles of entries from the report's `minimumIndex`
  /// on.
  ///
  /// `progress` receives the records done and the total.
  ///
  /// - Throws: `cannotCreate` if `target` cannot be made, `noSuchPosition` if there is no checkpoint, `pruned` if the
  ///   last bundle of entries would have some that were pruned, `altered` if the records are not those that the
  ///   checkpoint was signed for, and what reading the log throws.
  public func write(to target: String, progress: WorkProgress? = nil) throws(StoreError) -> CopyReport {
    let plan = try plan()
    let draft = try DirectoryDraft(of: target, outside: StoreLayout(directory), on: disk)
    do throws(StoreError) {
      var tiles = TileWriter(root: draft.path, disk: disk, minimumIndex: plan.minimum)
      try fill(&tiles, plan, progress)
      try tiles.write(Array(plan.note.text.utf8), to: "checkpoint")
      try tiles.syncFolders()
      progress?(plan.note.size, plan.note.size)
      try draft.publish()
    } catch {
      draft.discard()
      throw error
    }
    return plan.report
  }

  /// Brings the files in `target` up to the latest checkpoint; it is made if it is not there. Existing files stay, and
  /// are compared; meanwhile readers find everything that the existing checkpoint covers, which is replaced last. All
  /// is durable when it returns. Cost: reads the log up to there, and the tiles.
  ///
  /// - Throws: `altered` if an existing tile differs, `truncated` if the existing checkpoint covers more, and what
  ///   `write` throws.
  package func update(_ target: String) throws(StoreError) -> CopyReport {
    let plan = try plan()
    let root = StoreLayout(target).root
    try disk.makeDurableDirectory(root)
    let path = root + "/checkpoint"
    let known = try StoreLayout(directory).note(at: path, on: disk)
    if let known, known.size > plan.note.size {
      throw StoreError(
        .truncated, "the tiles are of \(known.size) records, the log's checkpoint covers \(plan.note.size)", file: path,
        advice: "keep both, and run auditctl verify")
    }
    var tiles = TileWriter(root: root, disk: disk, minimumIndex: plan.minimum, keepsWhatIsThere: true)
    try fill(&tiles, plan, nil)
    try tiles.syncFolders()
    if known != plan.note { try disk.replace(path, with: Array(plan.note.text.utf8), in: root) }
    return plan.report
  }

  /// What is exported.
  private struct Plan {
    let reader: LogReader
    let note: SignedNote
    /// The position of the first record that was not pruned.
    let kept: UInt64
    /// The position of the first entry that is written.
    let minimum: UInt64

    var report: CopyReport {
      CopyReport(
        origin: note.origin, records: note.size, root: note.root, checkpoint: note.size, minimumIndex: minimum)
    }
  }

  private func plan() throws(StoreError) -> Plan {
    let reader = try LogReader(directory: directory, disk: disk)
    guard let note = try StoreLayout(directory).latestCheckpoint(on: disk) else {
      throw StoreError(
        .noSuchPosition, "the log has no checkpoint", file: directory, advice: "sign one with auditctl checkpoint")
    }
    let kept = try reader.firstKept()
    return Plan(
      reader: reader, note: note, kept: kept, minimum: try minimumIndex(firstKept: kept, size: note.size))
  }

  /// Writes all tiles, and compares the tree with the checkpoint.
  private func fill(_ tiles: inout TileWriter, _ plan: Plan, _ progress: WorkProgress?) throws(StoreError) {
    let layout = StoreLayout(directory)
    let size = plan.note.size
    for first in try layout.segmentList(on: disk) where first < plan.kept {
      for hash in try SegmentPruner(layout: layout, disk: disk).leaves(of: first) { try tiles.append(hash) }
      progress?(min(tiles.frontier.size, size), size)
    }
    try plan.reader.reading(from: plan.kept).forEach { record, line throws(StoreError) in
      guard record.position < size else { return false }
      try tiles.append(line)
      if record.position % 4_096 == 4_095 { progress?(record.position + 1, size) }
      return true
    }
    guard tiles.frontier.size == size else {
      throw StoreError(
        .truncated, "the log has \(tiles.frontier.size) records, its checkpoint covers \(size)", file: directory,
        advice: "run auditctl verify")
    }
    guard tiles.frontier.root == plan.note.root else {
      throw StoreError(
        .altered, "the log's root at \(size) records is not the one that its checkpoint states", file: directory,
        position: size, advice: "run auditctl verify")
    }
    try tiles.finish()
  }

  /// The position of the first bundle whose entries are all kept. A bundle may be left out only if it is whole and ends
  /// before the log's minimum index, which is not over its size (C2SP tlog-tiles, Pruning).
  private func minimumIndex(firstKept kept: UInt64, size: UInt64) throws(StoreError) -> UInt64 {
    let width = UInt64(TilePath.width)
    let minimum = (kept + width - 1) / width * width
    guard minimum <= size else {
      throw StoreError(
        .pruned, "the records before \(kept) were pruned, and the last bundle of entries would have some of them",
        file: directory, position: kept, advice: "export it when a checkpoint covers \(minimum) records")
    }
    return minimum
  }
}

/// Writes tiles as records are added.
private struct TileWriter {
  let root: String
  let disk: any Disk
  /// The tree over all that was appended.
  private(set) var frontier = MerkleFrontier()
  /// The hashes of the last tile of each level, and how many tiles of the level are written.
  private var levels: [(hashes: [TreeHash], written: UInt64)] = [([], 0)]
  /// The entries of the last bundle.
  private var bundle: [UInt8] = []
  private var made: Set<String> = []

  /// The position of the first entry that is written, a multiple of 256.
  private let minimumIndex: UInt64
  /// True if files may exist, which are then compared; each new one is complete before it gets its name.
  private let keepsWhatIsThere: Bool

  init(root: String, disk: any Disk, minimumIndex: UInt64, keepsWhatIsThere: Bool = false) {
    self.root = root
    self.disk = disk
    self.minimumIndex = minimumIndex
    self.keepsWhatIsThere = keepsWhatIsThere
  }

  /// Makes the names of the written files durable.
  func syncFolders() throws(StoreError) {
    for folder in made.sorted() { try disk.syncDirectory(folder) }
    try disk.syncDirectory(root)
  }

  /// Adds an entry. Writes tiles and bundles that became complete.
  mutating func append(_ line: Span<UInt8>) throws(StoreError) {
    guard let length = UInt16(exactly: line.count) else {
      throw StoreError(.tooLarge, "a line has \(line.count) bytes, an entry at most 65535", position: frontier.size)
    }
    if frontier.size >= minimumIndex {
      bundle.append(UInt8(length >> 8))
      bundle.append(UInt8(length & 0xFF))
      unsafe line.withUnsafeBufferPointer { bytes in
        // SAFETY: the span's bytes outlive the call, which copies them.
        unsafe bundle.append(contentsOf: bytes)
      }
    }
    try append(MerkleTree.leaf(line))
  }

  /// Adds the hash of an entry that is in no bundle. Writes tiles that became complete.
  mutating func append(_ leaf: TreeHash) throws(StoreError) {
    var hash = leaf
    frontier.append(hash)
    var level = 0
    while true {
      if level == levels.count { levels.append(([], 0)) }
      levels[level].hashes.append(hash)
      guard levels[level].hashes.count == TilePath.width else { return }
      hash = MerkleTree.root(of: levels[level].hashes[...])
      try writeTile(level)
      level += 1
    }
  }

  /// Writes the incomplete tiles.
  mutating func finish() throws(StoreError) {
    for level in levels.indices where !levels[level].hashes.isEmpty { try writeTile(level) }
  }

  private mutating func writeTile(_ level: Int) throws(StoreError) {
    let (hashes, index) = levels[level]
    if level == 0, index >= minimumIndex / UInt64(TilePath.width) {
      try write(bundle, to: TilePath.path(level: nil, index: index, count: hashes.count))
      bundle.removeAll(keepingCapacity: true)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(hashes.count * 32)
    for hash in hashes { hash.append(to: &bytes) }
    try write(bytes, to: TilePath.path(level: level, index: index, count: hashes.count))
    levels[level] = ([], index + 1)
  }

  /// Writes a file, and makes the directories that it stands in.
  mutating func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
    var folder = root
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      if made.insert(folder).inserted { _ = try disk.makeDirectory(folder) }
    }
    let file = root + "/" + path
    guard keepsWhatIsThere else {
      let new = try disk.open(file, .createNew)
      try new.write(bytes.span, at: 0)
      return try new.sync()
    }
    if let there = try published(file) {
      guard try there.size() == UInt64(bytes.count), try there.read(at: 0, count: bytes.count) == bytes else {
        throw StoreError(
          .altered, "the tile that is there is another one", file: file,
          advice: "keep it as evidence; remove it to have it written again")
      }
      return
    }
    try disk.putInPlace(of: file) { draft throws(StoreError) in
      try draft.write(bytes.span, at: 0)
      try draft.sync()
    }
  }

  private func published(_ file: String) throws(StoreError) -> (any DiskFile)? {
    do throws(StoreError) { return try disk.open(file, .read) } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }
}
