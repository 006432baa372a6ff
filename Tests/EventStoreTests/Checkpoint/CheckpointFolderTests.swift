import Foundation
import Testing

@testable import EventStore

/// Which checkpoints stay in `checkpoints/`.
@Suite struct CheckpointFolderTests {
  private func sizes(_ store: String) throws -> [UInt64] {
    try StoreLayout(store).checkpointSizes(on: SystemDisk()).sorted()
  }

  @Test func `the newest, one a segment and handovers stay, the rest stands in the segments`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(
      at: store.path, options: LogOptions(segmentBytes: 16 << 10, origin: "play", clock: { noon }))
    var key = try SigningKey(name: "play")
    var signed: [UInt64] = []
    var handover: UInt64 = 0
    for round in 0..<200 {
      if round == 20 {
        let next = try SigningKey(name: "play")
        handover = try log.handOver(from: key, to: next).size
        key = next
        signed.append(handover)
      }
      pass(
        log,
        try log.append([
          record("s", String((0..<400).map { Character(UnicodeScalar(UInt8(97 + ($0 * 31 + round * 7) % 26))) }))
        ]))
      signed.append(try log.checkpoint(with: key).size)
    }
    try log.close()
    let left = try sizes(store.path)
    let firsts = try StoreLayout(store.path).segmentList(on: SystemDisk())
    #expect(
      firsts.count > 3 && left.count <= CheckpointFolder.newest + firsts.count + 1 + 20,
      "\(left.count) of \(firsts.count)")
    #expect(Array(left.suffix(CheckpointFolder.newest)) == Array(signed.suffix(CheckpointFolder.newest)))
    #expect(left.contains(handover))
    for first in firsts.dropFirst() {
      let before = try #require(signed.last { $0 <= first })
      #expect(left.contains(before), "\(before), of the segment before \(first)")
    }
    let report = try Verifier(directory: store.path, pinnedKey: key.verifier).run()
    #expect(report.verdict == .ok && report.anchoredSize == signed.last && report.findings.isEmpty)
    // What went from the folder is still checked where it stands in the segments.
    #expect(try notes(in: StoreLayout(store.path), on: SystemDisk()) == signed)
  }

  @Test func `what went from the folder of a sealed log still stands in its segments`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: smallSegments())
    let key = try SigningKey(name: "seal")
    var signed: [UInt64] = []
    for round in 0..<3 {
      for part in 0..<50 {
        try fill(log, records: 3, from: 150 * round + 3 * part)
        signed.append(try log.checkpoint(with: key).size)
      }
      #expect(try log.seal().sealed > 0)
    }
    try log.close()
    let firsts = try StoreLayout(store.path).segmentList(on: SystemDisk())
    #expect(try sizes(store.path).count <= CheckpointFolder.newest + firsts.count)
    #expect(try notes(in: StoreLayout(store.path), on: SystemDisk()) == signed)
  }

  @Test func `a checkpoint that no segment has stays`() throws {
    let layout = StoreLayout("/audit")
    var alone = 0
    // Whichever write fails: behind the file of the checkpoint it is the one of its frame.
    for number in 1...8 {
      let disk = MemoryDisk(seed: UInt64(number))
      var options = LogOptions(origin: "play", clock: { noon })
      options.disk = disk
      let log = try EventLog.open(at: "/audit", options: options)
      let key = try SigningKey(name: "play")
      pass(log, try log.append([record("s", "first")]))
      _ = try log.checkpoint(with: key)
      pass(log, try log.append([record("s", "second")]))
      let size = log.size
      disk.fail(.write, number: number, with: .noSpace)
      let isSigned = (try? log.checkpoint(with: key)) != nil
      let isPublished = try layout.checkpointSizes(on: disk).contains(size)
      if !isSigned, isPublished, try !notes(in: layout, on: disk).contains(size) {
        alone += 1
        for round in 0..<80 {
          pass(log, try log.append([record("s", "\(round)")]))
          _ = try log.checkpoint(with: key)
        }
        #expect(try layout.checkpointSizes(on: disk).contains(size), "write \(number)")
        #expect(try layout.checkpointSizes(on: disk).count == CheckpointFolder.newest + 1, "write \(number)")
      }
      try? log.close()
    }
    #expect(alone > 0)
  }

  /// The sizes of the checkpoints that the segments have.
  private func notes(in layout: StoreLayout, on disk: any Disk) throws -> [UInt64] {
    var found: [UInt64] = []
    for first in try layout.segmentList(on: disk) {
      let file = try disk.open(layout.segment(first), .read)
      let walker = try SegmentWalker(file, from: try FileHead(of: file).end, decoding: false)
      walking: while true {
        switch try walker.next() {
        case .skippable(let frame, _):
          if frame.kind == .note {
            found.append(try SignedNote(text: String(decoding: frame.body, as: UTF8.self)).size)
          }
        case .end: break walking
        default: continue
        }
      }
    }
    return found
  }

  @Test func `a file that is no checkpoint of this log by its key is evidence, and stays`() throws {
    let store = try TemporaryStore()
    let layout = StoreLayout(store.path)
    let log = try EventLog.open(at: store.path, options: LogOptions(origin: "play", clock: { noon }))
    let key = try SigningKey(name: "play")
    func put(_ text: String, _ size: UInt64) throws { try write(Array(text.utf8), to: layout.checkpoint(size)) }
    for round in 0..<20 {
      pass(log, try log.append([record("s", "\(round)")]))
      _ = try log.checkpoint(with: key)
    }
    try put("no note", 2)
    try put(SignedNote(origin: "play", size: 3, root: MerkleTree.leaf([1]), signedBy: key).text, 3)
    try put(SignedNote(origin: "play", size: 4, root: MerkleTree.leaf([1]), signedBy: SigningKey(name: "play")).text, 4)
    try put(SignedNote(origin: "play", size: 9, root: MerkleTree.leaf([1]), signedBy: key).text, 5)
    for round in 0..<80 {
      pass(log, try log.append([record("s", "\(round)")]))
      _ = try log.checkpoint(with: key)
    }
    try log.close()
    #expect(try sizes(store.path).prefix(5) == [2, 3, 4, 5, 38])
    #expect(try sizes(store.path).count == 4 + CheckpointFolder.newest)
  }
}
