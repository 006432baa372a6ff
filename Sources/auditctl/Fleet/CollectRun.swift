// Collects until it is ended, or once.

import AuditReports
import EventStore
import Fleet
import Foundation

/// A collector with its roster, its witness and what it writes into the fleet's store.
final class CollectRun {
  private let folder: FleetFolder
  private let transport: any FleetTransport
  private let store: FleetStore
  private let witnessKey: SigningKey
  private let name: String
  private var roster: Roster
  private var rosterSize: UInt64
  private let collector: Collector
  private var watch: FleetWatch
  private let alarm: AlarmCommand?
  /// What is wrong with copies, and when that was looked at.
  private var (damage, lookedAt): ([String: String], Int64?) = ([:], nil)
  /// What cannot be read of the engine, as it was said last.
  private var unread: [String] = []

  /// The collector of a fleet's directory.
  ///
  /// - Parameters:
  ///   - name: its name in answers; nil is that of its witness key.
  ///   - signingKey: the key of the fleet's store; nil is the usual place.
  ///   - witnessKey: the key that cosigns; nil is the usual place, where it is made on first use.
  ///   - alarm: what is run when a host's state changes; nil for nothing.
  init(
    _ folder: FleetFolder, from engine: String, _ options: EngineOptions, streams: PartitionOptions,
    signingKey: String?, witnessKey: String?, alarm: AlarmCommand? = nil
  ) throws {
    self.folder = folder
    self.alarm = alarm
    roster = try folder.roster()
    rosterSize = try Self.size(of: folder)
    if let digits = streams.digits, let host = roster.active.first(where: { !digits.contains($0.store.prefix(1)) }) {
      throw CommandFailure(
        .usage,
        "\(host.name.printable) is enrolled here and is in partition \(host.store.prefix(1)), which --partitions leaves out; "
          + "enroll it where that is collected")
    }
    transport = try FleetEngine.open(engine, options, streams: streams, making: false)
    store = FleetStore(folder, keyFile: signingKey)
    let identity = try LogReader(directory: folder.store).identity
    self.witnessKey = try Self.witnessKey(at: witnessKey, of: identity.origin, in: folder)
    name = "c-" + String(self.witnessKey.verifier.hash, radix: 16)
    let witness = try Self.witness(of: roster, key: self.witnessKey, in: folder)
    collector = try Collector(folder, from: transport, name: name, witness: witness, clock: Timestamp.now)
    watch = FleetWatch(store, from: roster)
    try collector.follow(roster)
  }

  /// The key of the witness, and its memory, made on first use.
  private static func witnessKey(at path: String?, of origin: String, in folder: FleetFolder) throws -> SigningKey {
    let file = path ?? SigningKey.defaultPath(origin: origin + ".witness")
    let isBegun = FileManager.default.fileExists(atPath: folder.witness + "/witness.pub")
    if FileManager.default.fileExists(atPath: file) {
      let key = try SigningKey.load(path: file, as: .cosignature)
      if !isBegun { try Witness.begin(folder.witness, key: key) }
      return key
    }
    guard !isBegun else {
      throw CommandFailure(
        .permission, "the key of the fleet's witness is not at \(file.printable); give it with --witness-key")
    }
    let key = try SigningKey.create(path: file, name: origin + ".witness", as: .cosignature)
    try Witness.begin(folder.witness, key: key)
    Messages.say("The key of the witness was made: \(key.verifier)")
    return key
  }

  private static func witness(of roster: Roster, key: SigningKey, in folder: FleetFolder) throws -> Witness {
    try Witness(key: key, logs: roster.active.map(\.key), directory: folder.witness)
  }

  private static func size(of folder: FleetFolder) throws -> UInt64 {
    try LogReader(directory: folder.store).statistics().records
  }

  /// Collects all that is there. Returns what contradicts copies, a line each: what was found now, and the hosts whose
  /// logs did before.
  func once() throws -> [String] {
    var all = Collector.Round()
    while true {
      let round = try collector.read()
      all.conflicts += round.conflicts
      all.messages += round.messages
      unread = round.unread
      if round.messages == 0 { break }
    }
    try collector.settle(&all)
    let now = Timestamp.now()
    lookForDamage()
    for change in try watch.look(at: collector, roster: roster, now: now, damage: damage, isLast: true) {
      alarm?.run(change)
    }
    alarm?.finish()
    let graves = roster.active.compactMap { host -> String? in
      guard let record = collector.state.hosts[host.store] else { return nil }
      let state = record.state(at: now, within: FleetLimits())
      guard state == .forked || state == .rolledBack else { return nil }
      return "\(host.name) is \(state.words): \(record.conflict ?? "its log contradicts its copy")"
    }
    return all.conflicts + unread.map { "some messages are not read of \($0)" } + graves
  }

  /// Collects until the process is ended.
  func forever() throws {
    var pace = SettlingPace(now: FleetEngine.uptime())
    var looked = FleetEngine.uptime()
    var all = Collector.Round()
    while true {
      var isQuiet = true
      do {
        let round = try collector.read()
        all.conflicts += round.conflicts
        say(unread: round.unread)
        isQuiet = round.messages == 0
        if isQuiet { FleetEngine.pause(collector.owes ? 0.02 : 0.2) }
      } catch {
        // The engine may come back; a disk that fails ends the process with the next settling.
        guard error.code == .io else { throw error }
        Messages.say(error.description.printable)
        FleetEngine.pause(1)
      }
      guard pace.isDue(at: FleetEngine.uptime(), early: isQuiet && collector.owes) else { continue }
      try pace.settling { try collector.settle(&all) }
      for conflict in all.conflicts { Messages.say(conflict.printable) }
      all = Collector.Round()
      alarm?.goOn()
      guard FleetEngine.uptime() - looked >= 1_000_000 else { continue }
      lookForDamage()
      try say(watch.look(at: collector, roster: roster, now: .now(), damage: damage))
      try followRoster()
      looked = FleetEngine.uptime()
    }
  }

  /// Takes up hosts that were enrolled or retired since.
  private func followRoster() throws {
    let size = try Self.size(of: folder)
    guard size != rosterSize else { return }
    rosterSize = size
    let before = roster
    roster = try folder.roster()
    guard roster.active.map(\.key) != before.active.map(\.key) else { return }
    collector.witness = try Self.witness(of: roster, key: witnessKey, in: folder)
    try collector.follow(roster)
  }

  /// Looks once a minute whether the copies are still there and can be read.
  private func lookForDamage() {
    let now = FleetEngine.uptime()
    if let lookedAt, now - lookedAt < 60_000_000 { return }
    lookedAt = now
    damage = [:]
    for host in roster.active {
      guard let record = collector.state.hosts[host.store] else { continue }
      damage[host.store] = folder.damage(of: host.store, after: record.state)
    }
  }

  private func say(unread now: [String]) {
    for line in now where !unread.contains(line) {
      Messages.say("some messages are not read of \(line.printable)")
    }
    unread = now
  }

  private func say(_ changes: [FleetWatch.Change]) {
    for change in changes {
      Messages.say("\(change.name.printable) is \(change.state.words)")
      alarm?.run(change)
    }
  }
}
