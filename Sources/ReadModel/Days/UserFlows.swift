// Finds the users of a store's flows: each flow is followed until its user is known and it ends.

import AuditReports
import EventStore
import FlowKinds
import FlowRecording

/// The flows of one store that are being indexed by day.
struct UserFlows {
  private final class Entry {
    var facts: FlowFacts
    let first: UInt64
    var last: UInt64
    var isChanged = true

    init(startingWith record: StoredRecord, _ kinds: KindRegistry) {
      facts = FlowFacts(startingWith: record, kinds: kinds)
      first = record.position
      last = record.position
    }

    func add(_ record: StoredRecord, _ kinds: KindRegistry) {
      facts.add(record, kinds)
      last = record.position
      isChanged = true
    }
  }

  private let log: LogReader
  private let store: Int
  private let kinds = KindRegistry.standard
  private var entries: [ByteName: Entry] = [:]
  /// Streams whose beginning was pruned, so that their user is unknown.
  private var pruned: Set<ByteName> = []

  init(of log: LogReader, number store: Int) {
    self.log = log
    self.store = store
  }

  mutating func take(_ record: StoredRecord) throws(StoreError) {
    let name = ByteName(record.stream)
    guard name.text != LogFacts.ownStream else { return }
    if record.revision == 0 {
      entries[name] = Entry(startingWith: record, kinds)
    } else if let entry = entries[name] {
      entry.add(record, kinds)
    } else if !pruned.contains(name) {
      try takeUpAgain(name, to: record.position)
    }
  }

  /// Resumes a flow that began in an earlier run, or was dropped: the log still has its records.
  private mutating func takeUpAgain(_ name: ByteName, to position: UInt64) throws(StoreError) {
    let records = try log.keptRecords(of: name.text)
    guard let begin = records.first, begin.revision == 0 else {
      pruned.insert(name)
      return
    }
    let entry = Entry(startingWith: begin, kinds)
    for record in records.dropFirst() where record.position <= position { entry.add(record, kinds) }
    entries[name] = entry
  }

  /// The rows of all flows that changed, one for each login that a flow has: the typed one, and the org's name for the
  /// user.
  mutating func rows() -> [DayRow] {
    var rows: [DayRow] = []
    for entry in entries.values where entry.isChanged {
      entry.isChanged = false
      let logins = [entry.facts.signIn.typed, entry.facts.signIn.login].compactMap { $0.map(UserKey.init) }
      for user in Set(logins) {
        rows.append(
          DayRow(user: user, started: entry.facts.started, store: store, first: entry.first, last: entry.last))
      }
    }
    return rows
  }

  /// Drops flows that have ended, and all flows if there are still too many.
  mutating func forget(over count: Int) {
    entries = entries.filter { $0.value.facts.ended == nil }
    if entries.count > count { entries = [:] }
  }
}
