import Foundation
import Testing

@testable import EventStore

/// Drafts of files that were being replaced when the process ended: no reader uses them, the next opening removes them.
@Suite struct LeftoversTests {
  private static let store = "/volume/audit"
  private static let other = "/volume/other"
  private let old: SigningKey
  private let new: SigningKey

  init() throws {
    old = try SigningKey(name: "play")
    new = try SigningKey(name: "play")
  }

  // MARK: Each step that replaces a file

  private func makeDisk(_ seed: UInt64) throws -> MemoryDisk {
    let disk = MemoryDisk(seed: seed)
    _ = try disk.makeDirectory("/volume")
    _ = try disk.makeDirectory(Self.other)
    try disk.syncDirectory("/")
    try disk.syncDirectory("/volume")
    return disk
  }

  private func open(_ disk: MemoryDisk, key: SigningKey) throws -> EventLog {
    var options = LogOptions(
      segmentBytes: 1_024, frameBytes: 400, origin: "play", clock: { noon }, idleClose: .seconds(3600),
      checkpoints: CheckpointSchedule(key: key, every: nil, onClose: false, also: Self.other))
    options.disk = disk
    return try EventLog.open(at: Self.store, options: options)
  }

  /// Makes a store and replaces a file of each kind in it, as far as the disk goes along.
  private func play(on disk: MemoryDisk) {
    guard let log = try? open(disk, key: old) else { return }
    for number in 0..<24 {
      if let ticket = try? log.append([
        record("s/\(number % 3)", "\(number) \(String(repeating: "ab", count: number * 9))")
      ]
      ) {
        _ = log.barrier(ticket) { _ in }
      }
      if number % 8 == 7 { _ = try? log.sync() }
    }
    _ = try? log.checkpoint(with: old)
    if let first = try? StoreLayout(Self.store).segmentList(on: disk).first {
      // As a program that knew format 1 alone wrote it.
      let index = StoreLayout(Self.store).index + "/" + SegmentName.name(first: first).prefix(20) + ".idx"
      try? disk.putInPlace(of: index) { file throws(StoreError) in try file.write([1, 2, 3].span, at: 0) }
    }
    _ = try? log.seal()
    _ = try? log.prune(before: .position(log.size / 2), signingWith: old)
    if let fold = try? LogFold<UInt64>(
      name: "count", version: 1, initial: { 0 }, apply: { count, _ in count += 1 }, encode: { [UInt8($0)] },
      decode: { $0.first.map { UInt64($0) } })
    {
      try? log.keep(Folded(state: 3, size: log.size, fromSnapshot: 0), of: fold)
    }
    _ = try? log.handOver(from: old, to: new, at: noon)
    try? log.close()
  }

  /// The drafts that are on the disk, by the kind of what they were to be.
  private func drafts(on disk: MemoryDisk) -> [String] {
    ["", "/segments", "/checkpoints", "/index", "/index/snapshots", "/quarantine"].map { Self.store + $0 }
      .reduce(into: []) { found, folder in found += names(folder, on: disk) } + names(Self.other, on: disk)
  }

  private func names(_ folder: String, on disk: MemoryDisk) -> [String] {
    ((try? disk.names(in: folder)) ?? []).filter { $0.hasSuffix(".tmp") }.map { folder + "/" + $0 }
  }

