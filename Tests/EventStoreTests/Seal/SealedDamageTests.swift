import Foundation
import Testing

@testable import EventStore

/// A sealed segment of 64 KB, damaged in every way that one bit or one cut can.
@Suite struct SealedDamageTests {
  /// How many bits are flipped, drawn from all; every one where it is 0.
  private static let bits = Effort.number("BITS", short: 200)
  /// How many lengths the segment is cut to, drawn from all, and the last hundred; every one where it is 0.
  private static let cuts = Effort.number("LENGTHS", short: 60)

  /// A store whose first segment is sealed, in frames of some 8 KB of three blocks, and followed by another.
  private struct Sample: Sendable {
    let store: TemporaryStore
    let segment: String
    let good: [UInt8]
    let records: [StoredRecord]
    let size: UInt64
    let root: TreeHash
    let leaves: [TreeHash]
    let headEnd: Int
    let frames: [IndexedFrame]
    let blocks: [(end: Int, records: UInt64)]

    func disk(_ bytes: [UInt8]) -> OverlaidDisk { OverlaidDisk(base: SystemDisk(), path: segment, bytes: bytes) }

    init() throws {
      store = try TemporaryStore()
      try store.identify()
      // A segment that is full at 68 KB is sealed in 64.
      let log = try EventLog.open(
        at: store.path, options: repeatableOptions(segmentBytes: 68 << 10, frameBytes: 8 << 10))
      let layout = StoreLayout(store.path)
      let key = try repeatableKey()
      var random = SeededRandom(1)
      var number = 0
      func append() throws {
        let noise = (0..<22).map { _ in String(random.next(), radix: 36) }.joined()
        pass(log, try log.append([record("authn/\(random.next() % 7)", noise)]))
        number += 1
        if number == 100 { _ = try log.checkpoint(with: key) }
      }
      while try layout.segmentList(on: SystemDisk()).count < 2 { try append() }
      for _ in 0..<9 { try append() }
      try log.sync()
      let firsts = try layout.segmentList(on: SystemDisk())
      var sealer = SegmentSealer(layout: layout, disk: SystemDisk())
      sealer.size = (frame: 8 << 10, block: 3 << 10)
      _ = try #require(try sealer.seal(0, before: firsts[1]))
      try log.close()
      segment = layout.segment(0)
      good = try bytes(of: segment)
      records = try EventStoreTests.records(in: store.path)
      size = UInt64(records.count)
      leaves = records.map { MerkleTree.leaf($0.line) }
      root = MerkleTree.root(of: leaves[...])
      let index = try #require(try FooterPlace.index(in: MemoryFile(good, path: segment)))
      headEnd = Int(try FileHead(of: MemoryFile(good, path: segment)).end)
      frames = index.frames
      blocks = try Self.blocks(of: MemoryFile(good, path: segment), from: headEnd)
      let report = try Verifier(directory: store.path).run()
      #expect(report.verdict == .unanchored && report.findings.isEmpty && report.records == size)
      #expect(good.count > 60_000 && frames.count > 8 && blocks.count > 2 * frames.count && index.hasNodes)
    }

    /// The first record that a damage of this byte can be of: the first that is in no block before it; nil in the footer,
    /// which is about all.
    func firstTouched(_ byte: Int) -> UInt64? {
      guard let last = frames.last, byte < Int(last.offset) + Int(last.length) else { return nil }
      return blocks.last { $0.end <= byte }?.records ?? 0
    }

    /// Where the blocks end, and how many records there are up to each.
    private static func blocks(of file: MemoryFile, from start: Int) throws -> [(end: Int, records: UInt64)] {
      let walker = try SegmentWalker(file, from: UInt64(start))
      var found: [(end: Int, records: UInt64)] = []
      while true {
        switch try walker.next() {
        case .commit:
          let lines = walker.withCommit { commit in (0..<commit.count).count { commit[$0] == 0x0A } }
          found.append((Int(walker.offset), (found.last?.records ?? 0) + UInt64(lines)))
        case .end: return found
        case .frameStart, .frameEnd, .skippable: continue
        }
      }
    }

    /// What is read from a position on until the end or an error.
    func read(_ disk: OverlaidDisk, from position: UInt64) -> ArraySlice<StoredRecord> {
      guard let reader = try? LogReader(directory: store.path, disk: disk),
        var cursor = try? reader.cursor(from: position)
      else { return [] }
      var found: [StoredRecord] = []
      while let record = try? cursor.next() { found.append(record) }
      return found[...]
    }

