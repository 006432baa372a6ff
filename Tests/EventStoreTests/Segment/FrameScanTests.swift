import Foundation
import Testing

@testable import EventStore

@Suite struct FrameScanTests {
  @Test func `the checksum of any part follows from two registers`() {
    var random = SeededRandom(Effort.seed)
    let bytes = (0..<5_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    for _ in 0..<200 {
      let start = Int(random.next() % 5_000)
      let end = start + Int(random.next() % UInt64(5_001 - start))
      let before = CRC32C.register(0, over: bytes[..<start])
      let after = CRC32C.register(before, over: bytes[start..<end])
      #expect(
        CRC32C.checksum(from: before, to: after, count: end - start) == CRC32C.checksum(bytes[start..<end]),
        "\(start)..<\(end), seed \(Effort.seed)")
    }
  }

  @Test func `every good frame is found among noise, at the edges of what is read at once too`() throws {
    var random = SeededRandom(Effort.seed)
    var bytes: [UInt8] = []
    var places: [UInt64] = []
    let edge = 1 << 20
    while bytes.count < 2 * edge + 100 {
      let body = (0..<Int(random.next() % 40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      var frame = SkippableFrame(kind: [.note, .directory][Int(random.next() % 2)], body: body).encoded
      let isBroken = random.next() % 3 == 0
      if isBroken { frame[Int(random.next() % UInt64(frame.count))] ^= 1 << UInt8(random.next() % 8) }
      let gap = bytes.count / edge == (bytes.count + 60) / edge ? Int(random.next() % 9_000) : Int(random.next() % 9)
      bytes += (0..<gap).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      if !isBroken { places.append(UInt64(bytes.count + 12)) }
      bytes += frame
    }
    let found = try FrameScan.frames(of: [.note, .directory], in: MemoryFile(bytes, path: "noise"), from: 0)
    #expect(found.map(\.body) == places, "seed \(Effort.seed)")
    #expect(try FrameScan.frames(of: [.synced], in: MemoryFile(bytes, path: "noise"), from: 0).isEmpty)
    let later = try FrameScan.frames(of: [.note, .directory], in: MemoryFile(bytes, path: "noise"), from: places[5])
    #expect(later.map(\.body) == Array(places[6...]))
  }

  /// Beginnings that all say they go on to near the end, and ends that say so too: each is in all before it.
  static func nested(_ kind: FrameKind, count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    let length = count * 20
    for index in 0..<count {
      bytes.appendUInt32(FrameFormat.skippableMagic)
      bytes.appendUInt32(UInt32(length - index * 20 - 8))
      bytes += Array(kind.rawValue.utf8)
    }
    for index in (0..<count).reversed() {
      bytes.appendUInt32(UInt32(length - index * 20 - 8))
      bytes.appendUInt32(0x5A5A_5A5A)
    }
    return bytes
  }

  @Test(arguments: [FrameKind.note, .directory, .footer])
  func `frames within frames cost no more than a few looks at each byte`(_ kind: FrameKind) throws {
    let store = try TemporaryStore()
    let path = store.folder + "/tail"
    let tail = Self.nested(kind, count: kind == .note ? 3_000 : 20_000)
    #expect(kind == .directory || tail.count < kind.payloads.upperBound)
    try write(tail, to: path)
    let disk = WatchedDisk(SystemDisk())
    #expect(try SyncedEvidence.position(in: disk.open(path, .read), from: 0) == 0)
    // Eight bytes at each end, and all of it twice.
    #expect(disk.bytesRead <= 3 * tail.count, "\(disk.bytesRead) bytes were read of \(tail.count)")
  }

  @Test func `a store whose torn tail is 4 MiB of frames within frames is opened, read and checked`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    pass(log, try log.append([record("a")]))
    try log.close()
    let segment = try #require(store.segments().first)
    let tail = Self.nested(.directory, count: (4 << 20) / 20)
    try write(try bytes(of: segment) + tail, to: segment)
    let before = ThreadTime.seconds
    #expect(try Verifier(directory: store.path).run(threads: 1).verdict == .torn)
    #expect(try records(in: store.path).count == 2)
    let again = try EventLog.open(at: store.path)
    #expect(again.size == 4)
    try again.close()
    // Of this thread alone, whatever else the machine does; a debug build takes 3 s, and took many minutes.
    #expect(ThreadTime.seconds - before < 60)
  }
}