  /// Looks at a store as it was left, opens it as whoever has both keys can, and looks again.
  private func check(_ disk: MemoryDisk, _ what: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let there = (try? StoreIdentity(of: StoreLayout(Self.store), on: disk)) != nil
    if there {
      let verdict = try Verifier(directory: Self.store, pinnedKey: old.verifier, disk: disk).run().verdict
      #expect(
        [.ok, .unanchored, .torn, .pruned].contains(verdict), "\(what): \(verdict) before",
        sourceLocation: sourceLocation)
    }
    let log: EventLog
    do {
      log = try open(disk, key: old)
    } catch {
      log = try open(disk, key: new)
    }
    // The log's own thread may be beginning a segment, whose draft goes by itself; what was left over does not.
    let limit = ContinuousClock.now + .seconds(60)
    while drafts(on: disk) != [], ContinuousClock.now < limit { sched_yield() }
    #expect(drafts(on: disk) == [], "\(what)", sourceLocation: sourceLocation)
    pass(log, try log.append([record("s", "on")]))
    try log.close()
    let verdict = try Verifier(directory: Self.store, pinnedKey: old.verifier, disk: disk).run().verdict
    #expect([.ok, .unanchored, .pruned].contains(verdict), "\(what): \(verdict) after", sourceLocation: sourceLocation)
  }

  @Test func `a process killed at any call leaves drafts of every kind, and the next opening removes them`() throws {
    let whole = try makeDisk(1)
    play(on: whole)
    #expect(drafts(on: whole) == [])
    // Where a draft is what is worked on; the long form ends the process everywhere.
    let suffix = Effort.number("LEFTOVERS", short: 0) > 0 ? "" : ".tmp"
    let all: Set = [
      "audit/storejsontmp", "audit/segments/ndjsonlztmp", "audit/checkpoints/tmp", "audit/checkpoints/latesttmp",
      "audit/index/idxtmp", "audit/index/snapshots/count-tmp", "other/playcheckpointtmp",
    ]
    var kinds: Set<String> = []
    // How many records a commit and a segment have is up to the threads, and so a call has another number each time: where
    // a kind was missed, once more.
    for _ in 0..<10 where kinds != all { kinds.formUnion(try killEverywhere(suffix)) }
    #expect(kinds == all)
  }

  /// Ends the process at each call on paths that end so, and looks at what is left and what comes of it. The kinds of
  /// the drafts that were left.
  private func killEverywhere(_ suffix: String) throws -> Set<String> {
    var kinds: Set<String> = []
    for call in 1..<Int.max {
      let disk = try makeDisk(1)
      disk.kill(atCall: call, onPathsEnding: suffix)
      play(on: disk)
      if disk.callAtCut == nil { break }
      let rest = disk.afterCut()
      let left = drafts(on: rest)
      // The log's own thread may begin a segment while another one is sealed.
      #expect(left.count <= 2, "\(call): \(left)")
      for path in left {
        kinds.insert(path.split(separator: "/").dropFirst().joined(separator: "/").filter { !$0.isNumber && $0 != "." })
      }
      try check(rest, "killed at call \(call) on a path that ends with \"\(suffix)\"")
    }
    return kinds
  }

  @Test(arguments: [.open, .write, .sync, .rename, .syncDirectory, .remove] as [MemoryDisk.Call])
  func `a step that fails leaves no draft behind, or the next opening removes it`(_ call: MemoryDisk.Call) throws {
    for failure in MemoryDisk.Failure.allCases {
      for number in stride(from: 1, to: .max, by: Effort.number("LEFTOVERS", short: 0) > 0 ? 1 : 5) {
        let disk = try makeDisk(UInt64(number))
        disk.fail(call, number: number, with: failure)
        play(on: disk)
        if disk.isFaultPending { break }
        // What was cut off in the middle of a segment's replacement is still there; of a file's, nothing.
        let left = drafts(on: disk).filter { !$0.hasPrefix(Self.store + "/segments/") }
        #expect(left == [] || call == .remove, "\(call) \(number)")
        try check(disk, "\(call) \(number) \(failure)")
      }
    }
  }

  // MARK: What they hold does not matter

  private static let ours = [
    "store.json.tmp", "segments/00000000000000000000.ndjson.lz4.tmp", "segments/00000000000000000999.ndjson.lz4.tmp",
    "checkpoints/latest.tmp", "checkpoints/7.tmp", "checkpoints/99999.tmp", "index/00000000000000000000.idx.tmp",
    "index/snapshots/count-1.tmp", "index/snapshots/a-b.c-12.tmp",
    "quarantine/00000000000000000000-685.bin.tmp", "quarantine/00000000000000000000-685-2.bin.tmp",
  ]
  private static let foreign = [
    "notes.tmp", "tmp", ".tmp", "segments/1.ndjson.lz4.tmp", "segments/00000000000000000000.ndjson.tmp",
    "checkpoints/x.tmp", "checkpoints/07.tmp", "checkpoints/-7.tmp", "checkpoints/.tmp", "index/7.idx.tmp",
    "index/snapshots/count.tmp", "index/snapshots/-1.tmp", "index/snapshots/count-x.tmp", "quarantine/7.tmp",
  ]

  /// A signed store of several segments, with something under the names of all drafts.
  private func litter() throws -> (
    store: TemporaryStore, key: SigningKey, before: VerifyReport, records: [StoredRecord]
  ) {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    try makeSegments(in: store, signedBy: key)
    let before = try Verifier(directory: store.path, pinnedKey: key.verifier).run()
    let kept = try records(in: store.path)
    try FileManager.default.createDirectory(
      atPath: store.path + "/index/snapshots", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
    )
    let content = try bytes(of: store.segments()[1]).prefix(900)
    for name in Self.ours + Self.foreign { try write(Array(content), to: store.path + "/" + name) }
    return (store, key, before, kept)
  }

  private func names(in store: String) throws -> Set<String> {
    Set(try FileManager.default.subpathsOfDirectory(atPath: store).filter { $0.hasSuffix("tmp") })
  }

  @Test func `verify, readers and copies do not see drafts; opening removes ours and no others`() throws {
    let (store, key, before, kept) = try litter()
    var seen = try Verifier(directory: store.path, pinnedKey: key.verifier).run()
    // Strange names are named, and are no more than that.
    #expect(
      seen.findings.allSatisfy { $0.kind == .ok } && Set(seen.findings.compactMap(\.segment)) == Set(Self.foreign))
    seen.findings = []
    #expect(seen == before)
    #expect(try records(in: store.path) == kept)
    #expect(try LogReader(directory: store.path).statistics().records == UInt64(kept.count))
    #expect(try LogReader(directory: store.path).records(of: "s/1") == kept.filter { $0.stream == "s/1" })
    let copy = store.folder + "/backup"
    #expect(try Backup(of: store.path).write(to: copy).records == UInt64(kept.count))
    #expect(try names(in: copy) == [])
    #expect(try names(in: store.path) == Set(Self.ours + Self.foreign))
    try EventLog.open(at: store.path, options: smallSegments()).close()
    #expect(try names(in: store.path) == Set(Self.foreign))
    #expect(try records(in: store.path) == kept)
  }

  @Test func `a store that is refused as evidence keeps its drafts`() throws {
    let (store, _, _, _) = try litter()
    for path in try store.segments().dropFirst(2) { try FileManager.default.removeItem(atPath: path) }
    #expect(throws: StoreError(.truncated, "")) { try EventLog.open(at: store.path, options: smallSegments()) }
    #expect(try names(in: store.path) == Set(Self.ours + Self.foreign))
  }

  @Test func `a link under the name of a draft goes, what it leads to stays; a directory is no reason not to open`()
    throws
  {
    let store = try TemporaryStore()
    try makeSegments(in: store, records: 50)
    let outside = store.folder + "/outside"
    try write([1, 2, 3], to: outside)
    for name in ["store.json.tmp", "checkpoints/latest.tmp"] {
      try FileManager.default.createSymbolicLink(atPath: store.path + "/" + name, withDestinationPath: outside)
    }
    try FileManager.default.createDirectory(
      atPath: store.path + "/checkpoints/51.tmp/x", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let log = try EventLog.open(at: store.path, options: smallSegments())
    #expect(try names(in: store.path) == ["checkpoints/51.tmp"])
    // A link that comes later is not written through either.
    try FileManager.default.createSymbolicLink(
      atPath: store.path + "/checkpoints/latest.tmp", withDestinationPath: outside)
    pass(log, try log.append([record("s", "one"), record("s", "two")]))
    _ = try log.checkpoint(with: try SigningKey(name: "seal"))
    try log.close()
    #expect(try bytes(of: outside) == [1, 2, 3])
    #expect(try names(in: store.path) == ["checkpoints/51.tmp"])
  }
}
