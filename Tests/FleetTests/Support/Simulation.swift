// A fleet in which all goes wrong that can, from a seed; what must hold at every moment, and what once faults end.
import Testing

@testable import EventStore
@testable import Fleet

/// One run.
final class Simulation {
  /// Something that did not hold.
  struct Broken: Error, CustomStringConvertible {
    var description: String
  }

  /// What may happen in a run that is another log for one of the hosts.
  enum Ending: String, CaseIterable {
    case none, rolledBack, forked
  }

  private(set) var tally: [String: Int] = [:]
  private let seed: UInt64
  private var random: SeededRandom
  private let engine: MemoryTransport
  private var hosts: [StageHost] = []
  private var collectors: [StageCollector] = []
  private var now: Int64 = 0
  /// What each witness cosigned, by collector, host and size.
  private var cosigned: [String: TreeHash] = [:]
  private var hasForged = false

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededRandom(seed)
    engine = MemoryTransport(seed: seed ^ 0xE)
    for number in 0..<(1 + chance(2)) { hosts.append(try StageHost(seed: seed &* 16 &+ UInt64(number))) }
    for number in 0..<(1 + chance(2)) {
      let collector = try StageCollector("c\(number)", from: engine, seed: seed &* 16 &+ 8 &+ UInt64(number))
      try collector.start(hosts)
      collectors.append(collector)
    }
    for host in hosts { try host.ship(to: engine, longest: 1 << (9 + chance(4))) }
  }

  private func chance(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  private func did(_ what: String) { tally[what, default: 0] += 1 }

  /// Plays, then lets all faults end and compares.
  func run() throws {
    for _ in 0..<(20 + chance(40)) { try step() }
    engine.faults = .init()
    engine.isFull = false
    for host in hosts { try host.append(1 + chance(5)) }
    for host in hosts where chance(2) == 0 { try host.sign() }
    let ending = chance(5) == 0 ? Ending.allCases[1 + chance(2)] : .none
    try finish()
    if ending != .none { try end(ending) }
    for (name, count) in engine.happened { tally[name, default: 0] += count }
  }

  // MARK: Steps

  private func step() throws {
    let host = hosts[chance(hosts.count)]
    let collector = collectors[chance(collectors.count)]
    switch chance(24) {
    case 0...3:
      did("append")
      try host.append(1 + chance(12))
    case 4:
      did("sign")
      try host.sign()
    case 5...10: try ship(host)
    case 11...14: try collect(collector)
    case 15: engine.faults = faults()
    case 16: try cutHost(host)
    case 17:
      did("shipper killed")
      try host.ship(to: engine, longest: 1 << (9 + chance(4)))
    case 18: try restart(collector, isPowerCut: chance(2) == 0)
    case 19:
      did("wipe")
      engine.wipe()
      if chance(2) == 0 { engine.reset() }
    case 20:
      did("full")
      engine.isFull.toggle()
    case 21: try forge(host)
    case 22:
      did("seal")
      try host.log?.sync()
      _ = try host.log?.seal()
    default: now += 1_000_000
    }
  }

  private func faults() -> MemoryTransport.Faults {
    var faults = MemoryTransport.Faults()
    let rate = [0, 20, 100, 300][chance(4)]
    if chance(2) == 0 { faults.drop = rate }
    if chance(2) == 0 { faults.duplicate = rate }
    if chance(2) == 0 { faults.reorder = rate }
    if chance(2) == 0 { faults.staleRead = rate }
    if chance(2) == 0 { faults.falseAck = rate }
    if chance(2) == 0 { faults.lostAck = rate }
    if chance(2) == 0 { faults.twoWinners = rate }
    if chance(2) == 0 { faults.unreachable = rate }
    return faults
  }

  private func ship(_ host: StageHost) throws {
    did("ship")
    for _ in 0..<(1 + chance(6)) {
      now += 500_000
      if case .stopped(let trouble) = try host.shipper?.step(now: now) ?? .idle {
        throw Broken(description: "a shipper stopped for no reason: \(trouble)")
      }
    }
  }

  private func collect(_ collector: StageCollector) throws {
    did("collect")
    var round = Collector.Round()
    for _ in 0..<(1 + chance(4)) {
      round = try collector.collector?.read(limit: 1 + chance(16)) ?? round
      if chance(3) == 0 { try settle(collector, &round) }
    }
    try settle(collector, &round)
  }

  private func settle(_ collector: StageCollector, _ round: inout Collector.Round) throws {
    try collector.collector?.settle(&round)
    try checkCollected(collector)
  }

  private func cutHost(_ host: StageHost) throws {
    did("host's power cut")
    let disk = host.disk.afterCut()
    host.log = nil
    host.shipper = nil
    host.disk = disk
    try host.open()
    try host.ship(to: engine, longest: 1 << (9 + chance(4)))
  }

  private func restart(_ collector: StageCollector, isPowerCut: Bool) throws {
    did(isPowerCut ? "collector's power cut" : "collector killed")
    let disk = isPowerCut ? collector.disk.afterCut() : collector.disk
    collector.collector = nil
    collector.disk = disk
    try collector.start(hosts)
  }

  /// Someone else publishes in a host's name.
  private func forge(_ host: StageHost) throws {
    did("forge")
    hasForged = true
    let files = try host.files().sorted { $0.key < $1.key }
    guard let file = files.randomElement(using: &random), let first = SegmentName.first(of: file.key) else { return }
    var bytes = file.value
    var start = bytes.isEmpty ? 0 : chance(bytes.count)
    switch chance(3) {
    case 0: bytes[start] ^= 1 << UInt8(chance(8))
    case 1: bytes += SkippableFrame(kind: .synced, body: [UInt8](repeating: 0, count: 8)).encoded
    default:
      // Well-formed, and the next record: a frame of its own.
      guard let last = files.last, let size = host.log?.size, let first = SegmentName.first(of: last.key) else {
        return
      }
      let line =
        "{\"n\":\(size),\"at\":\"2026-11-21T08:35:00.123456Z\",\"stream\":\"forged\",\"rev\":0,\"type\":\"t\",\"v\":1,\"data\":{}}\n"
      let block = Array(line.utf8)
      var raw: [UInt8] = []
      raw.appendUInt32(UInt32(block.count) | FrameFormat.rawBlock)
      raw += block
      raw.appendUInt32(block.withUnsafeBytes { XXH32.checksum($0) })
      let forged = FrameFormat.frameHeader + raw
      engine.store(
        FleetMessage(
          store: host.id, content: .written,
          place: MirrorPlace(segment: first, offset: UInt64(last.value.count)), bytes: forged))
      return
    }
    start = max(0, min(start, bytes.count - 1) - chance(200))
    engine.store(
      FleetMessage(
        store: host.id, content: .written, place: MirrorPlace(segment: first, offset: UInt64(start)),
        bytes: Array(bytes[start...].prefix(600))))
  }

  // MARK: What must hold

  /// Nothing is called collected that a power cut could take, and what a checkpoint covers is the host's.
  private func checkCollected(_ collector: StageCollector) throws {
    guard let state = collector.collector?.state else { return }
    let rest = collector.disk.leftByCut()
    for host in hosts {
      guard let record = state.hosts[host.id], record.state.size > 0 else { continue }
      let directory = collector.folder.host(host.id)
      let there = try segmentFiles(of: directory, on: rest)
      let own = try segmentFiles(of: directory, on: collector.disk)
      for (name, bytes) in own {
        let first = SegmentName.first(of: name) ?? 0
        guard first <= record.state.end.segment else { continue }
        let count = first < record.state.end.segment ? bytes.count : Int(record.state.end.offset)
        guard count <= bytes.count, there[name]?.prefix(count).elementsEqual(bytes[..<count]) ?? false else {
          throw Broken(description: "\(collector.name) calls \(name) collected up to \(count), and it is not synced")
        }
      }
      try checkCosigned(collector, host)
      try checkPrefix(own, of: host, signed: record.state, by: collector)
    }
  }

  /// No two cosigned roots for one size, and none that is not the host's.
  private func checkCosigned(_ collector: StageCollector, _ host: StageHost) throws {
    let place = collector.folder.witness + "/" + FileName.name(of: host.key.verifier.name) + ".checkpoint"
    guard let bytes = try? collector.disk.contents(of: place, limit: 1 << 16) else { return }
    let note = try SignedNote(bytes: bytes, of: place)
    let key = "\(collector.name) \(host.id) \(note.size)"
    guard cosigned[key] ?? note.root == note.root else {
      throw Broken(description: "two roots were cosigned at \(note.size)")
    }
    cosigned[key] = note.root
    let root = try LogReader(directory: host.directory, disk: host.disk).root(at: note.size)
    guard root == note.root else { throw Broken(description: "a root was cosigned that is not the host's") }
  }

  /// A copy is a prefix of its host: all of it, or, where someone wrote in its name, what a checkpoint covers.
  private func checkPrefix(
    _ own: [String: [UInt8]], of host: StageHost, signed: MirrorState, by collector: StageCollector
  ) throws {
    let files = try host.files()
    for (name, bytes) in own {
      guard let theirs = files[name] else {
        if hasForged, SegmentName.first(of: name) ?? 0 >= signed.signed?.segment ?? 0 { continue }
        throw Broken(description: "\(collector.name) has \(name), which the host has not")
      }
      // One of the two may be sealed already.
      let isSealed = { (bytes: [UInt8]) in
        (try? FooterPlace.form(in: MemoryFile(bytes, path: name))).flatMap { $0 }.map { $0 != .closed } ?? false
      }
      if isSealed(bytes) != isSealed(theirs) { continue }
      var count = bytes.count
      if hasForged {
        let first = SegmentName.first(of: name) ?? 0
        guard let end = signed.signed, first <= end.segment else { continue }
        if first == end.segment { count = min(count, Int(end.offset)) }
      }
      guard theirs.starts(with: bytes.prefix(count)) else {
        throw Broken(description: "\(collector.name)'s copy of \(name) is not a prefix of the host's")
      }
    }
  }

  // MARK: The end

  /// Without faults, all becomes equal, and no fork is told.
  private func finish() throws {
    guard try settleAll() else {
      let told = collectors.flatMap(\.conflicts).suffix(3)
      let stands = hosts.map { "\($0.shipper?.description ?? "")" }
      throw Broken(description: "not all is collected after faults ended: \(told) \(stands)")
    }
    for collector in collectors {
      for host in hosts {
        guard try collector.files(of: host) == host.files() else {
          throw Broken(description: "\(collector.name)'s copy differs at the end")
        }
        let record = try #require(collector.collector?.state.hosts[host.id])
        guard !record.isForked, record.trouble == nil else { throw Broken(description: "a fork was invented") }
        let report = try Verifier(
          directory: collector.folder.host(host.id), pinnedKey: host.key.verifier, disk: collector.disk
        ).run(threads: 1)
        guard [.ok, .unanchored].contains(report.verdict) else {
          throw Broken(description: "verify says \(report.verdict): \(report.findings)")
        }
      }
      try checkCollected(collector)
    }
  }

  private func settleAll() throws -> Bool {
    // What a collector in a second hand has not read yet, it reads.
    try FleetTests.settle(hosts, collectors, rounds: 80, from: &now)
  }

  /// A host becomes another log: it must be told, and nothing of the copies be lost.
  private func end(_ ending: Ending) throws {
    did(ending.rawValue)
    let host = hosts[0]
    try host.append(3)
    try host.log?.sync()
    let snapshot = host.disk.leftByCut()
    try host.append(5 + chance(10))
    try host.sign()
    guard try settleAll() else { throw Broken(description: "not collected before the \(ending)") }
    let copies = try collectors.map { try $0.files(of: host) }
    host.log = nil
    host.shipper = nil
    host.disk = snapshot
    try host.open()
    if ending == .forked { try host.append(40) }
    try host.log?.sync()
    try host.ship(to: engine)
    var isTold = false
    for _ in 0..<10 {
      now += 1_000_000
      if case .stopped(let trouble) = try host.shipper?.step(now: now, isLast: true) ?? .idle {
        guard trouble.kind.rawValue == ending.rawValue else {
          throw Broken(description: "\(ending) is called \(trouble)")
        }
        isTold = true
      }
      for collector in collectors { try collector.run() }
    }
    guard isTold else { throw Broken(description: "\(ending) was not told") }
    for (collector, files) in zip(collectors, copies) {
      guard try collector.files(of: host) == files else { throw Broken(description: "a copy changed after \(ending)") }
      let record = try #require(collector.collector?.state.hosts[host.id])
      guard record.state(at: Timestamp(microseconds: collector.time), within: FleetLimits()).rawValue == ending.rawValue
      else { throw Broken(description: "the collector does not see \(ending)") }
    }
  }
}
