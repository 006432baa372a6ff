// The flows that are receiving records, in memory, and their rows.

import AuditReports
import EventStore
import FlowKinds
import FlowRecording
import Foundation
import GRDB

/// The flows of one store that are being indexed.
struct LiveFlows {
  /// A flow in progress.
  private final class Entry {
    var facts: FlowFacts
    /// Its row; nil until it is written.
    var id: Int64?
    /// The position of its first record.
    let first: UInt64
    /// Words that are not in the index yet.
    var words: [String] = []
    /// All words of it that were seen while it was in memory.
    var seen: Set<String> = []
    var isChanged = true

    init(facts: FlowFacts, id: Int64? = nil, first: UInt64) {
      (self.facts, self.id, self.first) = (facts, id, first)
    }

    func take(_ new: [String]) {
      isChanged = true
      for word in new where seen.insert(word).inserted { words.append(word) }
    }
  }

  let store: Int
  private var entries: [ByteName: Entry] = [:]
  private var pruned: Set<ByteName> = []
  private let kinds = KindRegistry.standard

  init(store: Int) { self.store = store }

  /// Indexes a record whose words were collected before.
  mutating func take(_ record: StoredRecord, _ words: [String], _ database: Database) throws {
    let name = ByteName(record.stream)
    if name.text == LogFacts.ownStream { return try takeOwn(record, database) }
    if record.revision == 0 {
      let entry = Entry(facts: FlowFacts(startingWith: record, kinds: kinds), first: record.position)
      entries[name] = entry
      return entry.take(words)
    }
    guard let entry = try entries[name] ?? known(name, database) else { return try takePruned(name, database) }
    entry.facts.add(record, kinds)
    entry.take(words)
  }

  /// A flow that was written before; nil if there is none.
  private mutating func known(_ name: ByteName, _ database: Database) throws -> Entry? {
    guard !pruned.contains(name), let entry = try Self.read(name, store, database) else { return nil }
    entries[name] = entry
    return entry
  }

  private func takeOwn(_ record: StoredRecord, _ database: Database) throws {
    guard let event = OwnEvent(record) else { return }
    try database.cachedStatement(sql: "INSERT OR REPLACE INTO own VALUES (?, ?, ?, ?, ?)").execute(arguments: [
      store, Int64(bitPattern: event.position), event.at.microseconds, event.type, event.data.text,
    ])
  }

  private mutating func takePruned(_ name: ByteName, _ database: Database) throws {
    guard pruned.insert(name).inserted else { return }
    try database.execute(
      sql: "INSERT OR IGNORE INTO pruned VALUES (?, ?)", arguments: [store, Data(name.text.utf8)])
  }

  private static func read(_ name: ByteName, _ store: Int, _ database: Database) throws -> Entry? {
    let statement = try database.cachedStatement(
      sql: "SELECT id, first, facts FROM flows WHERE stream = ? AND store = ?")
    guard let row = try Row.fetchOne(statement, arguments: [Data(name.text.utf8), store]) else { return nil }
    guard let facts = FlowFacts(bytes: Array(try row.data(2))[...]) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the facts of a flow cannot be read")
    }
    return Entry(facts: facts, id: try row.integer(0), first: try row.position(1))
  }

  // MARK: Writing

  /// Writes what changed.
  mutating func write(_ database: Database) throws {
    let insert = try database.cachedStatement(
      sql:
        "INSERT INTO flows (store, stream, first, started, kind, typed, login, facts) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    let update = try database.cachedStatement(
      sql: "UPDATE flows SET kind = ?, typed = ?, login = ?, facts = ? WHERE id = ?")
    // In the order of the log, so that a report reads the table from one end to the other.
    let changed = entries.filter { $0.value.isChanged }.sorted { $0.value.first < $1.value.first }
    for (name, entry) in changed {
      let facts = entry.facts
      let (typed, login) = (facts.signIn.typed?.composedLowercase, facts.signIn.login?.composedLowercase)
      if let id = entry.id {
        try update.execute(arguments: [facts.kind, typed, login, Data(facts.bytes), id])
      } else {
        try insert.execute(arguments: [
          store, Data(name.text.utf8), Int64(bitPattern: entry.first), facts.started.microseconds, facts.kind, typed,
          login, Data(facts.bytes),
        ])
        entry.id = database.lastInsertedRowID
      }
      for token in facts.tokens.isEmpty ? [] : facts.tokenIDs {
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO tokens VALUES (?, ?)")
          .execute(arguments: [token, entry.id])
      }
      if !entry.words.isEmpty, let id = entry.id {
        try database.cachedStatement(sql: "INSERT INTO texts (flow) VALUES (?)").execute(arguments: [id])
        try database.cachedStatement(sql: "INSERT INTO words (rowid, text) VALUES (?, ?)").execute(
          arguments: [database.lastInsertedRowID, entry.words.joined(separator: " ")])
      }
      entry.words = []
      entry.isChanged = false
    }
  }

  /// Drops flows that have ended, and all flows if there are still too many: they are read again when more records
  /// arrive for them.
  mutating func forget(over count: Int) {
    entries = entries.filter { $0.value.facts.ended == nil }
    if entries.count > count { entries = [:] }
  }
}
