// A host, an engine and a collector in memory.
import Testing

@testable import EventStore
@testable import Fleet

/// A host: its disk, its log, its key, its shipper. A seed decides all but the key's bytes.
final class StageHost {
  var disk: MemoryDisk
  let key: SigningKey
  let id: String
  var log: EventLog?
  var shipper: Shipper?
  let directory = "/audit"
  private var count = 0
  private var random = SeededRandom(7)
  private let segmentBytes: Int

  init(seed: UInt64, segmentBytes: Int = 4 << 10) throws {
    disk = MemoryDisk(seed: seed)
    self.segmentBytes = segmentBytes
    // A new store has a random id; this one has the seed's.
    var digits = SeededRandom(seed ^ 0x1D)
    id = String((0..<32).map { _ in "0123456789abcdef".randomElement(using: &digits) ?? "0" })
    let origin = "host-" + id
    key = try SigningKey(name: origin)
    for path in [directory, directory + "/segments"] { try disk.makeDurableDirectory(path) }
    try StoreIdentity(id: id, origin: origin).save(to: StoreLayout(directory), on: disk)
    try open()
  }

  /// What a host becomes whose disk someone else has: the same store, key and name on a disk of its own.
  init(cloneOf host: StageHost, disk: MemoryDisk) throws {
    self.disk = disk
    (key, id, segmentBytes, count, random) = (host.key, host.id, host.segmentBytes, host.count, SeededRandom(8))
    try open()
  }

  private static func options(_ disk: MemoryDisk, _ segmentBytes: Int) -> LogOptions {
    var options = LogOptions(
      durability: .os, segmentBytes: segmentBytes, frameBytes: 1 << 10,
      clock: { Timestamp(microseconds: 1_700_000_000_000_000) }, idleClose: .seconds(3_600))
    options.disk = disk
    return options
  }

  /// Opens the log. The log's own thread begins no segments in it: when that wakes, no seed decides. The next commit does.
  func open() throws {
    let log = try EventLog.open(at: directory, options: Self.options(disk, segmentBytes))
    let engine = log.engine
    engine.withMonitor { engine.rollRetry = .max }
    try engine.withRightThrowing { () throws(StoreError) in try engine.writer.rollIfFull() }
    self.log = log
  }

  /// Appends records, a commit for each eight of them, so that a segment of 4 KiB has some fifty.
  func append(_ number: Int, bytes: Int = 60) throws {
    var batch: [NewRecord] = []
    for index in 0..<number {
      count += 1
      let text = String(
        (0..<bytes).map { _ in "0123456789abcdefghijklmnopqrstuv".randomElement(using: &random) ?? "0" })
      batch.append(
        NewRecord(
          at: Timestamp(microseconds: 1_700_000_000_000_000), stream: "flow/\(count % 7)", type: "thing.happened",
          data: Array("{\"count\":\(count),\"text\":\"\(text)\"}".utf8)))
      guard batch.count == 8 || index == number - 1 else { continue }
      _ = try log?.append(batch)
      try log?.flush()
      batch = []
    }
  }

  /// Forgets how many records it has appended since it had `number`: what it appends next looks like those, and is not the same.
  func goBack(by number: Int) { count -= number }

  /// True if a commit goes into a frame that is there.
  var frameIsOpen: Bool { log?.engine.withMonitor { log?.engine.frameOpen ?? false } ?? false }

  /// Begins the next segment if this one is full, as the log's own thread would.
  func roll() throws {
    guard let engine = log?.engine else { return }
    try engine.withRightThrowing { () throws(StoreError) in try engine.writer.rollIfFull() }
  }

  func sign() throws { _ = try log?.checkpoint(with: key) }

  func ship(to transport: any FleetTransport, longest: Int = 256 << 10) throws {
    shipper = try Shipper(
      StoreSource(directory: directory, disk: disk), to: transport,
      options: .init(linger: 0, longest: longest, askEvery: 20_000_000))
  }

  /// Ships until nothing is left to ship for now, a second a step.
  func shipAll(from now: inout Int64) throws {
    guard let shipper else { return }
    for _ in 0..<200 {
      now += 1_000_000
      guard case .shipped = try shipper.step(now: now, isLast: true) else { break }
    }
  }

  /// The content of its segments' files.
  func files() throws -> [String: [UInt8]] { try segmentFiles(of: directory, on: disk) }
}

