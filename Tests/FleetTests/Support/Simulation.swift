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

  /// What happened, and how often.
  private(set) var tally: [String: Int] = [:]
  private var random: SeededRandom
  let engine: MemoryTransport
  private(set) var hosts: [StageHost] = []
  private(set) var collectors: [StageCollector] = []
  var now: Int64 = 0
  /// What each witness cosigned, by collector, host and size.
  var cosigned: [String: TreeHash] = [:]
  /// True once someone wrote in a host's name: a copy may hold what is not the host's where no checkpoint covers it.
  var hasForged = false

  init(seed: UInt64) throws {
    random = SeededRandom(seed)
    engine = MemoryTransport(seed: seed ^ 0xE)
    for number in 0..<(1 + chance(2)) { hosts.append(try StageHost(seed: seed &* 16 &+ UInt64(number))) }
    for number in 0..<(1 + chance(2)) {
      let collector = try StageCollector("c\(number)", from: engine, seed: seed &* 16 &+ 8 &+ UInt64(number))
      try collector.start(hosts)
      collectors.append(collector)
    }
    for host in hosts { try startShipper(of: host) }
  }

  func chance(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  func did(_ what: String) { tally[what, default: 0] += 1 }

  /// Plays, then lets all faults end and compares.
  func run() throws {
    if chance(3) > 0 { setFaults() }
    for _ in 0..<(20 + chance(40)) { try step() }
    engine.faults = .init()
    engine.isFull = false
    for host in hosts { try host.append(1 + chance(5)) }
    for host in hosts where chance(2) == 0 { try host.sign() }
    let words = LastWords.allCases[chance(6) % LastWords.allCases.count]
    if words != .none {
      try finish()
      try say(words, of: hosts[0])
    }
    try finish()
    if chance(4) == 0 { try end(Ending.allCases[chance(Ending.allCases.count)]) }
    for (name, count) in engine.happened { tally[name, default: 0] += count }
  }

  /// What a run came to, in short: the same for the same seed.
  var digest: String {
    let sizes = hosts.map { "\($0.log?.size ?? 0)" } + collectors.map { "\($0.conflicts.count)" }
    let text = tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return (sizes + ["\(engine.count) messages"] + text).joined(separator: ", ")
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
    case 15: setFaults()
    case 16: try cutHost(host)
    case 17:
      did("shipper killed")
      try startShipper(of: host)
    case 18: try restart(collector)
    case 19:
      did("wipe")
      engine.wipe()
      if chance(2) == 0 { engine.reset() }
    case 20:
      did("full")
      engine.isFull.toggle()
    case 21: try forge(host)
    case 22: try seal(host)
    default: now += 1_000_000
    }
  }

  /// A header, which is not cut, has less than 1 KiB in so short logs.
  private func startShipper(of host: StageHost) throws { try host.ship(to: engine, longest: 1 << (10 + chance(3))) }

  private func seal(_ host: StageHost) throws {
    did("seal")
    try host.log?.sync()
    _ = try host.log?.seal()
  }

  private func setFaults() {
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
    if chance(2) == 0 { faults.flip = rate }
    engine.faults = faults
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
    // What was read and not settled, the next one settles, or a power cut takes.
    if chance(3) > 0 { try settle(collector, &round) }
  }

  private func settle(_ collector: StageCollector, _ round: inout Collector.Round) throws {
    try collector.collector?.settle(&round)
    try checkCollected(collector)
  }

  /// The power goes, between two steps or at any call of the disk in the middle of one.
  private func cutHost(_ host: StageHost) throws {
    did("host's power cut")
    if chance(2) == 0 {
      host.disk.cutPower(afterCalls: 1 + chance(60))
      try unlessCut(host.disk) {
        try host.append(1 + chance(12))
        if chance(3) == 0 { try host.sign() }
        if chance(3) == 0 { try seal(host) }
        for _ in 0..<4 {
          now += 500_000
          _ = try host.shipper?.step(now: now, isLast: true)
        }
      }
    }
    // Cut now at the latest. What was not synced is gone for certain, or any part of it is.
    let isGone = host.disk.callAtCut == nil && chance(2) == 0
    let disk = isGone ? host.disk.leftByCut() : host.disk.afterCut()
    _ = host.disk.afterCut()
    host.log = nil
    host.shipper = nil
    host.disk = disk
    try host.open()
    try startShipper(of: host)
  }

  /// The collector is killed, or loses its power, between two steps or at any call of the disk in the middle of one.
  private func restart(_ collector: StageCollector) throws {
    let isPowerCut = chance(3) > 0
    did(isPowerCut ? "collector's power cut" : "collector killed")
    let isInside = chance(2) == 0
    if isInside {
      let calls = 1 + chance(80)
      if isPowerCut { collector.disk.cutPower(afterCalls: calls) } else { collector.disk.kill(afterCalls: calls) }
      try unlessCut(collector.disk) {
        var round = try collector.collector?.read(limit: 1 + chance(16)) ?? Collector.Round()
        try collector.collector?.settle(&round)
        round = try collector.collector?.read(limit: 1 + chance(16)) ?? round
        try collector.collector?.settle(&round)
      }
    }
    var disk = collector.disk
    if isPowerCut, disk.callAtCut == nil, chance(2) == 0 {
      disk = disk.leftByCut()
    } else if isPowerCut || isInside {
      disk = disk.afterCut()
    }
    collector.collector = nil
    collector.disk = disk
    try collector.start(hosts)
    try checkCollected(collector)
  }

  /// Does something that a power cut may end.
  private func unlessCut(_ disk: MemoryDisk, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      guard disk.callAtCut != nil else { throw error }
    }
  }
}
