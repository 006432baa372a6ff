import Crypto
import Testing

@testable import EventStore

/// RFC 6962 §2.1 to §2.1.2 word for word, on byte arrays; shares nothing with the code under test.
private enum RFC6962 {
  static func hash(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

  static func split(_ count: Int) -> Int {
    var power = 1
    while power * 2 < count { power *= 2 }
    return power
  }

  /// The tree head over leaf hashes, remembered, since all sizes are asked for.
  static func root(_ leaves: ArraySlice<[UInt8]>, _ known: inout [Range<Int>: [UInt8]]) -> [UInt8] {
    if leaves.isEmpty { return hash([]) }
    if leaves.count == 1 { return leaves[leaves.startIndex] }
    if let root = known[leaves.indices] { return root }
    let middle = leaves.startIndex + split(leaves.count)
    let root = hash([1] + root(leaves[..<middle], &known) + root(leaves[middle...], &known))
    known[leaves.indices] = root
    return root
  }

  static func path(_ index: Int, _ leaves: ArraySlice<[UInt8]>, _ known: inout [Range<Int>: [UInt8]]) -> [[UInt8]] {
    if leaves.count == 1 { return [] }
    let k = split(leaves.count)
    let middle = leaves.startIndex + k
    return index < k
      ? path(index, leaves[..<middle], &known) + [root(leaves[middle...], &known)]
      : path(index - k, leaves[middle...], &known) + [root(leaves[..<middle], &known)]
  }

  static func subproof(
    _ size: Int, _ leaves: ArraySlice<[UInt8]>, _ isWhole: Bool, _ known: inout [Range<Int>: [UInt8]]
  ) -> [[UInt8]] {
    if size == leaves.count { return isWhole ? [] : [root(leaves, &known)] }
    let k = split(leaves.count)
    let middle = leaves.startIndex + k
    return size <= k
      ? subproof(size, leaves[..<middle], isWhole, &known) + [root(leaves[middle...], &known)]
      : subproof(size - k, leaves[middle...], false, &known) + [root(leaves[..<middle], &known)]
  }
}

@Suite struct ProofTests {
  private static let leaves = (0..<300).map { RFC6962.hash([0] + Array("leaf \($0)".utf8)) }
  private static let hashes = leaves.compactMap { TreeHash(bytes: $0) }

  /// The roots over ranges, with the code under test; known ones are asked for again and again.
  private struct Roots {
    var known: [Range<UInt64>: TreeHash] = [:]

    mutating func over(_ ranges: [Range<UInt64>]) -> [TreeHash] {
      ranges.map { range in
        if let root = known[range] { return root }
        var tree = MerkleFrontier()
        for leaf in ProofTests.hashes[Int(range.lowerBound)..<Int(range.upperBound)] { tree.append(leaf) }
        known[range] = tree.root
        return tree.root
      }
    }
  }

  @Test func `inclusion proofs of all leaves of all sizes to 300 are those of the RFC`() throws {
    var known: [Range<Int>: [UInt8]] = [:]
    var roots = Roots()
    for size in 1...300 {
      let leaves = Self.leaves[..<size]
      let root = try #require(TreeHash(bytes: RFC6962.root(leaves, &known)))
      for index in 0..<size {
        let ours = roots.over(InclusionProof.ranges(leafIndex: UInt64(index), treeSize: UInt64(size)))
        try #require(ours.map(\.bytes) == RFC6962.path(index, leaves, &known), "\(index) of \(size)")
        let proof = InclusionProof(
          leafIndex: UInt64(index), treeSize: UInt64(size), leafHash: Self.hashes[index], root: root, hashes: ours)
        try #require(proof.isValid, "\(index) of \(size)")
      }
    }
  }

