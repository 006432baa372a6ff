// Blocks that `lz4` does not read in one piece: see `FrameFormat.ending`. Each of these logs ended for `lz4` 1.9.4 at the
// end of the first such frame.
import Foundation
import Testing

@testable import EventStore

@Suite(.enabled(if: has("lz4"), "needs the lz4 command")) struct LargeBlockTests {
  /// A batch whose lines LZ4 makes little smaller: its block has about `kilobytes` KiB.
  private static func batch(_ stream: String, kilobytes: Int, _ random: inout SeededRandom) -> [NewRecord] {
    (0..<kilobytes / 16).map { _ in
      let word = (0..<16_384).map { _ in
        String(UnicodeScalar(UInt8(ascii: "A") + UInt8.random(in: 0..<58, using: &random)))
      }
      .joined().replacing("\\", with: "/")
      return record(stream, word)
    }
  }

  /// A log of frames that end with blocks of many sizes, with small commits between them. Its commits are not changed by
  /// closing it.
  private static func write(_ log: EventLog, _ random: inout SeededRandom) throws {
    for kilobytes in [16, 64, 80, 96, 128, 400, 1_600] {
      _ = try log.append(batch("large", kilobytes: kilobytes, &random))
      try log.sync()
      _ = try log.append([record("small", "a")])
      try log.flush()
      _ = try log.append(batch("large", kilobytes: kilobytes, &random))
      try log.flush()
      for index in 0..<5 {
        _ = try log.append([record("small", "\(index)")])
        try log.flush()
      }
      try log.sync()
    }
  }

  /// How many segments were sealed.
  private static func seal(_ path: String) throws -> Int {
    let log = try EventLog.open(at: path)
    defer { try? log.close() }
    return try log.seal().sealed
  }

  private static func expectPlain(_ path: String, _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let lines = text(try records(in: path))
    let outcome = try shell("cat '\(path)'/segments/*.ndjson.lz4 | lz4 -dc")
    #expect(outcome.status == 0, what, sourceLocation: sourceLocation)
    #expect(outcome.output == lines, what, sourceLocation: sourceLocation)
    #expect(try Verifier(directory: path).run().verdict == .unanchored, what, sourceLocation: sourceLocation)
  }

  @Test func `lz4 prints a log with commits of any size, as it was written and sealed`() throws {
    var random = SeededRandom(20_261)
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(segmentBytes: 2 << 20, frameBytes: 1 << 20))
    try Self.write(log, &random)
    try log.close()
    try Self.expectPlain(store.path, "written")
    #expect(try Self.seal(store.path) > 0)
    try Self.expectPlain(store.path, "sealed")
  }

  @Test func `lz4 prints a log whose open frame with a large commit was closed by the next opening`() throws {
    var random = SeededRandom(20_262)
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(frameBytes: 64 << 20))
    _ = try log.append(Self.batch("large", kilobytes: 128, &random))
    try log.flush()
    _ = try log.append([record("small")])
    try log.flush()
    // What a killed process leaves.
    let copy = store.folder + "/copy"
    try FileManager.default.copyItem(atPath: store.path, toPath: copy)
    try log.close()
    let again = try EventLog.open(at: copy)
    _ = try again.append([record("small")])
    try again.close()
    try Self.expectPlain(copy, "opened again")
  }

  @Test func `lz4 prints recordings with large blocks, one after the other`() throws {
    var random = SeededRandom(20_263)
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    try Self.write(log, &random)
    try log.close()
    let all = try records(in: store.path)
    let slice = store.folder + "/slice.ndjson.lz4"
    try SliceFile.write(
      records: all, source: try StoreIdentity(of: StoreLayout(store.path), on: SystemDisk()), to: slice)
    #expect(try SliceFile.read(path: slice).records.map(\.line) == all.map(\.line))
    let outcome = try shell("cat '\(slice)' '\(slice)' | lz4 -dc")
    #expect(outcome.status == 0)
    #expect(outcome.output == text(all) + text(all))
  }

  @Test func `an empty block is taken at the end of a frame only, and whole`() throws {
    let commit = Array(
      #"{"n":0,"at":"2026-11-21T08:35:00.123456Z","stream":"a","rev":0,"type":"t","v":1,"data":{}}"#.utf8)
    var frame: [UInt8] = []
    let compressor = try BlockCompressor()
    try compressor.begin(into: &frame)
    try compressor.add((commit + [0x0A]).span, into: &frame)
    let ending = FrameFormat.ending(afterBlockOf: 1 << 20)
    #expect(ending == FrameFormat.emptyBlock + FrameFormat.endMark)
    let plain = frame + FrameFormat.endMark

    func items(_ bytes: [UInt8]) throws -> [String] {
      let walker = try SegmentWalker(MemoryFile(bytes, path: "frame"), from: 0)
      var seen: [String] = []
      while true {
        switch try walker.next() {
        case .frameStart: seen.append("start")
        case .commit: seen.append("commit")
        case .frameEnd(let end):
          #expect(end == walker.offset)
          seen.append("end")
        case .skippable: seen.append("skippable")
        case .end(let end): return seen + ["\(end)"]
        }
      }
    }
    #expect(try items(plain + frame + ending) == ["start", "commit", "end", "start", "commit", "end", "whole"])
    for length in 1..<ending.count {
      let found = try items(frame + ending[..<length])
      #expect(found == ["start", "commit", "cut"], "\(length) bytes of it")
    }
    // Two of them, or one before a commit.
    for bytes in [frame + FrameFormat.emptyBlock + ending, frame + FrameFormat.emptyBlock + frame[7...] + ending] {
      #expect(throws: StoreError.self) { try items(bytes) }
    }
    // Another checksum.
    var other = frame + ending
    other[frame.count + 4] ^= 1
    #expect(throws: StoreError.self) { try items(other) }
  }
}
