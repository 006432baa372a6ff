// The hosts that must report: the events of the fleet's own store, folded.
package import EventStore

/// The hosts of a fleet, according to the fleet's store.
package struct Roster: Sendable, Hashable {
  /// A host.
  package struct Host: Sendable, Hashable {
    /// The id of its store.
    package var store: String
    /// What people call it.
    package var name: String
    /// The key that it was enrolled with.
    package var key: VerifierKey
    /// When it was enrolled.
    package var enrolled: Timestamp
    /// True if it no longer has to report.
    package var isRetired = false
    /// Its newest checkpoint in the fleet's store.
    package var checkpoint: SignedNote?
    /// The newest state that the store records.
    package var alarm: HostState?
  }

  /// The types of its events (docs/EVENTS.md).
  package enum EventType: String, Sendable, CaseIterable {
    case enrolled = "host.enrolled"
    case retired = "host.retired"
    case checkpoint = "host.checkpoint"
    case alarm = "host.alarm"
  }

  /// The hosts by store, retired ones too.
  package private(set) var hosts: [String: Host] = [:]

  /// No hosts.
  package init() {}

  /// The hosts that must report, by name.
  package var active: [Host] {
    hosts.values.filter { !$0.isRetired }.sorted { ($0.name, $0.store) < ($1.name, $1.store) }
  }

  /// The host of that name or store id, or nil.
  package func host(named name: String) -> Host? {
    hosts[name]
      ?? hosts.values.filter { $0.name.isSame(as: name) }.max { (!$0.isRetired ? 1 : 0) < (!$1.isRetired ? 1 : 0) }
  }

  /// Takes in a record; records of other types and unreadable ones change nothing.
  package mutating func fold(_ record: StoredRecord) {
    guard let type = EventType(rawValue: record.type), record.stream.hasPrefix(Self.streamPrefix),
      let data = try? JSON(parsing: Array(record.data))
    else { return }
    let store = String(record.stream.dropFirst(Self.streamPrefix.count))
    guard FleetMessage.isStore(store) else { return }
    switch type {
    case .enrolled:
      guard let name = data["name"]?.string, let text = data["publicKey"]?.string,
        let key = try? VerifierKey(text: text)
      else { return }
      // The facts about its log remain valid with another key.
      let known = hosts[store]
      hosts[store] = Host(
        store: store, name: name, key: key, enrolled: record.at, checkpoint: known?.checkpoint, alarm: known?.alarm)
    case .retired: hosts[store]?.isRetired = true
    case .checkpoint:
      guard let text = data["note"]?.string, let note = try? SignedNote(text: text) else { return }
      hosts[store]?.checkpoint = note
    case .alarm: hosts[store]?.alarm = data["state"]?.string.flatMap(HostState.init)
    }
  }

  /// The prefix of the streams of hosts.
  package static let streamPrefix = "host/"

  /// A record of one of these types about a store.
  package static func record(_ type: EventType, of store: String, _ data: JSON, at time: Timestamp) -> NewRecord {
    NewRecord(at: time, stream: streamPrefix + store, type: type.rawValue, data: data.bytes)
  }
}