/// The segments of a store, by name.
func segmentFiles(of directory: String, on disk: MemoryDisk) throws -> [String: [UInt8]] {
  var files: [String: [UInt8]] = [:]
  for name in try disk.names(in: directory + "/segments") where SegmentName.first(of: name) != nil {
    files[name] = try disk.contents(of: directory + "/segments/" + name, limit: 1 << 30)
  }
  return files
}

/// A collector and its disk.
final class StageCollector {
  var disk: MemoryDisk
  let name: String
  var transport: any FleetTransport
  let witnessKey: SigningKey
  var roster = Roster()
  var collector: Collector?
  var time: Int64 = 1_700_000_000_000_000
  var conflicts: [String] = []
  /// What the collector uses in the place of its disk, from its next start on; nil for the disk.
  var bar: BarredDisk?

  init(_ name: String = "c1", from transport: any FleetTransport, seed: UInt64) throws {
    disk = MemoryDisk(seed: seed)
    self.name = name
    self.transport = transport
    witnessKey = try SigningKey(name: "witness-" + name, as: .cosignature)
  }

  var folder: FleetFolder { FleetFolder("/fleet", disk: (bar as (any Disk)?) ?? disk) }

  func start(_ hosts: [StageHost]) throws {
    try folder.prepare()
    if try !disk.exists("/fleet/witness", in: "/fleet") {
      try Witness.begin(folder.witness, key: witnessKey, disk: disk)
      try disk.syncDirectory("/fleet")
    }
    let witness = try Witness(
      key: witnessKey, logs: hosts.map(\.key.verifier), directory: folder.witness,
      clock: { Timestamp(microseconds: 1_700_000_000_000_000) }, disk: disk)
    let time = time
    collector = try Collector(
      folder, from: transport, name: name, witness: witness, clock: { Timestamp(microseconds: time) })
    var roster = Roster()
    for host in hosts { roster.enroll(host.id, key: host.key.verifier) }
    self.roster = roster
    try collector?.follow(roster)
  }

  /// Reads all that is there, and settles.
  func run() throws {
    guard let collector else { return }
    var all = Collector.Round()
    while true {
      let round = try collector.read()
      all.conflicts += round.conflicts
      if round.messages == 0 { break }
    }
    try collector.settle(&all)
    conflicts += all.conflicts
  }

  func files(of host: StageHost) throws -> [String: [UInt8]] {
    try segmentFiles(of: folder.host(host.id), on: disk)
  }
}

extension Roster {
  /// Enrolls a host, as its event would.
  mutating func enroll(_ store: String, key: VerifierKey, name: String = "host") {
    let data = JSON.members([("name", .string(name)), ("publicKey", .string(key.description))])
    let line =
      "{\"n\":0,\"at\":\"2026-11-21T08:35:00.123456Z\",\"stream\":\"host/\(store)\",\"rev\":0,\"type\":\"host.enrolled\",\"v\":1,"
      + "\"data\":" + String(decoding: data.bytes, as: UTF8.self) + "}"
    guard let record = try? StoredRecord(line: Array(line.utf8)) else { return }
    fold(record)
  }
}

/// A host that ships over an engine, and a collector, of the seed after the host's, that follows it.
func hostAndCollector(over engine: any FleetTransport, seed: UInt64) throws -> (StageHost, StageCollector) {
  let host = try StageHost(seed: seed)
  let collector = try StageCollector(from: engine, seed: seed + 1)
  try collector.start([host])
  try host.ship(to: engine)
  return (host, collector)
}

/// Lets hosts and collectors take turns until all is collected; false if it does not come to that.
func settle(_ hosts: [StageHost], _ collectors: [StageCollector], rounds: Int = 60) throws -> Bool {
  var now: Int64 = 0
  return try settle(hosts, collectors, rounds: rounds, from: &now)
}

/// The same from a time on.
func settle(
  _ hosts: [StageHost], _ collectors: [StageCollector], rounds: Int, from now: inout Int64
) throws -> Bool {
  for round in 0..<rounds {
    for host in hosts { try host.shipAll(from: &now) }
    for collector in collectors { try collector.run() }
    for host in hosts { host.shipper?.askSoon() }
    // What a collector said before it lost its power, it may have to read again.
    if round > 1, hosts.allSatisfy({ $0.shipper?.isCollected ?? true }) { return true }
  }
  return false
}
