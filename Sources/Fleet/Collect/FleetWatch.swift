// What a collector writes into the fleet's store: newest checkpoints, and each change of a host's state.
package import EventStore

/// Records the states of the hosts in the fleet's store.
package struct FleetWatch: Sendable {
  private let store: FleetStore
  private let limits: FleetLimits
  /// How often a host's newest checkpoint is written down, in microseconds.
  private let checkpointEvery: Int64
  private var checkpointed: [String: (size: UInt64, at: Timestamp)] = [:]
  private var told: [String: HostState] = [:]

  /// A host whose state has changed.
  package struct Change: Sendable, Hashable {
    /// What people call it.
    package var name: String
    /// The id of its store.
    package var store: String
    /// Its current state.
    package var state: HostState
    /// What contradicted its copy, or what is wrong with the copy; nil if nothing is.
    package var conflict: String?
  }

  /// A watch that continues from the states in the roster.
  package init(
    _ store: FleetStore, from roster: Roster, limits: FleetLimits = FleetLimits(), checkpointEvery: Int64 = 300_000_000
  ) {
    self.store = store
    self.limits = limits
    self.checkpointEvery = checkpointEvery
    for host in roster.active {
      told[host.store] = host.alarm ?? .ok
      if let note = host.checkpoint { checkpointed[host.store] = (note.size, Timestamp(microseconds: 0)) }
    }
  }

  /// Writes what is due. Returns the hosts whose state has changed.
  ///
  /// - Parameters:
  ///   - damage: what is wrong with copies, by store.
  ///   - isLast: true writes each new checkpoint at once.
  package mutating func look(
    at collector: Collector, roster: Roster, now: Timestamp, damage: [String: String] = [:], isLast: Bool = false
  ) throws(StoreError) -> [Change] {
    var records: [NewRecord] = []
    var changes: [Change] = []
    for host in roster.active {
      let fault = collector.damage(of: host.store)
      // A copy that the state does not know has no record.
      guard let record = collector.state.hosts[host.store] ?? fault.map({ _ in HostRecord() }) else { continue }
      let known = checkpointed[host.store]
      let isDue = isLast || now.microseconds - (known?.at.microseconds ?? 0) >= checkpointEvery
      if isDue, record.state.signedSize > known?.size ?? 0, let note = try collector.newestNote(of: host.store) {
        let data = JSON.members([
          ("size", .number(String(note.size))), ("root", .string(note.root.description)), ("note", .string(note.text)),
        ])
        records.append(Roster.record(.checkpoint, of: host.store, data, at: now))
        checkpointed[host.store] = (note.size, now)
      }
      let own = record.state(at: now, within: limits)
      let damage = damage[host.store] ?? fault
      let state = damage == nil ? own : HostState.byGravity.first { $0 == own || $0 == .damaged } ?? own
      guard state != told[host.store] ?? .ok else { continue }
      told[host.store] = state
      let conflict = state == .damaged ? damage ?? record.lack : record.conflict
      let data = JSON.members([("state", .string(state.rawValue)), ("conflict", conflict.map(JSON.string))])
      records.append(Roster.record(.alarm, of: host.store, data, at: now))
      changes.append(Change(name: host.name, store: host.store, state: state, conflict: conflict))
    }
    try store.append(records)
    return changes
  }
}
