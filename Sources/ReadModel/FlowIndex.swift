// The read model: the facts of all flows of some stores, in a database beside them. Built from the logs, kept up to
// date from them, and disposable. It is never authoritative: it reflects the logs up to a position.

package import AuditReports
import Crypto
package import EventStore
import FlowKinds
import FlowRecording
import Foundation
import GRDB
import Synchronization

/// An index of some stores.
package final class FlowIndex: FactsSource, Sendable {
  let logs: [LogReader]
  let file: String
  let queue: DatabaseQueue
  /// The records of the stores' own streams, of store after store.
  package let own: [OwnEvent]
  /// True if several stores are read.
  package var hasSeveralStores: Bool { logs.count > 1 }

  /// How an index is opened.
  package enum Mode: Sendable {
    /// Only if it exists already.
    case existing
    /// Made if it does not exist.
    case make
    /// Rebuilt in any case.
    case rebuild
  }

  /// Opens the index of some stores and brings it up to date.
  ///
  /// - Parameters:
  ///   - logs: the stores, in their order.
  ///   - file: the path of the index; made with mode 0600, in a folder that is made with mode 0700 if it is missing.
  ///   - mode: whether to make it. An index that is damaged, of another version, or of another log is rebuilt in any
  ///     case.
  ///   - progress: called repeatedly with the records done and the total.
  /// - Returns: nil if there is no index and `mode` does not make one.
  /// - Throws: `StoreError` if a log cannot be read, `ReadModelError` if the index cannot be written.
  package static func open(
    _ logs: [LogReader], at file: String, mode: Mode, progress: WorkProgress? = nil
  ) throws -> FlowIndex? {
    let isThere = FileManager.default.fileExists(atPath: file)
    guard isThere || mode != .existing else { return nil }
    if isThere { try IndexMark.check(file, isOurs: IndexPlace.isOurs(file)) }
    if mode == .rebuild { try remove(file) }
    do {
      return try FlowIndex(logs, at: file, progress)
    } catch let error as ReadModelError where error.code == .damaged && isThere {
      try remove(file)
      return try FlowIndex(logs, at: file, progress)
    }
  }

  private init(_ logs: [LogReader], at file: String, _ progress: WorkProgress?) throws {
    self.logs = logs
    self.file = file
    queue = try Self.connect(file)
    do {
      let builder = IndexBuilder(logs, queue)
      try builder.prepare()
      if try builder.catchUp(progress) {
        // Moves the write-ahead log into the file, which others read by itself; a reader in another process may prevent
        // it.
        _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
      }
      own = try queue.read { try Self.own(of: logs, $0) }
    } catch let error as DatabaseError {
      throw ReadModelError(error, file: file)
    }
  }

  private static func connect(_ file: String) throws -> DatabaseQueue {
    try PrivateFile.claim(file)
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    configuration.prepareDatabase { database in
      try IndexMark.put(on: database)
      IndexSchema.bound(database)
      // A page cache of 32 MiB; rows lost in a power cut are built again.
      try database.execute(
        sql:
          "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768; PRAGMA trusted_schema = OFF"
      )
    }
    do {
      return try DatabaseQueue(path: file, configuration: configuration)
    } catch {
      throw ReadModelError(error, file: file)
    }
  }

  private static func remove(_ file: String) throws {
    for name in [file, file + "-wal", file + "-shm"] where FileManager.default.fileExists(atPath: name) {
      do {
        try FileManager.default.removeItem(atPath: name)
      } catch {
        throw ReadModelError(.cannotWrite, "\(name) cannot be removed; give another place by --index FILE")
      }
    }
  }

  /// More records of the stores' own than a recorder writes in ten years of heartbeats.
  private static let mostOwn = 500_000

  private static func own(of logs: [LogReader], _ database: Database) throws -> [OwnEvent] {
    // Counted first: otherwise too many records would be in memory before they are refused.
    let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM (SELECT 1 FROM own LIMIT \(mostOwn + 1))") ?? 0
    guard count <= mostOwn else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "there are too many records of the stores' own")
    }
    let rows = try Row.fetchAll(
      database, sql: "SELECT store, position, at, type, data FROM own ORDER BY store, position LIMIT \(mostOwn)")
    return try rows.compactMap { row in
      let store = try row.number(0)
      let text = try row.text(4)
      guard logs.indices.contains(store), let data = try? JSON(parsing: Array(text.utf8)[...]) else { return nil }
      return OwnEvent(
        store: logs.count > 1 ? logs[store].directory : nil, at: Timestamp(microseconds: try row.integer(2)),
        position: try row.position(1), type: try row.text(3), data: data)
    }
  }

  /// The records of the stores' own streams, the last one of each run of a recorder with the time of the last record
  /// after it, taken from the logs.
  package func ownWithRecords() throws -> [OwnEvent] {
    let stores = try statistics().stores
    return try zip(logs, stores).flatMap { log, store -> [OwnEvent] in
      let mine = hasSeveralStores ? own.filter { $0.store == log.directory } : own
      return try mine.withRecords(of: log, before: store.position)
    }
  }

  // MARK: Reading

  private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do { return try queue.read(body) } catch let error as DatabaseError { throw ReadModelError(error, file: file) }
  }

  /// Calls `body` with the facts of each flow that passes, in the order of a pass over the logs.
  package func forEachFlow(_ filter: FlowFilter, parts: FlowParts, _ body: (FlowFacts) -> Void) throws {
    let parts = parts.union(filter.parts)
    var conditions: [String] = []
    var arguments: StatementArguments = []
    if let user = filter.user?.composedLowercase {
      conditions.append("(typed = ? OR login = ?)")
      arguments += [user, user]
    }
    if parts.contains(.onlyWithTokens) { conditions.append("id IN (SELECT flow FROM tokens)") }
    if let kind = filter.kind {
      conditions.append("kind = ?")
      arguments += [kind]
    }
    if let since = filter.since {
      conditions.append("started >= ?")
      arguments += [since.microseconds]
    }
    if let until = filter.until {
      conditions.append("started <= ?")
      arguments += [until.microseconds]
    }
    let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    let order = hasSeveralStores ? "started, store, first" : "store, first"
    try read { database in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT store, facts FROM flows\(condition) ORDER BY \(order)", arguments: arguments)
      // While some flows are decoded, the previous ones are counted, and the next ones are read.
      var portions: [[FlowFacts]] = []
      var read = try Self.some(of: rows)
      while !read.isEmpty || !portions.isEmpty {
        var next: Result<[StoredFacts], any Error> = .success([])
        portions = try facts(read, parts) {
          for flows in portions { Self.forEach(of: flows.span, passing: filter, body) }
          Freed.beside(portions)
          portions = []
          next = Result { try Self.some(of: rows) }
        }
        read = try next.get()
      }
    }
  }

  private static func forEach(of flows: Span<FlowFacts>, passing filter: FlowFilter, _ body: (FlowFacts) -> Void) {
    for index in flows.indices {
      // Not bound to a name: that would copy the flow.
      if filter.passes(flows[index]) { body(flows[index]) }
    }
  }

  /// Calls `body` with the facts of each flow that involves some tokens, in the order of a pass over the logs.
  package func forEachFlow(ofTokens ids: Set<String>, parts: FlowParts, _ body: (FlowFacts) -> Void) throws {
    var found: [(started: Int64, store: Int, first: Int64, facts: FlowFacts)] = []
    try read { database in
      var seen: Set<Int64> = []
      for id in ids {
        let rows = try Row.fetchAll(
          database,
          sql: "SELECT store, facts, first, started, id FROM flows WHERE id IN (SELECT flow FROM tokens WHERE id = ?)",
          arguments: [id])
        for row in rows where seen.insert(try row.integer(4)).inserted {
          found.append(
            (try row.integer(3), try row.number(0), try row.integer(2), try facts(try StoredFacts(row), parts)))
        }
      }
    }
    found.sort {
      hasSeveralStores
        ? ($0.started, $0.store, $0.first) < ($1.started, $1.store, $1.first)
        : ($0.store, $0.first) < ($1.store, $1.first)
    }
    for flow in found { body(flow.facts) }
  }

  /// A row as it stands in the table.
  private struct StoredFacts {
    var store: Int
    var bytes: [UInt8]

    init(_ row: Row) throws {
      store = try row.number(0)
      bytes = Array(try row.data(1))
    }
  }

  /// The next rows; none at the end.
  private static func some(of rows: RowCursor) throws -> [StoredFacts] {
    var some: [StoredFacts] = []
    some.reserveCapacity(decodedAtOnce)
    while some.count < decodedAtOnce, let row = try rows.next() { some.append(try StoredFacts(row)) }
    return some
  }

  /// How many flows are read, and then decoded on all processors, at a time.
  private static let decodedAtOnce = 2_048
  private static let lanes = max(1, min(4, ProcessInfo.processInfo.activeProcessorCount))

  /// Decodes rows on all processors, and runs another task on one of them meanwhile.
  ///
  /// - Returns: the flows in portions, which are not joined: copying a flow costs as much as counting it.
  private func facts(_ rows: [StoredFacts], _ parts: FlowParts, beside: () -> Void) throws -> [[FlowFacts]] {
    guard Self.lanes > 1, rows.count >= 64 else {
      beside()
      return rows.isEmpty ? [] : [try rows.map { try facts($0, parts) }]
    }
    let decoding = DispatchGroup()
    let decoded = DecodedFacts(portions: 4 * Self.lanes)
    DispatchQueue.global(qos: .userInitiated).async(group: decoding) {
      DispatchQueue.concurrentPerform(iterations: decoded.count) { portion in
        let mine = rows[rows.count * portion / decoded.count..<rows.count * (portion + 1) / decoded.count]
        decoded.put(Result { try mine.map { try self.facts($0, parts) } }, portion)
      }
    }
    beside()
    decoding.wait()
    return try decoded.portions()
  }

  /// Collects the decoded portions; there are more portions than processors, since one processor is busy otherwise.
  private final class DecodedFacts: Sendable {
    let count: Int
    private let results: Mutex<[Result<[FlowFacts], any Error>]>

    init(portions count: Int) {
      self.count = count
      results = Mutex([Result<[FlowFacts], any Error>](repeating: .success([]), count: count))
    }

    func put(_ flows: Result<[FlowFacts], any Error>, _ portion: Int) { results.withLock { $0[portion] = flows } }

    func portions() throws -> [[FlowFacts]] { try results.withLock { try $0.map { try $0.get() } } }
  }

  private func facts(_ row: Row) throws -> FlowFacts { try facts(try StoredFacts(row)) }

  private func facts(_ row: StoredFacts, _ parts: FlowParts = .all) throws -> FlowFacts {
    guard var facts = FlowFacts(bytes: row.bytes[...], parts: parts), logs.indices.contains(row.store) else {
      throw ReadModelError(.damaged, "\(file) is damaged; build it again by auditctl index --rebuild")
    }
    if hasSeveralStores { facts.store = logs[row.store].directory }
    return facts
  }

  /// The streams, except the stores' own, that a name may mean, with the numbers of their stores, in the order of a
  /// pass over the logs. They include all streams that begin with the name or whose ids do, and perhaps some more.
  package func streams(beginning name: String) throws -> [(stream: String, store: Int)] {
    // The database folds the case of ASCII only; the caller compares other names.
    let wanted = name.utf8.allSatisfy { $0 < 0x80 } ? name.lowercased() : ""
    return try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT stream, store FROM (SELECT stream, store, first, lower(CAST(stream AS TEXT)) AS name FROM flows)
          WHERE substr(name, 1, ?1) = ?2 OR substr(name, instr(name, '/') + 1, ?1) = ?2 OR name GLOB '*[^ -~]*'
          ORDER BY store, first
          """, arguments: [wanted.utf8.count, wanted]
      ).map { (String(decoding: try $0.data(0), as: UTF8.self), try $0.number(1)) }
    }
  }

  /// The stream of the flow that began last in each store; if several began at once, the last in the order of the log.
  package func latest() throws -> [(stream: String, store: Int)] {
    var latest: [(stream: String, store: Int)] = []
    for store in logs.indices {
      let found = try read { database in
        let rows = try Row.fetchCursor(
          database, sql: "SELECT store, facts FROM flows WHERE store = ? ORDER BY started DESC, first DESC",
          arguments: [store])
        while let row = try rows.next() {
          let flow = try facts(row)
          if flow.isFlow { return flow.stream as String? }
        }
        return nil
      }
      if let found { latest.append((found, store)) }
    }
    return latest
  }

  /// How many characters of an id distinguish each flow from the others: as `FlowReference.shortLength` of all.
  package func shortLength() throws -> Int { try read { try ShortNames.length($0) } }

  /// How many flows and streams of applications there are.
  package func count() throws -> Int { try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM flows") ?? 0 } }

  /// How many flows are left out since their beginning was pruned.
  package var prunedFlows: Int {
    get throws { try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM pruned") ?? 0 } }
  }

  /// The flows that a query means, in the order of a pass over the logs.
  package func search(_ query: SearchQuery) throws -> [FlowFacts] {
    try read { database in
      var found: Set<Int64>?
      for term in query.terms {
        let flows = try Set(
          Int64.fetchAll(
            database, sql: "SELECT flow FROM texts WHERE id IN (SELECT rowid FROM words WHERE words MATCH ?)",
            arguments: [Self.expression(term)]))
        found = found?.intersection(flows) ?? flows
        if found?.isEmpty == true { return [] }
      }
      let rows = try (found ?? []).compactMap { id in
        try Row.fetchOne(database, sql: "SELECT store, facts, first FROM flows WHERE id = ?", arguments: [id])
      }
      let flows = try rows.map { (store: try $0.number(0), first: try $0.integer(2), facts: try facts($0)) }
        .sorted { ($0.store, $0.first) < ($1.store, $1.first) }.map(\.facts)
      return hasSeveralStores ? FlowOrder.began.sorted(flows) : flows
    }
  }

  /// A term for FTS5: only letters, digits and underscores.
  private static func expression(_ term: SearchQuery.Term) -> String {
    switch term.manner {
    case .beginning: "\"\(term.text)\"*"
    case .words: "\"\(term.text)\" OR \"\(term.text)_\"*"
    case .whole: "\"\(term.text)\""
    }
  }

  /// The content of the index: the stores with their indexed positions, the number of flows, and the bytes on disk.
  package func statistics() throws -> (stores: [(directory: String, position: UInt64)], flows: Int, bytes: Int) {
    let (positions, flows) = try read { database in
      (
        try Int64.fetchAll(database, sql: "SELECT position FROM stores ORDER BY number"),
        try Int.fetchOne(database, sql: "SELECT count(*) FROM flows") ?? 0
      )
    }
    let size = (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
    return (zip(logs, positions).map { ($0.directory, UInt64(bitPattern: $1)) }, flows, size)
  }
}
