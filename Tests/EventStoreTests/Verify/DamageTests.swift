import Foundation
import Testing

@testable import EventStore

/// An active segment of 64 KB, damaged in every way that one bit or one cut can.
@Suite struct DamageTests {
  /// How many bits are flipped, spread over all; every one where it is 0.
  private static let bits = Effort.number("BITS", short: 300)
  /// How many lengths the segment is cut to, spread over all, and every one near its end; every one where it is 0.
  private static let cuts = Effort.number("LENGTHS", short: 200)

  /// The store as its writer leaves it when it is killed: most of it synced, some not, a frame open.
  private struct Sample: Sendable {
    let folder: TemporaryStore
    let segment: String
    let good: [UInt8]
    let records: [StoredRecord]
    /// How many records were synced, and up to which byte.
    let synced: (records: UInt64, bytes: Int)
    /// How many records each commit ends at, by the byte that it ends at.
    let ends: [Int: UInt64]
    let headEnd: Int

    func disk(_ bytes: [UInt8]) -> OverlaidDisk { OverlaidDisk(base: SystemDisk(), path: segment, bytes: bytes) }

    init(signed: Bool = false) throws {
      folder = try TemporaryStore()
      try folder.identify()
      let log = try EventLog.open(at: folder.path, options: repeatableOptions(frameBytes: 5_000))
      var random = SeededRandom(1)
      func append() throws {
        let noise = (0..<12).map { _ in String(random.next(), radix: 36) }.joined()
        pass(log, try log.append([record("authn/\(random.next() % 7)", noise), record("authn/8", "\(random.next())")]))
      }
      for _ in 0..<100 { try append() }
      if signed { _ = try log.checkpoint(with: try repeatableKey()) }
      for _ in 0..<100 { try append() }
      try log.sync()
      let syncedSize = log.size
      for _ in 0..<40 { try append() }
      segment = try TemporaryStore.segment(of: try folder.copy())
      good = try bytes(of: segment)
      records = try EventStoreTests.records(in: folder.path)
      try log.close()
      let file = MemoryFile(good, path: segment)
      headEnd = Int(try FileHead(of: file).end)
      ends = try Self.commitEnds(of: file, from: headEnd)
      // Not what says so: that is written after the sync.
      synced = (syncedSize, ends.filter { $0.value == syncedSize }.map(\.key).min() ?? 0)
    }

    private static func commitEnds(of file: MemoryFile, from start: Int) throws -> [Int: UInt64] {
      let walker = try SegmentWalker(file, from: UInt64(start))
      var ends: [Int: UInt64] = [start: 0]
      var size: UInt64 = 0
      while true {
        switch try walker.next() {
        case .commit:
          size += UInt64(walker.withCommit { commit in (0..<commit.count).count { commit[$0] == 0x0A } })
          ends[Int(walker.offset)] = size
        case .frameEnd, .skippable: ends[Int(walker.offset)] = size
        case .frameStart: break
        case .end: return ends
        }
      }
    }

    /// What is read from the front until the end or an error.
    func read(_ disk: OverlaidDisk, from position: UInt64 = 0) -> [StoredRecord] {
      guard let reader = try? LogReader(directory: copy, disk: disk), var cursor = try? reader.cursor(from: position)
      else { return [] }
      var found: [StoredRecord] = []
      while let record = try? cursor.next() { found.append(record) }
      return found
    }

    var copy: String { folder.folder + "/copy" }
  }

  @Test func `the segment that is damaged has the same bytes in every run`() throws {
    let sample = try Sample(signed: true)
    #expect(try Sample(signed: true).good == sample.good)
    for record in sample.records where record.at != noon { Issue.record("\(record.type) has the time of the run") }
  }

