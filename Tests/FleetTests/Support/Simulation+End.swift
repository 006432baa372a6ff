// What must hold once faults end, and what must be found when a host becomes another log.
import Testing

@testable import EventStore
@testable import Fleet

extension Simulation {
  /// How a host becomes another log.
  enum Ending: String, CaseIterable {
    /// An older copy is put back.
    case rolledBack
    /// An older copy is put back, and goes on to more records.
    case forked
    /// An older copy is put back, and goes on to as many records of the same lengths.
    case forkedEqually
    /// A copy goes on elsewhere while the host does.
    case cloned
  }

  /// Without faults, all becomes equal, and no fork is found.
  func finish() throws {
    guard try settleAll() else {
      let found = collectors.flatMap(\.conflicts).suffix(3)
      let stands = hosts.map { "\($0.shipper?.description ?? "")" }
      throw Broken(description: "not all is collected after faults ended: \(found) \(stands)")
    }
    for collector in collectors {
      for host in hosts {
        guard try collector.files(of: host) == host.files() else {
          throw Broken(description: "\(collector.name)'s copy differs at the end")
        }
        let path = collector.folder.host(host.id) + "/store.json"
        guard
          try collector.disk.contents(of: path, limit: 1 << 20)
            == host.disk.contents(of: host.directory + "/store.json", limit: 1 << 20)
        else { throw Broken(description: "\(collector.name) has another store.json") }
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

  func settleAll() throws -> Bool {
    // What a collector in a second hand has not read yet, it reads.
    try FleetTests.settle(hosts, collectors, rounds: 80, from: &now)
  }

  /// A host becomes another log: it must be found, and nothing of the copies be lost.
  func end(_ ending: Ending) throws {
    did(ending.rawValue)
    let host = hosts[0]
    try host.append(3)
    try host.log?.sync()
    let snapshot = host.disk.leftByCut()
    if ending == .cloned { return try endCloned(host, snapshot) }
    let lost = 5 + chance(10)
    try host.append(lost)
    try host.sign()
    guard try settleAll() else { throw Broken(description: "not collected before the \(ending)") }
    let copies = try collectors.map { try $0.files(of: host) }
    host.log = nil
    host.shipper = nil
    host.disk = snapshot
    try host.open()
    host.goBack(by: lost)
    switch ending {
    case .forked: try host.append(40)
    case .forkedEqually: try host.append(lost)
    case .rolledBack, .cloned: break
    }
    try host.log?.sync()
    try host.ship(to: engine)
    let kind = ending == .rolledBack ? HostState.rolledBack : .forked
    var isFound = false
    for _ in 0..<10 {
      now += 1_000_000
      if case .stopped(let trouble) = try host.shipper?.step(now: now, isLast: true) ?? .idle {
        guard trouble.kind.rawValue == kind.rawValue else {
          throw Broken(description: "\(ending) is called \(trouble)")
        }
        isFound = true
      }
      for collector in collectors { try collector.run() }
    }
    guard isFound else { throw Broken(description: "\(ending) was not found") }
    for (collector, files) in zip(collectors, copies) {
      guard try collector.files(of: host) == files else { throw Broken(description: "a copy changed after \(ending)") }
      guard try state(of: host, at: collector) == kind else {
        throw Broken(description: "the collector does not see \(ending)")
      }
    }
  }

  private func state(of host: StageHost, at collector: StageCollector) throws -> HostState {
    let record = try #require(collector.collector?.state.hosts[host.id])
    return record.state(at: Timestamp(microseconds: collector.time), within: FleetLimits())
  }

  /// Two logs of one name and key ship at once: that is found, and what a copy has signed is of one of them.
  private func endCloned(_ host: StageHost, _ snapshot: MemoryDisk) throws {
    let clone = try StageHost(cloneOf: host, disk: snapshot)
    try clone.ship(to: engine)
    var isFound = false
    for _ in 0..<60 where !isFound {
      for one in chance(2) == 0 ? [host, clone] : [clone, host] {
        try one.append(1 + chance(3))
        if chance(3) == 0 { try one.sign() }
        one.shipper?.askSoon()
        for _ in 0..<(1 + chance(4)) {
          now += 1_000_000
          if case .stopped = try one.shipper?.step(now: now, isLast: true) ?? .idle { isFound = true }
        }
      }
      for collector in collectors where chance(2) == 0 {
        try collector.run()
        if collector.collector?.state.hosts[host.id]?.isForked == true { isFound = true }
      }
    }
    for collector in collectors { try collector.run() }
    guard isFound else { throw Broken(description: "a clone was not found") }
    for collector in collectors {
      guard let note = try collector.collector?.newestNote(of: host.id) else { continue }
      let isOwn = [host, clone].contains { one in
        (try? LogReader(directory: one.directory, disk: one.disk).root(at: note.size)) == note.root
      }
      guard isOwn else { throw Broken(description: "a checkpoint is of neither of two clones") }
    }
  }
}
