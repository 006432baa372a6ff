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

  @Test func `a register after a hole is that after as many bytes of 0`() {
    for count in [0, 1, 7, 4_096, 70_001] {
      let zeros = [UInt8](repeating: 0, count: count)
      #expect(CRC32C.shifted(0x1234_5678, by: count) == CRC32C.register(0x1234_5678, over: zeros[...]), "\(count)")
    }
  }

  @Test func `frames before and after a hole of a tebibyte are found, and the hole is not read`() throws {
    let frame = SkippableFrame(kind: .note, body: Array("a note".utf8)).encoded
    let file = HoleFile(frame, hole: 1 << 40)
    let found = try FrameScan.frames(of: [.note], in: file, from: 0)
    #expect(found.map(\.body) == [12, UInt64(frame.count + 12) + (1 << 40)])
    #expect(file.bytesRead < 8 << 20)
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

/// The same bytes before and after a hole.
private final class HoleFile: DiskFile, @unchecked Sendable {  // one thread reads it
  let path = "hole"
  private let bytes: [UInt8]
  private let end: UInt64
  private(set) var bytesRead = 0

  init(_ bytes: [UInt8], hole: UInt64) {
    self.bytes = bytes
    end = UInt64(bytes.count) + hole
  }

  func size() throws(StoreError) -> UInt64 { end + UInt64(bytes.count) }

  func read(at offset: UInt64, count: Int) throws(StoreError) -> [UInt8] {
    let size = end + UInt64(bytes.count)
    let range = min(offset, size)..<min(offset + UInt64(count), size)
    bytesRead += range.count
    return range.map { $0 < bytes.count ? bytes[Int($0)] : $0 < end ? 0 : bytes[Int($0 - end)] }
  }

  func data(from offset: UInt64) throws(StoreError) -> UInt64 { offset < bytes.count ? offset : max(offset, end) }
  func isReplaced() throws(StoreError) -> Bool { false }
  func isLockedElsewhere() throws(StoreError) -> Bool { false }
  func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StoreError) { throw refusal }
  func truncate(to size: UInt64) throws(StoreError) { throw refusal }
  func sync() throws(StoreError) { throw refusal }
  func lock() throws(StoreError) -> Bool { throw refusal }
  func unlock() {}

  private var refusal: StoreError { StoreError(.permission, "this file is only read") }
}
