import Foundation
import Testing

@testable import EventStore

/// A frame that decodes to more than any writer puts into one: a reader of one record would have to keep all of it.
@Suite struct LargeFrameTests {
  /// Gives the first segment of a store a frame of so many commits of 1 MiB more, as the format has it but for its size.
  private func addFrame(of commits: Int, withDirectory: Bool, to store: TemporaryStore) throws {
    let path = try #require(store.segments().first)
    var bytes = try bytes(of: path)
    let file = MemoryFile(bytes, path: path)
    let head = try FileHead(of: file)
    let last = try DirectoryChain.last(of: file, headEnd: head.end)
    var frontier = try #require(last.directory?.frontier)
    let compressor = try BlockCompressor()
    var frame = OpenFrame(offset: UInt64(bytes.count), first: frontier.size)
    try compressor.begin(into: &bytes)
    let text = String(repeating: "x", count: 60_000)
    for _ in 0..<commits {
      var commit: [UInt8] = []
      for _ in 0..<17 {
        let line = """
          {"n":\(frontier.size),"at":"2026-11-21T08:35:00.123456Z","stream":"large","rev":\(frame.count),"type":"t","v":1,\
          "data":{"text":"\(text)"}}
          """
        frame.note(stream: "large", revision: Int(frame.count))
        frontier.append(MerkleTree.leaf(Array(line.utf8)))
        commit += Array(line.utf8) + [0x0A]
      }
      frame.add(rawBytes: commit.count, stored: try compressor.add(commit.span, into: &bytes))
    }
    bytes += frame.ending
    if withDirectory {
      let directory = frame.directory(
        length: UInt64(bytes.count) - frame.offset, previous: last.offset, synced: 0, frontier: frontier)
      bytes += SkippableFrame(kind: .directory, body: directory.encoded).encoded
    }
    try write(bytes, to: path)
  }

  private func makeStore(commits: Int, withDirectory: Bool) throws -> TemporaryStore {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    pass(log, try log.append([record("a")]))
    try log.sync()
    try log.close()
    try addFrame(of: commits, withDirectory: withDirectory, to: store)
    return store
  }

  @Test(arguments: [true, false]) func `a frame of 7 MiB is read`(_ withDirectory: Bool) throws {
    let store = try makeStore(commits: 7, withDirectory: withDirectory)
    let reader = try LogReader(directory: store.path)
    #expect(try reader.records(of: "large").count == 7 * 17)
    #expect(try Verifier(directory: store.path).run().verdict == .unanchored)
  }

  @Test(arguments: [true, false]) func `a frame of over 8 MiB is refused by whoever reads it`(
    _ withDirectory: Bool
  ) throws {
    let store = try makeStore(commits: 9, withDirectory: withDirectory)
    let report = try Verifier(directory: store.path).run()
    #expect(report.verdict == .torn || report.verdict == .altered, "\(report)")
    let reader = try LogReader(directory: store.path)
    let found = (try? reader.records(of: "large").count) ?? 0
    #expect(found < 9 * 17)
    var cursor = try reader.cursor()
    var count = 0
    while (try? cursor.next()) != nil { count += 1 }
    #expect(count < 9 * 17)
  }

  @Test func `no option makes a frame that is refused`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: LogOptions(frameBytes: 1 << 30, idleClose: .seconds(3600)))
    let large = (0..<64).map { _ in record("a", String(repeating: "x", count: 64_000)) }
    for _ in 0..<5 { pass(log, try log.append(large)) }
    try log.close()
    #expect(try records(in: store.path).count == 1 + 5 * 64)
    #expect(try LogReader(directory: store.path).records(of: "a").count == 5 * 64)
    #expect(try Verifier(directory: store.path).run().verdict == .unanchored)
  }

  @Test func `a recording is one frame of any size`() throws {
    let store = try makeStore(commits: 7, withDirectory: true)
    let reader = try LogReader(directory: store.path)
    let some = try reader.records(of: "large")
    let more = try (0..<2 * some.count).map { number in
      let text = String(decoding: some[number % some.count].line, as: UTF8.self)
      let end = try #require(text.firstIndex(of: ","))
      return try StoredRecord(line: Array(("{\"n\":\(number)" + text[end...]).utf8))
    }
    let bytes = try SliceFile.encode(records: more, source: reader.identity)
    #expect(try SliceFile.read(bytes: bytes).records.count == more.count)
  }
}