    /// Asks a damaged store for all that a reader can ask for: each answer is the right one, or an error.
    func expectNothingWrong(_ disk: OverlaidDisk, _ what: String, seed: Int, isThorough: Bool) throws {
      let found = read(disk, from: 0)
      try #require(records.starts(with: found), "\(what): \(found.count) records")
      let position = UInt64(seed % records.count)
      try #require(records[Int(position)...].starts(with: read(disk, from: position)), "\(what), from \(position)")
      let reader = try LogReader(directory: store.path, disk: disk)
      let name = "authn/\(seed % 8)"
      if let stream = try? reader.records(of: name) {
        try #require(stream == records.filter { $0.stream == name }, "\(what): \(stream.count) records of \(name)")
      }
      if isThorough {
        if let last = try? reader.last(30) { try #require(last == records.suffix(30), "\(what): the last") }
        if let proof = try? reader.inclusionProof(of: position, size: size) {
          try #require(proof.isValid && proof.root == root, "\(what): proof of \(position)")
          try #require(proof.leafHash == MerkleTree.leaf(records[Int(position)].line), "\(what): leaf of \(position)")
        }
        if let proof = try? reader.consistencyProof(first: position, second: size) {
          try #require(proof.isValid && proof.secondRoot == root, "\(what): consistency from \(position)")
        }
        let place = UInt64(seed) % (size + 1)
        if let found = try? reader.root(at: place) {
          try #require(found == MerkleTree.root(of: leaves[..<Int(place)]), "\(what): root at \(place)")
        }
        if let counted = try? reader.statistics() { try #require(counted.records == size, "\(what): \(counted)") }
      }
    }
  }

  /// All of `count` numbers, or so many that are drawn.
  private func draw(_ wanted: Int, of count: Int) -> [Int] {
    guard wanted > 0, wanted < count else { return Array(0..<count) }
    var random = SeededRandom(Effort.seed ^ 0x5EA1)
    print("seed \(Effort.seed)")
    // One of each part of equal length, so that all places have their share.
    return (0..<wanted).map { part in
      let from = part * count / wanted
      return from + Int(random.next() % UInt64((part + 1) * count / wanted - from))
    }
  }

  @Test func `the segment that is damaged has the same bytes in every run`() throws {
    let sample = try Sample()
    #expect(try Sample().good == sample.good)
    for record in sample.records where record.at != noon { Issue.record("\(record.type) has the time of the run") }
  }

  @Test func `a flipped bit of a sealed segment is found and placed, and nothing wrong is read`() throws {
    let sample = try Sample()
    let drawn = draw(Self.bits, of: sample.good.count * 8)
    for bit in drawn {
      var bad = sample.good
      bad[bit / 8] ^= 1 << UInt8(bit % 8)
      let disk = sample.disk(bad)
      let report = try Verifier(directory: sample.store.path, disk: disk).run(threads: 1)
      try #require(report.verdict == .altered, "bit \(bit): \(report)")
      let first = try #require(report.findings.first)
      try #require(first.segment == SegmentName.name(first: 0), "bit \(bit): \(first)")
      try #require(first.offset ?? .max <= UInt64(bit / 8), "bit \(bit): \(first)")
      // The first record that cannot be vouched for is that of the damaged block; of a damaged footer, one that it is about.
      let position = try #require(first.position)
      if let touched = sample.firstTouched(bit / 8) {
        try #require(position == touched && report.records == touched, "bit \(bit), in block \(touched): \(report)")
      } else {
        // Where it is not known for a footer any more, what follows the first block has no directory.
        let isPlaced = report.findings.contains { $0.kind == .altered && $0.position == report.records }
        try #require(isPlaced && report.records <= sample.frames.last?.end ?? 0, "bit \(bit): \(report)")
      }
      try sample.expectNothingWrong(
        disk, "bit \(bit)", seed: bit, isThorough: bit % (drawn.count < 10_000 ? 3 : 16) == 1)
    }
    Effort.report("sealed bits: \(drawn.count) of \(sample.good.count * 8) flipped, all found, nothing wrong was read")
  }

  @Test func `a sealed segment cut at any byte is found and placed, and nothing wrong is read`() throws {
    let sample = try Sample()
    let count = sample.good.count
    let lengths = Set(draw(Self.cuts, of: count)).union(count - 100..<count).union([0, 1, 10, 11])
    for length in lengths.sorted() {
      let disk = sample.disk(Array(sample.good[..<length]))
      let report = try Verifier(directory: sample.store.path, disk: disk).run(threads: 1)
      try #require(report.verdict == .altered, "\(length): \(report)")
      let first = try #require(report.findings.first)
      // Cut behind its header, it is an empty one, and the next does not follow it.
      let isEmpty = length == sample.headEnd
      try #require((first.segment == SegmentName.name(first: 0)) != isEmpty, "\(length): \(first)")
      try #require(first.offset ?? .max <= UInt64(length), "\(length): \(first)")
      // Without its footer it is taken for a segment that is not sealed: its first block counts, what follows has no directory.
      try #require(report.records <= sample.firstTouched(length) ?? .max, "\(length): \(report)")
      let isPlaced = report.findings.contains { $0.kind == .altered && $0.position == report.records }
      try #require(isPlaced, "\(length): \(report)")
      try sample.expectNothingWrong(disk, "length \(length)", seed: length, isThorough: true)
    }
    Effort.report("sealed lengths: cut to \(lengths.count) of \(count) lengths, all found, nothing wrong was read")
  }
}
