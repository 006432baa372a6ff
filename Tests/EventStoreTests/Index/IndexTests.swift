import Foundation
import Testing

@testable import EventStore

/// The index finds what is there, and what it says wrong harms nobody.
@Suite struct IndexTests {
  /// A store whose closed segments have index files.
  private func indexed() throws -> TemporaryStore {
    let store = try TemporaryStore()
    try makeSegments(in: store)
    try index(store)
    return store
  }

  private func index(_ store: TemporaryStore) throws {
    let layout = StoreLayout(store.path)
    let disk = SystemDisk()
    let firsts = try layout.segmentList(on: disk)
    for first in firsts.dropLast() {
      let file = try disk.open(layout.segment(first), .read)
      let body = SegmentIndex.encode(
        try SegmentContents(directoriesOf: file, limit: nil), source: try IndexFile.source(of: file))
      try IndexFile(layout: layout, disk: disk).save(body, of: first)
    }
  }

  private func expectStreams(_ store: TemporaryStore, _ all: [StoredRecord], _ note: String) throws {
    let reader = try LogReader(directory: store.path)
    for stream in ["s/0", "s/6", "log"] {
      #expect(try reader.records(of: stream) == all.filter { $0.stream == stream }, "\(note)")
    }
    #expect(try reader.records(of: "nobody").isEmpty)
    #expect(try reader.statistics().records == UInt64(all.count), "\(note)")
  }

  @Test func `a log writes the index files of its closed segments`() throws {
    let store = try TemporaryStore()
    var options = smallSegments()
    options.keepsIndexes = true
    let log = try EventLog.open(at: store.path, options: options)
    try fill(log, records: 300)
    let folder = store.path + "/index"
    var tries = 0
    // The log's own thread writes them; it has no clock that a test could turn.
    while try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty, tries < 6_000 {
      usleep(10_000)
      tries += 1
    }
    #expect(try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    try log.close()
    try expectStreams(store, try records(in: store.path), "written in the background")
  }

  @Test func `index files that are missing, cut, damaged, empty or of another segment are made anew`() throws {
    let store = try indexed()
    let all = try records(in: store.path)
    try expectStreams(store, all, "whole")
    let folder = store.path + "/index/"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let good = try bytes(of: folder + names[1])
    var random = SeededRandom(8)
    for _ in 0..<200 {
      var bad = good
      bad[Int(random.next() % UInt64(bad.count))] ^= UInt8(1 << (random.next() % 8))
      try write(bad, to: folder + names[1])
      try expectStreams(store, all, "a changed bit")
    }
    for length in [0, 1, 20, good.count / 2, good.count - 1] {
      try write(Array(good[..<length]), to: folder + names[1])
      try expectStreams(store, all, "cut at \(length)")
    }
    try write(try bytes(of: folder + names[2]), to: folder + names[1])
    try expectStreams(store, all, "of another segment")
    try FileManager.default.removeItem(atPath: folder)
    try expectStreams(store, all, "no index at all")
  }

  @Test func `an index that is well formed and wrong leads to the records all the same`() throws {
    let store = try indexed()
    let all = try records(in: store.path)
    let layout = StoreLayout(store.path)
    let disk = SystemDisk()
    let first = try layout.segmentList(on: disk)[1]
    let file = try disk.open(layout.segment(first), .read)
    let contents = try SegmentContents(directoriesOf: file, limit: nil)
    let source = try IndexFile.source(of: file)
    var wrongPositions = contents
    for index in wrongPositions.streams.indices {
      wrongPositions.streams[index].positions = contents.streams[(index + 1) % contents.streams.count].positions
      wrongPositions.streams[index].count = wrongPositions.streams[index].positions.count
    }
    var wrongFrames = contents
    for index in wrongFrames.frames.indices { wrongFrames.frames[index].offset += 1 }
    var hidden = contents
    hidden.streams.removeAll { $0.name == Array("s/0".utf8) }
    for lie in [wrongPositions, wrongFrames, hidden] {
      try IndexFile(layout: layout, disk: disk).save(SegmentIndex.encode(lie, source: source), of: first)
      let reader = try LogReader(directory: store.path)
      #expect(try reader.records(of: "s/0") == all.filter { $0.stream == "s/0" })
    }
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
