import Foundation
import Testing

@testable import EventStore

/// What a segment holds behind the place from which the next one supersedes it is read by `lz4`: no other record may stand there.
@Suite struct OverlapTests {
  /// A store with an overlap: the segment that is superseded, and from where on.
  private struct Superseded {
    let store: WalkStore
    let path: String
    let good: [UInt8]
    let limit: UInt64
    /// Where the superseded part begins in the file.
    let start: Int

    init() throws {
      store = try WalkStore(.superseded)
      let layout = StoreLayout(store.path)
      let firsts = try layout.segmentList(on: SystemDisk())
      var index = 1
      while index < firsts.count - 1, try !SegmentHeader.supersedes(firsts[index], in: layout, on: SystemDisk()) {
        index += 1
      }
      limit = firsts[index]
      path = layout.segment(firsts[index - 1])
      good = try bytes(of: path)
      let file = MemoryFile(good, path: path)
      start = Int(try DirectoryChain.last(of: file, headEnd: try FileHead(of: file).end, limit: limit).end)
      #expect(start < good.count)
    }

    /// A frame in which these lines stand behind a block that the log does not write.
    func hiding(_ lines: [[UInt8]], behind block: [UInt8]) throws -> [UInt8] {
      var bytes = try frame(lines)
      bytes.insert(contentsOf: block, at: FrameFormat.headerLength)
      return bytes
    }

    /// A footer that says that the records were pruned, whole or with a checksum that is wrong.
    func pruned(isWhole: Bool) throws -> [UInt8] {
      var contents = SegmentContents(first: 0, frontier: MerkleFrontier())
      contents.form = .pruned
      var body = SegmentIndex.encode(contents)
      if !isWhole { body[body.count - 1] ^= 1 }
      return SkippableFrame(kind: .footer, body: body).encoded
    }

    func verdict() throws -> VerifyReport.Verdict? { store.verdict()?.verdict }

    /// A frame of these lines, with its end mark.
    func frame(_ lines: [[UInt8]]) throws -> [UInt8] {
      var out: [UInt8] = []
      let compressor = try BlockCompressor()
      try compressor.begin(into: &out)
      let commit: [UInt8] = lines.flatMap { (line: [UInt8]) -> [UInt8] in line + [0x0A] }
      _ = try compressor.add(commit.span, into: &out)
      return out + FrameFormat.endMark
    }
  }

