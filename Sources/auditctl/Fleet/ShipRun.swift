// Ships some stores in turns.

import AuditReports
import EventStore
import Fleet
import Foundation

/// The shippers of a process.
final class ShipRun {
  /// One of them, and what it has done.
  private final class Ship {
    let directory: String
    let shipper: Shipper
    var bytes = 0
    var messages = 0
    var problem: String?
    var retries = 0

    init(directory: String, shipper: Shipper) {
      self.directory = directory
      self.shipper = shipper
    }
  }

  private var ships: [Ship] = []
  private let isDirectory: Bool

  /// Shippers of stores. A directory without `store.json` stands for the stores right under it.
  ///
  /// - Throws: exit 66 if there is no store.
  init(_ given: [String], to engine: String, linger: Double) throws {
    // A directory is not made for a store that is not there.
    let sources = try given.flatMap(Self.stores).map { try StoreSource(directory: $0, disk: SystemDisk()) }
    let transport = try FleetEngine.open(engine, making: true)
    isDirectory = FleetEngine.isDirectory(engine)
    let asking: Int64 = isDirectory ? 2_000_000 : 30_000_000
    for source in sources {
      let directory = source.directory
      let shipper = try Shipper(
        source, to: transport,
        options: .init(linger: Int64(linger * 1_000_000), askEvery: asking))
      guard !ships.contains(where: { $0.shipper.store == shipper.store }) else {
        throw CommandFailure(
          .usage, "\(directory.printable) and another store have one id; a copy of a store cannot be shipped beside it")
      }
      ships.append(Ship(directory: directory, shipper: shipper))
    }
  }

  private static func stores(_ given: String) throws -> [String] {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: given))?.sorted() ?? []
    if names.contains("store.json") { return [given] }
    let under = names.map { given + "/" + $0 }.filter { files.fileExists(atPath: $0 + "/store.json") }
    guard under.isEmpty else { return under }
    // Its reader describes best what is wrong with it.
    _ = try LogReader(directory: given)
    return [given]
  }

  /// Ships until all is stored, and collected if the engine is no directory. Returns a document for each store.
  ///
  /// - Throws: exit 65 if a log is not the one that was shipped, 74 if the engine does not take it.
  func once() throws -> [JSON] {
    for ship in ships {
      while try !step(ship, isLast: true) {}
    }
    return ships.map { ship in
      .members([
        ("store", .string(ship.shipper.store)), ("directory", .string(ship.directory)),
        ("messages", .int(ship.messages)), ("bytes", .int(ship.bytes)), ("collected", .bool(ship.shipper.isCollected)),
      ])
    }
  }

  /// Ships until the process is ended.
  func forever(linger: Double) throws {
    while true {
      var isBusy = false
      for ship in ships where ship.problem == nil {
        let before = ship.messages
        _ = try step(ship, isLast: false)
        isBusy = isBusy || ship.messages > before
      }
      if ships.allSatisfy({ $0.problem != nil }) {
        throw CommandFailure(.malformed, "no store can be shipped any more; see the messages above")
      }
      if !isBusy { FleetEngine.pause(min(max(linger / 4, 0.02), 0.25)) }
    }
  }

  /// Does a step; true if all is done for now.
  private func step(_ ship: Ship, isLast: Bool) throws -> Bool {
    switch try ship.shipper.step(now: FleetEngine.uptime(), isLast: isLast) {
    case .shipped(let bytes):
      ship.bytes += bytes
      ship.messages += bytes > 0 ? 1 : 0
      ship.retries = 0
      return false
    case .idle:
      guard isLast, !isDirectory, !ship.shipper.isCollected else { return true }
      ship.shipper.askSoon()
      FleetEngine.pause(0.1)
      return false
    case .waiting(let reason):
      ship.retries += 1
      if ship.retries == 1, !isLast { Messages.say("\(ship.directory.printable) waits: \(reason.printable)") }
      guard isLast else { return true }
      guard ship.retries < 30 else {
        throw CommandFailure(.inputOutput, "\(ship.directory.printable) cannot be shipped: \(reason)")
      }
      FleetEngine.pause(0.1)
      return false
    case .stopped(let trouble):
      let message =
        "\(ship.directory.printable) is \(trouble.kind == .forked ? "forked" : "rolled back"): \(trouble.message)"
      guard !isLast, ships.count > 1 else {
        throw CommandFailure(.malformed, message + "; keep it as evidence, and begin a store of a new origin")
      }
      Messages.say("auditctl: " + message)
      ship.problem = message
      return true
    }
  }
}
