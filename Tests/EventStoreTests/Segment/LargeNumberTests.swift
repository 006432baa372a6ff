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
}