  @Test func `a flipped bit is found and placed, as altered where it was synced, and no wrong record is read`() throws {
    let sample = try Sample()
    #expect(sample.good.count > 50_000 && sample.records.count > 400)
    let count = sample.good.count * 8
    let step = Self.bits == 0 ? 1 : max(1, count / Self.bits)
    var altered = 0
    var torn = 0
    for bit in stride(from: 0, to: count, by: step) {
      var bad = sample.good
      bad[bit / 8] ^= 1 << UInt8(bit % 8)
      let disk = sample.disk(bad)
      let report = try Verifier(directory: sample.copy, disk: disk).run()
      let isSynced = bit / 8 < sample.synced.bytes
      try #require(report.verdict == (isSynced ? .altered : .torn), "bit \(bit): \(report)")
      if isSynced { altered += 1 } else { torn += 1 }
      let first = try #require(report.findings.first)
      try #require(
        first.offset ?? .max <= UInt64(bit / 8) && first.position ?? .max <= report.records, "\(bit): \(first)")
      let found = sample.read(disk)
      try #require(sample.records.starts(with: found), "bit \(bit): \(found.count) records")
      // What is intact before it is still read, from any place.
      try #require(
        found.count >= Int(min(report.records, sample.synced.records)), "bit \(bit): \(found.count), \(report)")
      let middle = UInt64(bit) % UInt64(sample.records.count)
      let rest = sample.read(disk, from: middle)
      try #require(sample.records[Int(middle)...].starts(with: rest), "bit \(bit), from \(middle)")
      let name = "authn/\(bit % 9)"
      if let stream = try? LogReader(directory: sample.copy, disk: disk).records(of: name) {
        let whole = sample.records.filter { $0.stream == name }
        let isThere = isSynced ? stream == whole : whole.starts(with: stream)
        try #require(isThere, "bit \(bit): \(stream.count) of \(whole.count) records of \(name)")
      }
    }
    Effort.report("bits: \(altered + torn) of \(count) flipped, \(altered) altered and \(torn) torn, all found")
  }

  @Test(arguments: [false, true])
  func `a segment cut at any byte has the commits before it, and no verdict that hides a checkpoint`(
    _ isSigned: Bool
  ) throws {
    let sample = try Sample(signed: isSigned)
    let signed: UInt64 = isSigned ? 201 : 0
    let count = sample.good.count
    var tried = 0
    for length in sample.headEnd...count {
      guard
        Self.cuts == 0 || length > count - 100 || length % max(1, count / Self.cuts) == 0
          || (sample.ends[length] ?? 0) % 10 == 1
      else { continue }
      tried += 1
      let disk = sample.disk(Array(sample.good[..<length]))
      let report = try Verifier(directory: sample.copy, disk: disk).run()
      let size = sample.ends.filter { $0.key <= length }.map(\.value).max() ?? 0
      let expected: VerifyReport.Verdict =
        size < signed ? .truncated : sample.ends[length] == nil ? .torn : .unanchored
      try #require(report.verdict == expected && report.records == size, "\(length): \(report)")
      let found = sample.read(disk)
      try #require(found == Array(sample.records.prefix(Int(size))), "\(length): \(found.count) records")
    }
    Effort.report("lengths: cut to \(tried) of \(count) lengths, \(isSigned ? "with" : "without") a checkpoint")
  }

  @Test func `a log with a flipped bit opens or refuses, and cuts nothing that was synced`() throws {
    let sample = try Sample()
    let count = sample.good.count * 8
    let step = max(1, count / Effort.number("OPENINGS", short: 60))
    var refused = 0
    for bit in stride(from: 3, to: count, by: step) {
      var bad = sample.good
      bad[bit / 8] ^= 1 << UInt8(bit % 8)
      try write(bad, to: sample.segment)
      let isSynced = bit / 8 < sample.synced.bytes
      do throws(StoreError) {
        try EventLog.open(at: sample.copy).close()
      } catch {
        refused += 1
        try #require(error.code == .altered && isSynced, "bit \(bit): \(error)")
        try #require(try bytes(of: sample.segment) == bad, "bit \(bit)")
      }
      let after = try bytes(of: sample.segment)
      try #require(after.starts(with: bad[..<sample.synced.bytes]), "bit \(bit)")
      let verdict = try Verifier(directory: sample.copy).run().verdict
      try #require(verdict == (isSynced ? .altered : .unanchored), "bit \(bit): \(verdict)")
    }
    Effort.report("openings: \((count - 3) / step + 1) flipped bits, \(refused) refused, nothing synced was cut")
  }
}

extension TemporaryStore {
  /// The only segment of a store.
  fileprivate static func segment(of store: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: store + "/segments")
    return store + "/segments/" + (names.first ?? "")
  }
}