  @Test func `the tree of a log is not taken from what is superseded`() throws {
    let it = try Superseded()
    let reader = try LogReader(directory: it.store.path)
    let size = it.limit + 1
    let root = try reader.root(at: size)
    var frontier = MerkleFrontier()
    for index in 0..<size { frontier.append(MerkleTree.leaf(Array("forged \(index)".utf8).span)) }
    let forged = FrameDirectory(
      previous: 0, offset: UInt64(it.start), length: 0, first: it.limit, count: 1, rawBytes: 0, synced: it.limit,
      frontier: frontier,
      streams: [.init(name: Array("s/1".utf8), firstRevision: 0, positions: [it.limit])])
    try write(
      Array(it.good[..<it.start]) + SkippableFrame(kind: .directory, body: forged.encoded).encoded, to: it.path)
    for wanted in [size, it.limit] {
      #expect(
        try LogReader(directory: it.store.path).root(at: wanted) == (wanted == size ? root : reader.root(at: wanted)))
    }
  }

  @Test func `an overlap as a writer leaves it is no finding, in part too, unless lz4 would go on in the next file`()
    throws
  {
    let it = try Superseded()
    #expect(try it.verdict() == .ok, "\(it.store.verdict()?.findings ?? [])")
    let walker = try SegmentWalker(MemoryFile(it.good, path: it.path), from: UInt64(it.start), decoding: false)
    var skipped: [Range<Int>] = []
    walk: while true {
      switch try walker.next() {
      case .skippable(_, let offset): skipped.append(Int(offset) + 4..<Int(walker.offset))
      case .frameStart, .commit, .frameEnd: continue
      case .end: break walk
      }
    }
    #expect(!skipped.isEmpty)
    for length in it.start...it.good.count {
      try write(Array(it.good[..<length]), to: it.path)
      let expected: VerifyReport.Verdict = skipped.contains { $0.contains(length) } ? .torn : .ok
      #expect(try it.verdict() == expected, "cut at \(length)")
    }
    // A page of the disk that was never written.
    for place in stride(from: it.start, to: it.good.count, by: 7) {
      var torn = it.good
      for index in place..<min(place + 64, torn.count) { torn[index] = 0 }
      try write(torn, to: it.path)
      #expect(try it.verdict() == .ok, "zeros from \(place)")
    }
  }

  @Test func `other records there are altered, at positions that are signed, beyond the end, or as no records`() throws
  {
    let it = try Superseded()
    let all = try records(in: it.store.path).filter { $0.position >= it.limit }.map(\.line)
    let forged = all.map { Array(String(decoding: $0, as: UTF8.self).replacing("text", with: "tixt").utf8) }
    let head = Array(it.good[..<it.start])
    try write(head + (try it.frame(all)), to: it.path)
    #expect(try it.verdict() == .ok)
    let bad: [[UInt8]] = [
      try it.frame(forged), try it.frame([all[0], forged[1]]), it.good[it.start...] + (try it.frame([forged[0]])),
      try it.frame(all + [forged[0]]), try it.frame([Array("hello".utf8)]), try it.frame(Array(all.dropFirst())),
      // Lines that are none, which would be kept by the million.
      try it.frame([[], []]), try it.frame(all + [[]]),
      // Behind a frame of ours that `lz4` does not look at.
      [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4] + (try it.frame(forged)),
      // Frames that `lz4` reads and the log does not write: a legacy one, another block size, a skippable one of others.
      [0x02, 0x21, 0x4C, 0x18, 0, 0, 0, 0], [0x04, 0x22, 0x4D, 0x18, 0x60, 0x40, 0x82, 0, 0, 0, 0],
      [0x51, 0x2A, 0x4D, 0x18, 0, 0, 0, 0],
      // A block without content, behind which `lz4` reads on: raw, and one that decodes to nothing.
      try it.hiding(forged, behind: FrameFormat.emptyBlock),
      try it.hiding(forged, behind: [1, 0, 0, 0, 0, 0x3E, 0xB0, 0x65, 0xCF]),
      // What readers take for the end of a segment that was pruned.
      [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4] + (try it.pruned(isWhole: true)), try it.pruned(isWhole: true),
      try it.pruned(isWhole: false),
    ]
    for (index, tail) in bad.enumerated() {
      try write(head + tail, to: it.path)
      let report = try #require(it.store.verdict())
      #expect(report.verdict == .altered, "\(index): \(report)")
      // A whole footer is taken for that of the segment, which then has something else than it says.
      #expect(
        [14, 15].contains(index)
          || report.findings.contains { $0.segment == String(it.path.suffix(31)) && $0.message.contains("supersedes") },
        "\(index): \(report.findings)")
    }
  }

  @Test func `a torn frame that lz4 skips, with what is in the next file, is torn until the next opening`() throws {
    let it = try Superseded()
    let all = try records(in: it.store.path).filter { $0.position >= it.limit }.map(\.line)
    let head = Array(it.good[..<it.start])
    let torn: [[UInt8]] = [
      [0x50, 0x2A, 0x4D, 0x18, 0x96, 3, 0, 0] + Array("DIRY".utf8), [0x50, 0x2A, 0x4D, 0x18, 0x96, 3],
      [0x50, 0x2A, 0x4D, 0x18], [0x50, 0x2A, 0x4D, 0x18, 0xFF, 0xFF, 0xFF, 0x7F] + Array("DIRY".utf8),
      // One of no kind of ours.
      [0x50, 0x2A, 0x4D, 0x18, 0x96, 3, 0, 0] + Array("ABCD".utf8),
    ]
    for before in [[], try it.frame(all)] {
      for tail in torn {
        try write(head + before + tail, to: it.path)
        let report = try #require(it.store.verdict())
        #expect(report.verdict == .torn, "\(tail): \(report)")
      }
    }
    // A torn frame of records stops lz4 with an error, and hides nothing.
    try write(head + (try it.frame(all)).dropLast(9), to: it.path)
    #expect(try it.verdict() == .ok)
  }

  /// The file of the superseding segment of a store, and where its first checkpoint ends.
  private func checkpointEnd(_ it: Superseded) throws -> (path: String, bytes: [UInt8], end: Int) {
    let path = StoreLayout(it.store.path).segment(it.limit)
    let whole = try bytes(of: path)
    let file = MemoryFile(whole, path: path)
    let walker = try SegmentWalker(file, from: try FileHead(of: file).end, decoding: false)
    while true {
      switch try walker.next() {
      case .skippable(let frame, _):
        if frame.kind == .note { return (path, whole, Int(walker.offset)) }
      case .frameStart, .commit, .frameEnd: continue
      case .end:
        Issue.record("there is no checkpoint in \(path)")
        return (path, whole, whole.count)
      }
    }
  }

  @Test("forged records in an overlap are altered, also more of them than a checkpoint behind it covers")
  func forgedRecordsBehindCheckpoint() throws {
    let it = try Superseded()
    let head = Array(it.good[..<it.start])
    let all = try records(in: it.store.path).filter { $0.position >= it.limit }.map(\.line)
    let forged = all.map { Array(String(decoding: $0, as: UTF8.self).replacing("text", with: "tixt").utf8) }
    try #require(zip(all, forged).allSatisfy { $0 != $1 })
    let next = try checkpointEnd(it)
    let layout = StoreLayout(it.store.path)
    for first in try layout.segmentList(on: SystemDisk()) where first > it.limit {
      try FileManager.default.removeItem(atPath: layout.segment(first))
    }
    // As far as it was written when the checkpoint was signed, and whole.
    for (end, isCut) in [(next.end, true), (next.bytes.count, false)] {
      try write(Array(next.bytes[..<end]), to: next.path)
      let own = try records(in: it.store.path).count { $0.position >= it.limit }
      try #require(isCut ? own > 1 && own < all.count : own == all.count)
      for count in 1...all.count {
        try write(head + (try it.frame(Array(all[..<count]))), to: it.path)
        let wanted: VerifyReport.Verdict = count > own ? .altered : .ok
        #expect(try it.verdict() == wanted, "\(count) of \(own)")
        for genuine in 0..<count {
          try write(head + (try it.frame(Array(all[..<genuine] + forged[genuine..<count]))), to: it.path)
          #expect(try it.verdict() == .altered, "\(genuine) and \(count - genuine) forged ones, of \(own)")
        }
      }
    }
  }
}
