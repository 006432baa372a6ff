import Foundation
import Testing

@testable import EventStore

/// Proofs out of a store are those that the decoded records give, and cost a few frames.
@Suite struct StoredProofTests {
  /// In which form the segments are that a proof is made from.
  enum Form: String, CaseIterable, Sendable {
    /// One segment, nothing of it closed but its frames.
    case one
    /// Segments of a few frames, with index files.
    case closed
    /// Those before the last are sealed.
    case sealed
    /// A sync failed: a segment supersedes the end of the one before.
    case superseded
    /// A part is pruned, a part sealed, a part neither, and the end in an open frame.
    case mixed
  }

  private struct Stored {
    let disk = MemoryDisk(seed: 3)
    let leaves: [TreeHash]
    static let path = "/volume/audit"

    init(_ form: Form) throws {
      _ = try disk.makeDirectory("/volume")
      var options = LogOptions(
        segmentBytes: form == .one ? 1 << 20 : 4_096, frameBytes: 300, origin: "seal", clock: { noon },
        idleClose: .seconds(3600))
      options.disk = disk
      let log = try EventLog.open(at: Self.path, options: options)
      let key = try SigningKey(name: "seal")
      func append(to size: UInt64) throws {
        while log.size < size {
          let noise = String(log.size &* 0x9E37_79B9_7F4A_7C15, radix: 36)
          pass(log, try log.append([record("s/\(log.size % 5)", noise + noise)]))
        }
      }
      if form == .superseded {
        try append(to: 70)
        try log.sync()
        try append(to: 75)
        disk.fail(.sync, number: 1, with: .io)
        try log.sync()
        #expect(!disk.isFaultPending)
      }
      try append(to: 200)
      if form == .sealed || form == .mixed { _ = try log.seal() }
      var before: [TreeHash] = []
      if form == .mixed {
        before = try Self.leaves(on: disk)
        let kept = try log.prune(before: .position(90), signingWith: key).firstKept
        #expect(kept > 40)
        before = Array(before.prefix(Int(kept)))
      }
      try append(to: form == .sealed ? 320 : 307)
      if form == .sealed { _ = try log.seal() }
      let layout = StoreLayout(Self.path)
      let firsts = try layout.segmentList(on: disk)
      if form == .closed {
        for (first, next) in zip(firsts, firsts.dropFirst()) {
          let file = try disk.open(layout.segment(first), .read)
          let contents = try SegmentContents(directoriesOf: file, limit: nil)
          #expect(contents.frontier.size == next && contents.frames.count > 3)
          #expect(try FooterPlace.form(in: file) == .closed)
        }
      }
      leaves = before + (try Self.leaves(on: disk))
      #expect(leaves.count >= 307 && (form == .one) == (firsts.count == 1))
    }

    private static func leaves(on disk: MemoryDisk) throws -> [TreeHash] {
      var cursor = try LogReader(directory: path, disk: disk).cursor()
      var found: [TreeHash] = []
      while let record = try cursor.next() { found.append(MerkleTree.leaf(record.line)) }
      return found
    }
  }

  @Test(arguments: Form.allCases) func `proofs of all pairs up to 300 are those of the decoded records`(
    _ form: Form
  ) throws {
    let stored = try Stored(form)
    let reader = try LogReader(directory: Stored.path, disk: stored.disk)
    var known: [Range<UInt64>: TreeHash] = [:]
    func root(_ range: Range<UInt64>) -> TreeHash {
      if let hash = known[range] { return hash }
      let hash = MerkleTree.root(of: stored.leaves[Int(range.lowerBound)..<Int(range.upperBound)])
      known[range] = hash
      return hash
    }
    // The short form takes some sizes, and all smaller ones with each.
    let isLong = Effort.number("PROOFS", short: 0) > 0
    var random = SeededRandom(Effort.seed ^ 0x70)
    let sizes = isLong ? Array(1...300) : [1, 2, 64, 255, 256, 257, 300] + (0..<4).map { _ in 1 + random.next() % 300 }
    var count = 0
    for size in sizes {
      for first in 0...size {
        let grown = try reader.consistencyProof(first: first, second: size)
        let hashes = first == 0 ? [] : ConsistencyProof.ranges(first: first, second: size).map(root)
        try #require(grown.hashes == hashes && grown.isValid, "\(first), \(size)")
        try #require(grown.firstRoot == root(0..<first) && grown.secondRoot == root(0..<size), "\(first), \(size)")
        guard first < size else { continue }
        let proof = try reader.inclusionProof(of: first, size: size)
        let path = InclusionProof.ranges(leafIndex: first, treeSize: size).map(root)
        try #require(proof.hashes == path && proof.isValid, "\(first) of \(size)")
        try #require(proof.root == root(0..<size) && proof.leafHash == stored.leaves[Int(first)], "\(first) of \(size)")
        count += 2
      }
      try #require(try reader.root(at: size) == root(0..<size), "root at \(size)")
    }
    Effort.report("proofs: \(count) out of a store, \(form.rawValue), equal to the decoded records'")
  }

