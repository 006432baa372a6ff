// A store of several small segments, with streams that go through all of them.
import Foundation
import Testing

@testable import EventStore

/// Options of a log whose segments are full after a few records, and which does nothing in the background.
func smallSegments(_ bytes: Int = 8 << 10) -> LogOptions {
  LogOptions(segmentBytes: bytes, frameBytes: 2 << 10, origin: "seal", clock: { noon })
}

/// Appends `count` records of `streams` streams, one after another, with a checkpoint after each 100 where there is a key.
/// Begins with the record number `start`.
func fill(
  _ log: EventLog, records count: Int, streams: Int = 7, from start: Int = 0, signedBy key: SigningKey? = nil
) throws {
  var random = SeededRandom(UInt64(start) + 3)
  for number in start..<start + count {
    let noise = (0..<4).map { _ in String(random.next(), radix: 36) }.joined()
    pass(log, try log.append([record("s/\(number % streams)", "\(number) \(noise)")]))
    if let key, number % 100 == 99 { _ = try log.checkpoint(with: key) }
  }
  try log.sync()
}

/// A number of records in `segments` segments or more.
func makeSegments(in store: TemporaryStore, records: Int = 500, signedBy key: SigningKey? = nil) throws {
  let log = try EventLog.open(at: store.path, options: smallSegments())
  try fill(log, records: records, signedBy: key)
  if let key { _ = try log.checkpoint(with: key) }
  try log.close()
}

/// The path of the program that checks a store without us.
let independentCheck = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .appendingPathComponent("independent_check.py").path

extension MemoryDisk {
  /// Writes the files of a store on this disk to a real directory.
  func copy(_ store: String, to target: String) throws {
    for folder in ["", "/segments", "/checkpoints"] {
      try FileManager.default.createDirectory(
        atPath: target + folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for name in try names(in: store + folder) {
        guard let file = try? open(store + folder + "/" + name, .read) else { continue }
        try write(try file.read(at: 0, count: Int(try file.size())), to: target + folder + "/" + name)
      }
    }
  }
}

/// A signed store that has segments of every form: pruned ones, sealed ones, closed ones that are neither, and the last.
struct MixedStore {
  let store: TemporaryStore
  let key: SigningKey
  /// The lines' hashes, those of the pruned records too.
  let leaves: [TreeHash]
  /// What is kept.
  let kept: [StoredRecord]
  let firstKept: UInt64
  let note: SignedNote

  init() throws {
    store = try TemporaryStore()
    key = try SigningKey(name: "seal")
    let log = try EventLog.open(at: store.path, options: smallSegments())
    try fill(log, records: 700, signedBy: key)
    _ = try log.seal()
    let before = try records(in: store.path)
    firstKept = try log.prune(before: .position(300), signingWith: key).firstKept
    try fill(log, records: 300, from: 700)
    note = try log.checkpoint(with: key)
    try log.close()
    kept = try records(in: store.path, from: firstKept)
    leaves = (before.prefix(Int(firstKept)) + kept).map { MerkleTree.leaf($0.line) }
    let statistics = try LogReader(directory: store.path).statistics()
    #expect(statistics.prunedSegments > 1 && statistics.sealedSegments > 1 && statistics.records == note.size)
    #expect(statistics.segments > statistics.sealedSegments + statistics.prunedSegments + 2)
    #expect(leaves.count == Int(note.size))
  }

  /// Asks a store that has these records at its beginning for proofs and roots, and compares them with those of the leaves.
  func expectProofs(of path: String, _ location: SourceLocation = #_sourceLocation) throws {
    let reader = try LogReader(directory: path)
    var random = SeededRandom(Effort.seed)
    let edges = [0, 1, 255, 256, firstKept - 1, firstKept, firstKept + 1, note.size - 1]
    for number in 0..<120 {
      let size = number < edges.count ? note.size : 1 + random.next() % note.size
      let position = number < edges.count ? edges[number] : random.next() % size
      let root = MerkleTree.root(of: leaves[..<Int(size)])
      let proof = try reader.inclusionProof(of: position, size: size)
      #expect(proof.isValid && proof.root == root, "\(position) of \(size)", sourceLocation: location)
      #expect(proof.leafHash == leaves[Int(position)], "\(position) of \(size)", sourceLocation: location)
      let grown = try reader.consistencyProof(first: position, second: size)
      #expect(grown.isValid && grown.secondRoot == root, "\(position), \(size)", sourceLocation: location)
      #expect(
        grown.firstRoot == MerkleTree.root(of: leaves[..<Int(position)]), "\(position)", sourceLocation: location)
      #expect(try reader.root(at: size) == root, "\(size)", sourceLocation: location)
    }
  }
}

/// Makes a store one of format 1: its closed segments have no footer.
func makeFormatOne(_ store: TemporaryStore) throws {
  for path in try store.segments() {
    var all = try bytes(of: path)
    let file = MemoryFile(all, path: path)
    if try FooterPlace.form(in: file) == .closed, let (offset, _) = try FooterPlace.body(in: file) {
      all.removeSubrange((Int(offset) - FooterPlace.headLength)...)
    }
    let head = try FileHead(of: file)
    let text = String(decoding: head.frame.body, as: UTF8.self).replacing("\"format\":2", with: "\"format\":1")
    let frame = SkippableFrame(kind: .head, body: Array(text.utf8)).encoded
    all.replaceSubrange(FrameFormat.prologue.count..<Int(head.end), with: frame)
    try write(all, to: path)
  }
  let text = String(decoding: try bytes(of: store.path + "/store.json"), as: UTF8.self)
  try write(Array(text.replacing("\"format\" : 2", with: "\"format\" : 1").utf8), to: store.path + "/store.json")
}

/// Writes three times so many records, with a checkpoint after each time, and one record behind them: several segments.
func signRounds(of count: Int, in store: TemporaryStore) throws -> (key: SigningKey, notes: [SignedNote]) {
  let log = try EventLog.open(at: store.path, options: .init(segmentBytes: 4 << 10, frameBytes: 1 << 10))
  let key = try SigningKey(name: log.identity.origin)
  var notes: [SignedNote] = []
  for round in 0..<3 {
    for index in 0..<count { pass(log, try log.append([record("s/\(index % 5)", "\(round) \(index * 7919)")])) }
    notes.append(try log.checkpoint(with: key))
  }
  pass(log, try log.append([record("s/1", "after")]))
  try log.close()
  return (key, notes)
}
