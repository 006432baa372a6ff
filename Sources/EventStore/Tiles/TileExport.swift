/// A log as static files in the layout of C2SP tlog-tiles, to be served by any web server and read by any client of that
/// layout: `checkpoint`, the tiles of hashes, the bundles of entries. An entry is a line without its `\n`.
public struct TileExport: Sendable {
  private let directory: String
  private let disk: any Disk

  /// An export of the store at `directory`.
  public init(of directory: String) {
    self.directory = directory
    disk = SystemDisk()
  }

  /// Writes the files into `target`, which must be new or an empty directory: the records that the latest checkpoint covers,
  /// and it. They stand under `<target>.incomplete` until they are whole. Cost: reads the log up to there; memory for 256
  /// records, and for the hashes of one pruned segment. Files are not synced one by one: what a power cut takes can be
  /// exported again.
  ///
  /// If records were pruned, all tiles of hashes are there, and the bundles of entries from the report's `minimumIndex`
  /// on.
  ///
  /// Throws `cannotCreate` if `target` cannot be made, `noSuchPosition` if there is no checkpoint, `pruned` if the last
  /// bundle of entries would have some that were pruned, `altered` if the records are not those that the checkpoint was
  /// signed for, and what reading the log throws. `progress` receives the records done and the total.
  public func write(to target: String, progress: WorkProgress? = nil) throws(StoreError) -> CopyReport {
    let reader = try LogReader(directory: directory)
    guard let note = try StoreLayout(directory).latestCheckpoint(on: disk) else {
      throw StoreError(
        .noSuchPosition, "the log has no checkpoint", file: directory, advice: "sign one with auditctl checkpoint")
    }
    let kept = try reader.firstKept()
    let minimum = try minimumIndex(firstKept: kept, size: note.size)
    let draft = try DirectoryDraft(of: target, outside: StoreLayout(directory), on: disk)
    do throws(StoreError) {
      var tiles = TileWriter(root: draft.path, disk: disk, minimumIndex: minimum)
      let layout = StoreLayout(directory)
      for first in try layout.segmentList(on: disk) where first < kept {
        for hash in try SegmentPruner(layout: layout, disk: disk).leaves(of: first) { try tiles.append(hash) }
        progress?(min(tiles.frontier.size, note.size), note.size)
      }
      let reading = try reader.reading(from: kept)
      try reading.forEach { record, line throws(StoreError) in
        guard record.position < note.size else { return false }
        try tiles.append(line)
        if record.position % 4_096 == 4_095 { progress?(record.position + 1, note.size) }
        return true
      }
      guard tiles.frontier.size == note.size else {
        throw StoreError(
          .truncated, "the log has \(tiles.frontier.size) records, its checkpoint covers \(note.size)", file: directory,
          advice: "run auditctl verify")
      }
      guard tiles.frontier.root == note.root else {
        throw StoreError(
          .altered, "the log's root at \(note.size) records is not the one that its checkpoint states", file: directory,
          position: note.size, advice: "run auditctl verify")
      }
      try tiles.finish()
      try tiles.write(Array(note.text.utf8), to: "checkpoint")
      progress?(note.size, note.size)
      try draft.publish()
    } catch {
      draft.discard()
      throw error
    }
    return CopyReport(
      origin: note.origin, records: note.size, root: note.root, checkpoint: note.size, minimumIndex: minimum)
  }

  /// Where the first bundle begins whose entries are all kept. A bundle may be left out only if it is whole and ends
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

/// Writes tiles as the records come by.
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

  init(root: String, disk: any Disk, minimumIndex: UInt64) {
    self.root = root
    self.disk = disk
    self.minimumIndex = minimumIndex
  }

  /// Adds an entry. Writes what became whole.
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

  /// Adds the hash of an entry, which is in no bundle. Writes what became whole.
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

  /// Writes the tiles that are not whole.
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
    try disk.open(root + "/" + path, .createNew).write(bytes.span, at: 0)
  }
}