  @Test(arguments: Form.allCases) func `what the log does not have is no such position, however far off`(
    _ form: Form
  ) throws {
    let stored = try Stored(form)
    let reader = try LogReader(directory: Stored.path, disk: stored.disk)
    let size = UInt64(stored.leaves.count)
    let edges: [UInt64] = [size + 1, size + 300, 1 << 32, 1 << 61, 1 << 62, (1 << 62) + 1, 1 << 63, .max - 1, .max]
    for far in edges {
      for near in [0, 1, size - 1, size, far / 2, far - 1] {
        #expect(throws: StoreError(.noSuchPosition, ""), "\(near) of \(far)") {
          try reader.inclusionProof(of: near, size: far)
        }
        #expect(throws: StoreError(.noSuchPosition, ""), "\(near), \(far)") {
          try reader.consistencyProof(first: near, second: far)
        }
      }
      #expect(throws: StoreError(.noSuchPosition, ""), "\(far)") { try reader.inclusionProof(of: far) }
      #expect(throws: StoreError(.noSuchPosition, ""), "\(far)") { try reader.root(at: far) }
    }
  }

  @Test func `where a directory is damaged, each proof is right or says that the log was altered`() throws {
    let stored = try Stored(.closed)
    let layout = StoreLayout(Stored.path)
    for first in try layout.segmentList(on: stored.disk) {
      let file = try stored.disk.open(layout.segment(first), .update)
      let last = try DirectoryChain.last(of: file, headEnd: try FileHead(of: file).end)
      let place = try #require(last.directory?.previous) + 20
      let byte = try file.read(at: place, count: 1)
      try file.write([byte[0] ^ 1].span, at: place)
      var right = 0
      for size in stride(from: 1, through: 300, by: 13) as StrideThrough<UInt64> {
        let reader = try LogReader(directory: Stored.path, disk: stored.disk)
        do throws(StoreError) {
          let proof = try reader.inclusionProof(of: size / 2, size: size)
          let root = MerkleTree.root(of: stored.leaves[..<Int(size)])
          #expect(proof.isValid && proof.root == root && proof.leafHash == stored.leaves[Int(size / 2)], "\(size)")
          right += 1
        } catch {
          #expect(error.code == .altered, "\(size): \(error)")
        }
      }
      #expect(right > 0, "index files and other segments are as they were")
    }
  }

  @Test(arguments: [false, true]) func `a proof reads a few frames, however large the log is`(_ isSealed: Bool) throws {
    let disk = MemoryDisk(seed: 4)
    _ = try disk.makeDirectory("/volume")
    var options = LogOptions(
      segmentBytes: isSealed ? 16 << 10 : 1 << 30, frameBytes: 4 << 10, origin: "seal", clock: { noon },
      idleClose: .seconds(3600))
    options.disk = disk
    let log = try EventLog.open(at: Stored.path, options: options)
    var random = SeededRandom(9)
    for part in 0..<300 {
      let batch = (0..<20).map { _ in record("s/\(part % 7)", String(random.next(), radix: 36)) }
      pass(log, try log.append(batch))
    }
    if isSealed { #expect(try log.seal().sealed > 8) }
    let watched = WatchedDisk(disk)
    let reader = try LogReader(directory: Stored.path, disk: watched)
    _ = try reader.inclusionProof(of: 0, size: 6_000)  // the index is read once
    let all = try reader.statistics().bytesOnDisk
    for (position, size) in [(0, 6_000), (2_999, 6_000), (3_333, 4_444), (5_998, 5_999)] as [(UInt64, UInt64)] {
      let before = watched.bytesRead
      let proof = try reader.inclusionProof(of: position, size: size)
      let grown = try reader.consistencyProof(first: position, second: size)
      #expect(proof.isValid && grown.isValid)
      let read = watched.bytesRead - before
      print("\(position) of \(size): \(read) of \(all) bytes read for two proofs")
      #expect(read < Int(all) / 2, "\(position) of \(size)")
    }
    try log.close()
  }
}
