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
    /// True once its log was found not to be the one that was shipped, or `once` has failed with it.
    var hasFailed = false
    /// Since when the engine has taken nothing, and the reasons for it that were said.
    var refused: (since: Int64, reasons: Set<String>)?
    /// What the collectors answered last, and since when they have answered that.
    var answered: (answers: [FleetAnswer], since: Int64)?

    init(directory: String, shipper: Shipper) {
      self.directory = directory
      self.shipper = shipper
    }
  }

  private var ships: [Ship] = []
  /// Why stores are not shipped, in the order in which that was found.
  private var failures: [any Error] = []
  private let isDirectory: Bool
  private let wait: Int64
  private let given: [String]
  private let transport: any FleetTransport
  private let options: Shipper.Options

  /// Shippers of stores. A directory without `store.json` stands for the stores right under it. One that cannot be
  /// opened holds up no other.
  ///
  /// - Throws: exit 66 if there is no store, or why the only one cannot be opened.
  ///
  /// - Parameter wait: how long `once` waits for an engine that takes nothing, or for collectors that do not get
  ///   further, in seconds.
  init(_ given: [String], to engine: String, _ options: EngineOptions, linger: Double, wait: Double) throws {
    self.wait = Int64(wait * 1_000_000)
    self.given = given
    // A directory is not made for a store that is not there.
    var sources: [StoreSource] = []
    for directory in try given.flatMap(Self.stores) {
      do throws(StoreError) {
        sources.append(try StoreSource(directory: directory, disk: SystemDisk()))
      } catch {
        failures.append(error)
      }
    }
    if sources.isEmpty, let failure = failures.first { throw failure }
    transport = try FleetEngine.open(engine, options, making: true)
    isDirectory = FleetEngine.isDirectory(engine)
    self.options = .init(linger: Int64(linger * 1_000_000), askEvery: isDirectory ? 2_000_000 : 30_000_000)
    for source in sources { try add(source) }
  }

  private func say(_ failure: any Error, of directory: String? = nil) {
    let reason =
      (failure as? StoreError)?.description ?? (failure as? CommandFailure)?.message ?? String(describing: failure)
    Messages.say("\(directory.map { "\($0) is" } ?? "A store is") not shipped: \(reason)".printable)
  }

  private func add(_ source: StoreSource) throws {
    let shipper = try Shipper(source, to: transport, options: options)
    guard !ships.contains(where: { $0.shipper.store == shipper.store }) else {
      throw CommandFailure(
        .usage,
        "\(source.directory.printable) and another store have one id; a copy of a store cannot be shipped beside it")
    }
    ships.append(Ship(directory: source.directory, shipper: shipper))
  }

  /// Takes up stores that were made since, right under the directories that were given. What is wrong with one is said
  /// once; it is tried again, and holds up no other.
  private func discover(_ refused: inout Set<String>) {
    for directory in given.flatMap({ (try? Self.stores($0)) ?? [] }) {
      guard !ships.contains(where: { $0.directory == directory }) else { continue }
      do {
        try add(try StoreSource(directory: directory, disk: SystemDisk()))
        if !refused.contains(directory) { Messages.say("\(directory.printable) is new and is shipped") }
      } catch {
        if refused.insert(directory).inserted { say(error, of: directory) }
      }
    }
  }

  private static func stores(_ given: String) throws -> [String] {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: given))?.sorted() ?? []
    if names.contains("store.json") { return [given] }
    // What a restore is making is not there yet.
    let under = names.filter { !$0.hasSuffix(".incomplete") }.map { given + "/" + $0 }.filter {
      files.fileExists(atPath: $0 + "/store.json")
    }
    guard under.isEmpty else { return under }
    // Its reader describes best what is wrong with it.
    _ = try LogReader(directory: given)
    return [given]
  }

  /// Ships until all is stored, and collected if the engine is not a directory. Returns a document for each store.
  ///
  /// - Parameter said: is called with the documents of the stores that were shipped, before anything is thrown.
  /// - Throws: exit 65 if a log is not the one that was shipped, 74 if the engine does not take it: for the first of
  ///   them, when the others are shipped.
  func once(_ said: ([JSON]) throws -> Void) throws {
    var open = ships
    while true {
      // Each as far as it gets, then all that wait for a collector: these answer once a second.
      open = open.filter { ship in
        do {
          while true {
            switch try step(ship, isLast: true) {
            case .sent: continue
            case .waits: return true
            case .done: return false
            }
          }
        } catch {
          failures.append(error)
          ship.hasFailed = true
          return false
        }
      }
      guard !open.isEmpty else { break }
      FleetEngine.pause(0.1)
    }
    try said(documents)
    for failure in failures.dropFirst() { say(failure) }
    if let failure = failures.first { throw failure }
  }

  private var documents: [JSON] {
    ships.filter { !$0.hasFailed }.map { ship in
      .members([
        ("store", .string(ship.shipper.store)), ("directory", .string(ship.directory)),
        ("messages", .int(ship.messages)), ("bytes", .int(ship.bytes)), ("collected", .bool(ship.shipper.isCollected)),
      ])
    }
  }

  /// Ships until the process is ended.
  func forever(linger: Double) throws {
    for failure in failures { say(failure) }
    var (looked, refused): (Int64, Set<String>) = (FleetEngine.uptime(), [])
    while true {
      var isBusy = false
      if FleetEngine.uptime() - looked >= 2_000_000 {
        discover(&refused)
        looked = FleetEngine.uptime()
      }
      for ship in ships where !ship.hasFailed {
        let before = ship.messages
        do {
          _ = try step(ship, isLast: false)
        } catch let error as StoreError where ships.count > 1 {
          // One that cannot be read holds up no other. It is tried again if it stands under a directory that was given.
          ships.removeAll { $0 === ship }
          if refused.insert(ship.directory).inserted { say(error, of: ship.directory) }
        }
        isBusy = isBusy || ship.messages > before
      }
      if ships.allSatisfy(\.hasFailed) {
        throw CommandFailure(.malformed, "no store can be shipped any more; see the messages above")
      }
      if !isBusy { FleetEngine.pause(min(max(linger / 4, 0.02), 0.25)) }
    }
  }

  /// Throws exit 74 if collectors have not got further for as long as is waited.
  private func refuseToWaitForever(for ship: Ship) throws {
    let now = FleetEngine.uptime()
    let answers = ship.shipper.answers
    guard let known = ship.answered, known.answers == answers else {
      ship.answered = (answers, now)
      return
    }
    guard now - known.since >= wait else { return }
    throw CommandFailure(
      .inputOutput,
      "\(ship.directory.printable) is with the engine, and "
        + (answers.isEmpty ? "no collector answers" : "a collector does not get further")
        + "; run auditctl collect, and this again to hear that all is collected")
  }

  /// The result of a step.
  private enum Outcome {
    /// Something was sent; there may be more.
    case sent
    /// There is nothing to do until the engine or a collector gets further.
    case waits
    /// All is done for now.
    case done
  }

  /// Does a step.
  private func step(_ ship: Ship, isLast: Bool) throws -> Outcome {
    switch try ship.shipper.step(now: FleetEngine.uptime(), isLast: isLast) {
    case .shipped(let bytes):
      ship.bytes += bytes
      ship.messages += bytes > 0 ? 1 : 0
      ship.refused = nil
      return .sent
    case .idle:
      guard isLast, !isDirectory, !ship.shipper.isCollected else { return .done }
      try refuseToWaitForever(for: ship)
      ship.shipper.askSoon()
      return .waits
    case .waiting(let reason):
      let now = FleetEngine.uptime()
      var refused = ship.refused ?? (now, [])
      if refused.reasons.insert(reason).inserted, !isLast {
        Messages.say("\(ship.directory.printable) waits: \(reason.printable)")
      }
      ship.refused = refused
      guard isLast else { return .done }
      // What passes by itself has a while, whatever the wait; a directory without room is not made room in soon.
      guard now - refused.since < (isDirectory ? 3_000_000 : max(wait, 3_000_000)) else {
        throw CommandFailure(.inputOutput, "\(ship.directory.printable) cannot be shipped: \(reason.printable)")
      }
      return .waits
    case .stopped(let trouble):
      let message =
        "\(ship.directory.printable) is \(trouble.kind == .forked ? "forked" : "rolled back"): \(trouble.message)"
      guard !isLast, ships.count > 1 else {
        throw CommandFailure(
          .malformed,
          message
            + "; keep it as evidence, then restore the log from its backup or archive, or begin a store of a new origin"
        )
      }
      Messages.say("auditctl: " + message)
      ship.hasFailed = true
      return .done
    }
  }
}
