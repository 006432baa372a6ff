import Foundation
import Testing

@testable import EventStore

/// A CRC is no secret: who forges a directory can put any number into it. None of them traps.
@Suite struct LargeNumberTests {
  @Test(arguments: [.max, .max - 3, 1 << 63, (1 << 62) + 1] as [UInt64])
  func `a directory with a number that no log reaches is malformed, whoever reads it`(_ number: UInt64) throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    for index in 0..<6 {
      _ = try log.append([record("s", "\(index)")])
      try log.sync()
    }
    let size = log.size
    try log.close()
    let path = try #require(store.segments().first)
    let bytes = try SystemDisk().contents(of: path, limit: 1 << 20)
    let last = try DirectoryChain.last(
      of: MemoryFile(bytes, path: path), headEnd: FileHead(of: MemoryFile(bytes, path: path)).end)
    // previous, offset, length, first, then count as u32, raw, synced.
    for field in [0, 8, 16, 24, 36, 44] {
      let start = Int(last.offset)
      let (frame, _) = try #require(try DirectoryChain.frame(endingAt: last.end, of: MemoryFile(bytes, path: path)))
      var body = frame.body
      withUnsafeBytes(of: number.littleEndian) { body.replaceSubrange(field..<field + 8, with: $0) }
      let forged = bytes[..<start] + SkippableFrame(kind: .directory, body: body).encoded + bytes[Int(last.end)...]
      try Data(forged).write(to: URL(fileURLWithPath: path))
      let report = try Verifier(directory: store.path).run()
      #expect(report.verdict != .ok && report.verdict != .unanchored, "field at \(field): \(report.verdict)")
      let reader = try LogReader(directory: store.path)
      // Whatever these say: they come back.
      _ = try? reader.records(of: "s")
      _ = try? reader.statistics()
      _ = try? reader.inclusionProof(of: 2, size: size)
      _ = try? reader.consistencyProof(first: 2, second: size)
      let copy = store.folder + "/copy-\(field)"
      try FileManager.default.copyItem(atPath: store.path, toPath: copy)
      if let opened = try? EventLog.open(at: copy) { try opened.close() }
    }
  }

  @Test func `a segment whose header begins behind all numbers is malformed`() throws {
    let identity = try StoreIdentity(newWithOrigin: "o")
    let hashes = Array(repeating: MerkleTree.empty, count: 64)
    let frontier = try #require(MerkleFrontier(size: .max, hashes: hashes))
    let frame = try SegmentHeader(identity: identity, frontier: frontier, previous: nil).frame()
    #expect(throws: StoreError(.malformed, "")) { try SegmentHeader(frame: frame) }
  }

  /// A store in which a segment of that name has a record of that number, with everything about it well formed but the numbers.
  @Test(arguments: [.max, .max - 1, 1 << 63, (1 << 62) + 1, 1 << 62] as [UInt64])
  func `a segment whose name and records are at the end of all numbers traps no reader`(_ number: UInt64) throws {
    for isAlone in [true, false] {
      let store = try TemporaryStore()
      let log = try EventLog.open(at: store.path)
      pass(log, try log.append([record("s")]))
      let identity = log.identity
      try log.close()
      let first = try #require(store.segments().first)
      var bytes = Array(try bytes(of: first)[..<Int(FileHead(of: MemoryFile(bytes(of: first), path: "")).end)])
      let line = String(decoding: try #require(records(in: store.path).last).line, as: UTF8.self)
      let compressor = try BlockCompressor()
      try compressor.begin(into: &bytes)
      for (position, revision) in [(number, UInt64(Int.max)), (.max, .max)] {
        let forged = line.replacingOccurrences(of: "\"n\":1,", with: "\"n\":\(position),")
          .replacingOccurrences(of: "\"rev\":0", with: "\"rev\":\(revision)")
        try compressor.add(Array((forged + "\n").utf8).span, into: &bytes)
      }
      bytes += FrameFormat.endMark
      if isAlone { try FileManager.default.removeItem(atPath: first) }
      try write(bytes, to: StoreLayout(store.path).segments + "/" + SegmentName.name(first: number))
      try write(Array("\(identity.origin)\n\(number)\n".utf8), to: StoreLayout(store.path).checkpoint(number))
      // Whatever these say: they come back.
      let reader = try LogReader(directory: store.path)
      for start: UInt64 in [0, 1, number, .max - 1, .max] {
        if var cursor = try? reader.cursor(from: start) { for _ in 0..<9 { _ = try? cursor.next() } }
        try? reader.forEachRecord(from: start) { _, _ in true }
        _ = try? reader.inclusionProof(of: start, size: .max)
        _ = try? reader.consistencyProof(first: start, second: .max)
        _ = try? reader.root(at: start)
      }
      _ = try? reader.records(of: "s")
      _ = try? reader.statistics()
      _ = try? Verifier(directory: store.path).run()
      try? EventLog.open(at: store.path).close()
    }
  }

  @Test func `a line whose numbers no log reaches is malformed`() throws {
    let good =
      "{\"n\":N,\"at\":\"2026-11-21T08:35:00.123456Z\",\"stream\":\"s\",\"rev\":R,\"type\":\"t\",\"v\":1,\"data\":{}}"
    func line(_ position: UInt64, _ revision: UInt64) -> [UInt8] {
      Array(
        good.replacingOccurrences(of: "N", with: "\(position)").replacingOccurrences(of: "R", with: "\(revision)").utf8)
    }
    #expect(try StoredRecord(line: line(1 << 62, 1 << 62)).position == 1 << 62)
    for (position, revision) in [((1 << 62) + 1, 0), (.max, 0), (7, (1 << 62) + 1), (7, UInt64(Int.max))]
      as [(UInt64, UInt64)]
    {
      #expect(throws: StoreError(.malformed, "")) { try StoredRecord(line: line(position, revision)) }
    }
  }
}
