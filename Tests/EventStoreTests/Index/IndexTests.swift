import Foundation
import Testing

@testable import EventStore

/// The index of a segment is in the segment, where `verify` compares it with the records; it finds what is there, and where it does
/// not fit, the records count.
@Suite struct IndexTests {
  private func expectStreams(
    _ store: TemporaryStore, _ all: [StoredRecord], _ note: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let reader = try LogReader(directory: store.path)
    for stream in ["s/0", "s/6", "log"] {
      #expect(
        try reader.records(of: stream) == all.filter { $0.stream == stream }, "\(note)", sourceLocation: sourceLocation)
    }
    #expect(try reader.records(of: "nobody").isEmpty, sourceLocation: sourceLocation)
    #expect(try reader.statistics().records == UInt64(all.count), "\(note)", sourceLocation: sourceLocation)
  }

  /// The verdict of a store whose segment `number` ends with another footer, or none.
  private func verdict(of store: TemporaryStore, segment number: Int, footer: [UInt8]) throws -> VerifyReport.Verdict {
    let path = try store.segments()[number]
    let good = try bytes(of: path)
    let start =
      Int(try #require(try FooterPlace.body(in: MemoryFile(good, path: path))).offset) - FooterPlace.headLength
    try write(good[..<start] + footer, to: path)
    defer { try? write(good, to: path) }
    return try Verifier(directory: store.path).run().verdict
  }

  @Test func `a closed segment ends with the footer that its records make, and its index folder stays empty`() throws {
    let store = try TemporaryStore()
    try makeSegments(in: store, signedBy: try SigningKey(name: "seal"))
    let paths = try store.segments()
    for path in paths.dropLast() {
      let file = try SystemDisk().open(path, .read)
      let footer = try #require(try FooterPlace.index(in: file))
      #expect(footer.form == .closed && !footer.hasNodes)
      var made = try SegmentContents(linesOf: file, limit: nil)
      #expect(try footer.allStreams() == made.streams && footer.frames == made.frames)
      made = try SegmentContents(directoriesOf: file, limit: nil)
      let (offset, length) = try #require(try FooterPlace.body(in: file))
      #expect(try file.read(at: offset, count: length) == SegmentIndex.encode(made))
    }
    #expect(try FooterPlace.form(in: SystemDisk().open(try #require(paths.last), .read)) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.path + "/index").isEmpty)
    #expect(try Verifier(directory: store.path).run().findings.isEmpty)
    try expectStreams(store, try records(in: store.path), "by footers")
  }

  @Test func `a forged index file hides no stream, and the next opening removes it`() throws {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    try makeSegments(in: store, signedBy: key)
    let all = try records(in: store.path)
    for path in try store.segments().dropLast() {
      let file = try SystemDisk().open(path, .read)
      var hidden = try SegmentContents(directoriesOf: file, limit: nil)
      hidden.streams.removeAll { $0.name == Array("s/0".utf8) }
      // As format 1 had it: no flags, and the size and the last four bytes of the segment's file.
      var body = SegmentIndex.encode(hidden)
      let size = try file.size()
      var source: [UInt8] = [0, 0, 0, 0]
      body.replaceSubrange(4..<8, with: source)
      source = []
      source.appendUInt64(size)
      body.replaceSubrange(32..<44, with: source + (try file.read(at: size - 4, count: 4)))
      source = []
      source.appendUInt32(CRC32C.checksum(body[..<68]))
      body.replaceSubrange(68..<72, with: source)
      let name = store.path + "/index/" + path.split(separator: "/").last.map { $0.prefix(20) }! + ".idx"
      try write(SkippableFrame(kind: .footer, body: body).encoded, to: name)
    }
    try expectStreams(store, all, "forged")
    let log = try EventLog.open(at: store.path, options: smallSegments())
    let next = all.count { $0.stream == "s/0" }
    pass(log, try log.append([record("s/0")], expecting: .revision(next - 1)))
    try log.close()
    #expect(try Verifier(directory: store.path, pinnedKey: key.verifier).run().verdict == .ok)
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.path + "/index").isEmpty)
  }

  @Test
  func `a footer of a closed segment that is damaged, cut or lies is altered, and one that is gone is not missed`()
    throws
  {
    let store = try TemporaryStore()
    try makeSegments(in: store)
    let all = try records(in: store.path)
    let path = try store.segments()[1]
    let good = try bytes(of: path)
    let place = try #require(try FooterPlace.body(in: MemoryFile(good, path: path)))
    let whole = Array(good[(Int(place.offset) - FooterPlace.headLength)...])
    for bit in stride(from: 0, to: whole.count * 8, by: 37) {
      var bad = whole
      bad[bit / 8] ^= 1 << (bit % 8)
      #expect(try verdict(of: store, segment: 1, footer: bad) == .altered, "bit \(bit)")
    }
    for length in [1, 19, whole.count / 2, whole.count - 1] {
      #expect(try verdict(of: store, segment: 1, footer: Array(whole[..<length])) == .altered, "cut at \(length)")
    }
    let contents = try SegmentContents(directoriesOf: MemoryFile(good, path: path), limit: nil)
    var hiding = contents
    hiding.streams.removeAll { $0.name == Array("s/0".utf8) }
    var shifted = contents
    shifted.streams[0].firstRevision += 1
    var sealed = contents
    sealed.form = .sealed
    for lie in [hiding, shifted, sealed] {
      let frame = SkippableFrame(kind: .footer, body: SegmentIndex.encode(lie)).encoded
      #expect(try verdict(of: store, segment: 1, footer: frame) == .altered)
    }
    #expect(try verdict(of: store, segment: 1, footer: whole) == .unanchored)
    #expect(try verdict(of: store, segment: 1, footer: []) == .unanchored)
    let start = Int(place.offset) - FooterPlace.headLength
    for bad in [Array(good[..<start]), Array(good.dropLast()), good + [0]] {
      try write(bad, to: path)
      try expectStreams(store, all, "\(bad.count) of \(good.count) bytes")
    }
  }

  @Test func `nothing may stand behind a footer`() throws {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    try makeSegments(in: store, signedBy: key)
    let identity = try LogReader(directory: store.path).identity
    let path = try store.segments()[1]
    let good = try bytes(of: path)
    let tree = try #require(try FooterPlace.index(in: MemoryFile(good, path: path))).frontier
    let note = try SignedNote(origin: identity.origin, size: tree.size, root: tree.root, signedBy: key)
    var synced: [UInt8] = []
    synced.appendUInt64(tree.size)
    for frame in [
      SkippableFrame(kind: .note, body: Array(note.text.utf8)), SkippableFrame(kind: .synced, body: synced),
    ] {
      for sealing in [false, true] {
        try write(good, to: path)
        if sealing {
          let log = try EventLog.open(at: store.path, options: smallSegments())
          _ = try log.seal()
          try log.close()
        }
        try write(try bytes(of: path) + frame.encoded, to: path)
        let report = try Verifier(directory: store.path, pinnedKey: key.verifier).run()
        #expect(report.verdict == .altered, "\(frame.kind), sealed: \(sealing)")
      }
    }
  }

  @Test func `a store of format 1 is read, goes on, and has footers from its next segment on`() throws {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    try FileManager.default.createDirectory(
      atPath: store.path + "/segments", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try StoreIdentity(id: String(repeating: "1", count: 32), origin: "seal", format: 1)
      .save(to: StoreLayout(store.path), on: SystemDisk())
    try makeSegments(in: store, signedBy: key)
    let all = try records(in: store.path)
    try makeFormatOne(store)
    #expect(try Verifier(directory: store.path, pinnedKey: key.verifier).run().findings.isEmpty)
    try expectStreams(store, all, "format 1")
    let old = try store.segments()
    let log = try EventLog.open(at: store.path, options: smallSegments())
    try fill(log, records: 300, from: 500)
    try log.close()
    let forms = try store.segments().map { try FooterPlace.form(in: SystemDisk().open($0, .read)) }
    #expect(forms.prefix(old.count).allSatisfy { $0 == nil } && forms.count > old.count + 1)
    #expect(forms[old.count..<forms.count - 1].allSatisfy { $0 == .closed })
    #expect(try Verifier(directory: store.path, pinnedKey: key.verifier).run().findings.isEmpty)
    try expectStreams(store, try records(in: store.path), "gone on")
    let sealing = try EventLog.open(at: store.path, options: smallSegments())
    #expect(try sealing.seal().sealed == forms.count - 1)
    try sealing.close()
    #expect(try Verifier(directory: store.path, pinnedKey: key.verifier).run().findings.isEmpty)
    try expectStreams(store, try records(in: store.path), "sealed")
  }

  @Test func `a filter lets all streams pass that it has, and few others`() {
    let keys = (0..<5_000).map { StreamKey(of: "authn/\($0)") }
    let filter = StreamFilter(keys)
    #expect(keys.allSatisfy(filter.mayHave))
    let passed = (0..<100_000).count { filter.mayHave(StreamKey(of: "idx/\($0)")) }
    #expect(passed < 300)
    #expect(!StreamFilter([]).mayHave(keys[0]))
  }

  @Test func `a stream that only a filter takes for known begins with revision 0`() throws {
    let store = try TemporaryStore()
    try makeSegments(in: store)
    let log = try EventLog.open(at: store.path, options: smallSegments())
    for number in 0..<500 { pass(log, try log.append([record("fresh/\(number)")], expecting: .empty)) }
    try log.close()
    #expect(try Verifier(directory: store.path).run().findings.isEmpty)
  }

  @Test func `one reader sees what is appended, rolled and sealed meanwhile`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: smallSegments())
    let reader = try LogReader(directory: store.path)
    for round in 0..<12 {
      try fill(log, records: 60, from: round * 60)
      if round % 4 == 3 { _ = try log.seal() }
      let found = try reader.records(of: "s/2")
      #expect(found.count == (0..<(round + 1) * 60).count { $0 % 7 == 2 })
      #expect(found.map(\.revision) == Array(found.indices))
      #expect(try reader.statistics().records == log.size)
    }
    try log.close()
  }

  @Test func `subtree hashes of a segment cover it exactly`() {
    for (first, end) in [(0, 1), (0, 256), (1, 255), (3, 700), (256, 512), (100, 5_000), (511, 513), (768, 9_999)] {
      let range = UInt64(first)..<UInt64(end)
      let leaves = range.map { MerkleTree.leaf(Array("\($0)".utf8)) }
      let nodes = SegmentNodes(range)
      let hashes = nodes.hashes(of: leaves)
      #expect(hashes.count == nodes.count)
      for place in TreePlace.cover(range) where place.level >= SegmentNodes.base {
        let index = nodes.index(of: place)
        let slice = leaves[Int(place.range.lowerBound) - first..<Int(place.range.upperBound) - first]
        #expect(index.map { hashes[$0] } == MerkleTree.root(of: slice))
      }
      #expect(
        TreePlace.cover(range).map(\.range).reduce(range.lowerBound) { $0 == $1.lowerBound ? $1.upperBound : 0 }
          == range.upperBound)
    }
  }
}
