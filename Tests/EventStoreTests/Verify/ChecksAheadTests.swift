// Checking on several threads: what is reported must be what one thread reports, finding by finding.
import Foundation
import Testing

@testable import EventStore

@Suite struct ChecksAheadTests {
  private let store: TemporaryStore
  private let key: SigningKey

  /// A signed store of several segments.
  init() throws {
    store = try TemporaryStore()
    key = try SigningKey(name: "seal")
    try makeSegments(in: store, records: 900, signedBy: key)
  }

  /// The report, the same with each number of threads.
  @discardableResult
  private func agreed(_ path: String? = nil, disk: any Disk = SystemDisk()) throws -> VerifyReport {
    let verifier = Verifier(directory: path ?? store.path, pinnedKey: key.verifier, disk: disk)
    let report = try verifier.run(threads: 1)
    for threads in [2, 3, 8, 100] { #expect(try verifier.run(threads: threads) == report, "\(threads) threads") }
    return report
  }

  @Test func `a whole log has the same report with any number of threads`() throws {
    let report = try agreed()
    #expect(report.verdict == .ok && report.records == 901)
    #expect(try store.segments().count > 5)
    let layout = StoreLayout(store.path)
    let firsts = try layout.segmentList(on: SystemDisk())
    let identity = try StoreIdentity(of: layout, on: SystemDisk())
    let notes = NoteCheck(identity: identity, pinned: key.verifier, published: [])
    var check = LogCheck(layout: layout, disk: SystemDisk(), identity: identity, notes: notes, wanted: [0, 100, 901])
    let other = check
    try check.run(threads: 1)
    // Each segment is taken as it was checked ahead: nothing of it is done twice.
    var adopting = other
    for index in firsts.indices {
      let ahead = try #require(other.ahead(index, of: firsts))
      let isAdopted = adopting.adopt(ahead)
      #expect(isAdopted)
    }
    func next(_ check: LogCheck) -> [[UInt8]: Int] {
      Dictionary(uniqueKeysWithValues: check.streams.entries.map { ($0.name, $0.next) })
    }
    #expect(adopting.frontier == check.frontier && next(adopting) == next(check))
    #expect(adopting.roots == check.roots && adopting.synced == check.synced)
  }

  @Test func `a flipped bit has the same findings with any number of threads`() throws {
    var random = SeededRandom(Effort.seed)
    let segments = try store.segments()
    var found: Set<VerifyReport.Verdict> = []
    for _ in 0..<Effort.number("BITS", short: 30) {
      let path = segments[Int(random.next() % UInt64(segments.count))]
      var changed = try bytes(of: path)
      changed[Int(random.next() % UInt64(changed.count))] ^= 1 << (random.next() % 8)
      let report = try agreed(disk: OverlaidDisk(base: SystemDisk(), path: path, bytes: changed))
      #expect(report.verdict != .ok)
      found.insert(report.verdict)
    }
    #expect(found.contains(.altered))
  }

  @Test func `segments removed, swapped and put twice have the same findings with any number of threads`() throws {
    let segments = try store.segments()
    func changed(_ change: (FileManager, [String]) throws -> Void) throws -> VerifyReport.Verdict {
      let copy = try store.copy()
      try change(.default, try store.segments(in: copy))
      return try agreed(copy).verdict
    }
    let verdicts = try [
      changed { try $0.removeItem(atPath: $1[4]) },
      changed { for path in $1[7...9] { try $0.removeItem(atPath: path) } },
      changed { try $0.removeItem(atPath: $1[0]) },
      changed { files, paths in
        try files.moveItem(atPath: paths[3], toPath: paths[3] + ".x")
        try files.moveItem(atPath: paths[5], toPath: paths[3])
        try files.moveItem(atPath: paths[3] + ".x", toPath: paths[5])
      },
      changed { files, paths in
        try files.removeItem(atPath: paths[6])
        try files.copyItem(atPath: paths[2], toPath: paths[6])
      },
      changed { files, paths in for path in paths[(segments.count - 3)...] { try files.removeItem(atPath: path) } },
    ]
    #expect(verdicts.prefix(3).allSatisfy { $0 == .missingSegment })
    #expect(verdicts[3...].allSatisfy { $0 != .ok && $0 != .unanchored })
  }

  /// The revision in a header's place: what a segment says of itself is good, and does not follow the one before.
  @Test func `a stream that goes on with another revision has the same findings with any number of threads`() throws {
    let other = try TemporaryStore()
    let options = smallSegments()
    let identity = try StoreIdentity(of: StoreLayout(store.path), on: SystemDisk())
    let layout = StoreLayout(other.path)
    try StoreCreation(layout: layout, disk: SystemDisk()).prepareDirectory()
    try StoreCreation(layout: layout, disk: SystemDisk()).prepareFolders(marksNew: true)
    try identity.save(to: layout, on: SystemDisk())
    let writer = try SegmentWriter(
      Recovery(layout: layout, disk: SystemDisk()).run(), layout: layout, disk: SystemDisk(), identity: identity,
      options: options)
    for stored in try records(in: store.path) {
      // From the record 400 on, one stream has a revision too many.
      let isLate = stored.stream == "s/3" && stored.position >= 400
      var encoder = LineEncoder()
      let lines = LineBuffer()
      encoder.append(
        NewRecord(at: stored.at, stream: stored.stream, type: stored.type, data: Array(stored.data)),
        position: stored.position, revision: stored.revision + (isLate ? 1 : 0), cause: nil, to: lines)
      try writer.commit(lines.all, stream: stored.stream, revision: stored.revision + (isLate ? 1 : 0))
      try writer.rollIfFull()
    }
    try writer.syncWhole()
    let report = try agreed(other.path)
    #expect(report.verdict == .altered)
    #expect(report.findings.contains { $0.message.contains("revision") })
  }

  @Test func `sealed and pruned logs have the same report with any number of threads`() throws {
    let log = try EventLog.open(at: store.path, options: smallSegments())
    _ = try log.seal()
    #expect(try agreed().verdict == .ok)
    _ = try log.prune(before: .position(300), signingWith: key)
    try log.close()
    #expect(try agreed().verdict == .pruned)
    var random = SeededRandom(Effort.seed &+ 1)
    for path in try store.segments() {
      var changed = try bytes(of: path)
      changed[Int(random.next() % UInt64(changed.count))] ^= 0x20
      try agreed(disk: OverlaidDisk(base: SystemDisk(), path: path, bytes: changed))
    }
  }

  @Test func `threads that the system does not start are not waited for`() throws {
    let report = try ThreadLimit.$isReached.withValue(true) {
      try Verifier(directory: store.path, pinnedKey: key.verifier).run(threads: 4)
    }
    #expect(try report == Verifier(directory: store.path, pinnedKey: key.verifier).run(threads: 1))
  }

  @Test func `progress goes forward to the end with several threads`() throws {
    let told = Told()
    _ = try Verifier(directory: store.path).run(threads: 3) { told.add($0, $1) }
    let all = told.all
    #expect(all.last.map { $0.0 == $0.1 } == true)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.0 <= $1.0 && $0.1 == $1.1 })
  }

  private final class Told: @unchecked Sendable {  // guarded by `lock`
    private let lock = NSLock()
    private var told: [(UInt64, UInt64)] = []
    func add(_ done: UInt64, _ total: UInt64) { lock.withLock { told.append((done, total)) } }
    var all: [(UInt64, UInt64)] { lock.withLock { told } }
  }
}