  @Test func `consistency proofs of all pairs of sizes to 300 are those of the RFC`() throws {
    var known: [Range<Int>: [UInt8]] = [:]
    var roots = Roots()
    for second in 1...300 {
      for first in 1...second {
        let ours = roots.over(ConsistencyProof.ranges(first: UInt64(first), second: UInt64(second)))
        let theirs = RFC6962.subproof(first, Self.leaves[..<second], true, &known)
        try #require(ours.map(\.bytes) == theirs, "\(first) of \(second)")
        let proof = ConsistencyProof(
          first: UInt64(first), second: UInt64(second),
          firstRoot: try #require(TreeHash(bytes: RFC6962.root(Self.leaves[..<first], &known))),
          secondRoot: try #require(TreeHash(bytes: RFC6962.root(Self.leaves[..<second], &known))), hashes: ours)
        try #require(proof.isValid, "\(first) of \(second)")
      }
    }
  }

  @Test func `a thousand changed proofs of each kind are refused`() throws {
    var random = SeededRandom(6_962)
    var roots = Roots()
    for round in 0..<1_000 {
      let second = UInt64.random(in: 2...300, using: &random)
      let first = UInt64.random(in: 1..<second, using: &random)
      let path = roots.over(InclusionProof.ranges(leafIndex: first, treeSize: second))
      var proof = InclusionProof(
        leafIndex: first, treeSize: second, leafHash: Self.hashes[Int(first)], root: roots.over([0..<second])[0],
        hashes: path)
      switch round % 6 {
      case 0: proof.hashes = changed(path, &random)
      case 1: proof.hashes = mixed(path, &random)
      case 2: proof.leafHash = flipped(proof.leafHash, &random)
      case 3: proof.root = flipped(proof.root, &random)
      case 4: proof.leafIndex = random.next() % 2 == 0 ? first ^ 1 : second + random.next() % 9
      default: proof.treeSize = random.next() % 2 == 0 ? first : 0
      }
      #expect(!proof.isValid, "\(round): \(first) of \(second)")

      let nodes = roots.over(ConsistencyProof.ranges(first: first, second: second))
      var link = ConsistencyProof(
        first: first, second: second, firstRoot: roots.over([0..<first])[0], secondRoot: roots.over([0..<second])[0],
        hashes: nodes)
      switch round % 5 {
      case 0: link.hashes = changed(nodes, &random)
      case 1: link.hashes = mixed(nodes, &random)
      case 2: link.firstRoot = flipped(link.firstRoot, &random)
      case 3: link.secondRoot = flipped(link.secondRoot, &random)
      default: link.second = first - 1
      }
      #expect(!link.isValid, "\(round): \(first) to \(second)")
    }
  }

  private func flipped(_ hash: TreeHash, _ random: inout SeededRandom) -> TreeHash {
    var bytes = hash.bytes
    bytes[Int(random.next() % 32)] ^= 1 << UInt8(random.next() % 8)
    return TreeHash(bytes: bytes) ?? MerkleTree.empty
  }

  /// The same hashes with one bit flipped.
  private func changed(_ hashes: [TreeHash], _ random: inout SeededRandom) -> [TreeHash] {
    var copy = hashes
    let index = Int(random.next() % UInt64(hashes.count))
    copy[index] = flipped(copy[index], &random)
    return copy
  }

  /// The same hashes with one too few or too many, or in another order.
  private func mixed(_ hashes: [TreeHash], _ random: inout SeededRandom) -> [TreeHash] {
    switch random.next() % 3 {
    case 0: Array(hashes.dropLast())
    case 1: hashes + [hashes[0]]
    default: hashes.count > 1 ? Array(hashes.reversed()) : []
    }
  }

  @Test func `numbers at the edge have an answer, never a trap`() {
    let hash = MerkleTree.empty
    for first in [0, 1, .max - 1, .max] as [UInt64] {
      for second in [0, 1, .max - 1, .max] as [UInt64] {
        for count in [0, 1, 64, 65] {
          let hashes = Array(repeating: hash, count: count)
          #expect(
            !InclusionProof(leafIndex: first, treeSize: second, leafHash: hash, root: hash, hashes: hashes).isValid
              || (first == 0 && second == 1 && count == 0))
          let link = ConsistencyProof(first: first, second: second, firstRoot: hash, secondRoot: hash, hashes: hashes)
          #expect(!link.isValid || (count == 0 && (first == second || first == 0)))
        }
      }
    }
  }

  @Test func `a store proves what it holds, and nothing that it does not`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(segmentBytes: 1 << 10, frameBytes: 400))
    for index in 0..<60 { pass(log, try log.append([record("s", "\(index * 7919)")])) }
    let reader = try LogReader(directory: store.path)
    let all = try records(in: store.path)
    for size in [1, 7, 32, 61] as [UInt64] {
      let root = MerkleTree.root(of: all.prefix(Int(size)).map { MerkleTree.leaf($0.line) }[...])
      let proof = try reader.inclusionProof(of: size / 2, size: size)
      #expect(proof.isValid && proof.root == root && proof.leafHash == MerkleTree.leaf(all[Int(size / 2)].line))
      let link = try reader.consistencyProof(first: size, second: 61)
      #expect(link.isValid && link.firstRoot == root && link.secondRoot.bytes == log.rootHash)
    }
    #expect(try reader.inclusionProof(of: 60).treeSize == 61)
    #expect(try reader.consistencyProof(first: 0, second: 5).isValid)
    #expect(throws: StoreError(.noSuchPosition, "")) { try reader.inclusionProof(of: 61) }
    #expect(throws: StoreError(.noSuchPosition, "")) { try reader.inclusionProof(of: 3, size: 62) }
    #expect(throws: StoreError(.noSuchPosition, "")) { try reader.consistencyProof(first: 3, second: 62) }
    #expect(throws: StoreError(.invalid, "")) { try reader.consistencyProof(first: 4, second: 3) }
    try log.close()
  }
}
