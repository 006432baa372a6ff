import Foundation
import Testing

@testable import EventStore

/// Readers find a directory or a footer from the end of a file. What only looks like one there was put there.
@Suite struct HiddenEndTests {
  private let store: TemporaryStore
  private let key: SigningKey

  init() throws {
    store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: LogOptions(origin: "play", clock: { noon }))
    key = try SigningKey.obtain(for: log.identity, store: store.path, path: store.folder + "/key")
    for index in 0..<20 { pass(log, try log.append([record("s/\(index % 3)", "\(index)")])) }
    _ = try log.checkpoint(with: key)
    pass(log, try log.append([record("s/0", "after")]))
    // As a killed process leaves it: the frame is open.
    let open = try bytes(of: try #require(store.segments().last))
    try log.close()
    try write(open, to: try #require(store.segments().last))
  }

  private var last: String { get throws { try #require(store.segments().last) } }

  private func report() throws -> VerifyReport { try Verifier(directory: store.path, pinnedKey: key.verifier).run() }

  /// A footer that says that the segment has no stream.
  private var footer: [UInt8] {
    get throws {
      var contents = SegmentContents(first: 0, frontier: try LogReader(directory: store.path).frontier(at: 22))
      contents.form = .closed
      return SkippableFrame(kind: .footer, body: SegmentIndex.encode(contents)).encoded
    }
  }

  /// The beginning of a block of so many bytes, of which these are the first.
  private func half(_ bytes: [UInt8]) -> [UInt8] {
    var block: [UInt8] = []
    block.appendUInt32(UInt32(bytes.count + 500) | FrameFormat.rawBlock)
    return block + bytes
  }

  @Test func `a footer or a directory inside of half a block is altered, whether a writer holds the store or not`()
    throws
  {
    #expect(try report().verdict == .ok)
    let whole = try bytes(of: last)
    try write(whole + half([1, 2, 3]), to: last)
    #expect(try report().verdict == .torn)
    let directory = FrameDirectory(
      previous: 0, offset: UInt64(whole.count + 4), length: 0, first: 22, count: 0, rawBytes: 0, synced: 22,
      frontier: try LogReader(directory: store.path).frontier(at: 22), streams: [])
    let said = SkippableFrame(kind: .directory, body: directory.encoded).encoded
    for hidden in [try footer, said] {
      try write(whole + half(hidden), to: last)
      #expect(try report().verdict == .altered)
      let lock = try StoreLock(of: StoreLayout(store.path), on: SystemDisk())
      #expect(try report().verdict == .altered)
      withExtendedLifetime(lock) {}
      // A reader believes no footer that stands in no place of one.
      let reader = try LogReader(directory: store.path)
      #expect(try reader.records(of: "s/1").count == 7)
    }
  }

  @Test func `a name that ends as a segment's does, byte by byte, is altered`() throws {
    for name in ["5\u{600}.ndjson.lz4", "5.ndjson.lz4", "5\u{301}.ndjson.lz4"] {
      let path = store.path + "/segments/" + name
      try write(try bytes(of: last), to: path)
      #expect(try report().verdict == .altered, "\(name)")
      try FileManager.default.removeItem(atPath: path)
    }
    try write([], to: store.path + "/segments/.5.ndjson.lz4")
    #expect(try report().verdict == .ok)
  }

  @Test func `a checkpoint that stands in a segment alone is one to remember`() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: store.path + "/checkpoints") {
      try FileManager.default.removeItem(atPath: store.path + "/checkpoints/" + name)
    }
    let report = try report()
    #expect(report.verdict == .ok && report.anchoredSize == 21)
    #expect(report.anchors.map(\.size) == [21])
  }

  @Test func `a key kept inside of the store is found byte by byte`() {
    let layout = StoreLayout("/a/store")
    #expect(layout.holds("/a/store/\u{301}k.key") && layout.holds("/a/store/k") && !layout.holds("/a/storex/k"))
  }
}
