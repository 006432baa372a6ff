// Enrollments in a database (spec/device.md §14).

import FlowRecording
import GRDB

/// Keeps enrollments in an SQLite database: `enrollments.sqlite`, mode 0600, in a directory of mode 0700.
///
/// Several processes may use one: writers wait for each other, at most a minute, and readers wait for none. What was
/// saved is on disk when the call returns. With a key, user names and signed answers are encrypted; a storage that was
/// made without one takes it when it is opened with one, and from then on needs it. What is deleted is overwritten, in
/// the write-ahead log once it was taken over into the database.
public final class SQLiteEnrollmentStorage: EnrollmentStorage {
  private static let fileName = "enrollments.sqlite"
  /// A writer keeps the database for a few milliseconds. Who waits longer than this, in seconds, waits for a process that
  /// was stopped.
  private static let patience = 60.0

  private let path: String
  private let pool: DatabasePool
  private let seal: CellSeal

  /// Opens a storage, or makes one where there is none.
  ///
  /// - Parameters:
  ///   - directory: its path; made with mode 0700 where it is missing.
  ///   - key: 32 bytes that user names and signed answers are encrypted under; nil keeps them as they are.
  /// - Throws: `directory`, `migration`, `sqlite`, `unreadable`.
  public init(directory: String, key: [UInt8]? = nil) throws(StorageFailure) {
    path = "\(directory)/\(Self.fileName)"
    seal = try CellSeal(key: key)
    pool = try Self.open(directory: directory, path: path, seal: seal)
  }

  private static func open(directory: String, path: String, seal: CellSeal) throws(StorageFailure) -> DatabasePool {
    do {
      let folder = try SecretDirectory(path: directory)
      _ = try folder.writeNew([], to: fileName)
      try folder.check(fileName)
      // One process at a time turns on the write-ahead log and makes the tables.
      return try folder.alone { () throws(SecretFileError) in
        Result {
          let pool = try DatabasePool(path: path, configuration: configuration)
          // GRDB asks for less, which a power cut may undo: then an answer that was sent could be asked again.
          try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
          try StorageSchema.prepare(pool)
          if try pool.write({ try StorageSeal.prepare($0, seal) }) {
            // What was plain is in old pages of the write-ahead log too. Another process that reads may keep them.
            try? pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
          }
          return pool
        }
      }.get()
    } catch let error as SecretFileError {
      throw .directory(path: directory, reason: error.reason)
    } catch {
      throw StorageFailure(error)
    }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "enrollments"
    configuration.busyMode = .timeout(patience)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
    return configuration
  }

  /// Reads as of one moment. One query needs no transaction for that, which costs two more statements.
  private func query<Value>(_ body: (Database) throws -> Value) throws(StorageFailure) -> Value {
    do { return try pool.unsafeRead(body) } catch { throw StorageFailure(error) }
  }

  /// Reads as of one moment.
  private func read<Value>(_ body: (Database) throws -> Value) throws(StorageFailure) -> Value {
    do { return try pool.read(body) } catch { throw StorageFailure(error) }
  }

  /// Reads and writes in one transaction, which is taken for writing from the start: it never finds at its end that
  /// another one was faster.
  private func write<Value>(_ body: (Database) throws -> Value) throws(StorageFailure) -> Value {
    do { return try pool.write(body) } catch { throw StorageFailure(error) }
  }

  // MARK: Enrollments

  /// All enrollments, in the order in which they were first saved.
  ///
  /// - Throws: `sqlite` if SQLite refuses, `unreadable` if the database is damaged or a value cannot be decrypted.
  public func enrollments() throws(StorageFailure) -> [StoredEnrollment] {
    try query { try enrollments($0, "") }
  }

  /// The enrollment of an id, or nil.
  ///
  /// - Throws: `sqlite` if SQLite refuses, `unreadable` if the database is damaged or a value cannot be decrypted.
  public func enrollment(id: String) throws(StorageFailure) -> StoredEnrollment? {
    try query { try enrollment(id, $0) }
  }

  /// What is stored of an enrollment, an org and a transaction, as of one moment.
  ///
  /// - Throws: `sqlite` if SQLite refuses, `unreadable` if the database is damaged or a value cannot be decrypted.
  public func excerpt(enrollment id: String?, orgID: String?, transaction: String?) throws(StorageFailure)
    -> StorageExcerpt
  {
    try read { database in
      var excerpt = StorageExcerpt()
      if let id { excerpt.enrollment = try enrollment(id, database) }
      if let org = orgID ?? excerpt.enrollment?.orgID {
        excerpt.device = try device(org, database)
        excerpt.policy = try policy(org, database)
      }
      if let transaction { excerpt.transaction = try answer(transaction, database) }
      return excerpt
    }
  }

  private func enrollments(_ database: Database, _ condition: String, _ arguments: StatementArguments = [])
    throws -> [StoredEnrollment]
  {
    let statement = try database.cachedStatement(
      sql: "\(Self.selectEnrollments) \(condition) ORDER BY sequence")
    return try Row.fetchAll(statement, arguments: arguments).map { try EnrollmentRow.read($0, seal) }
  }

  private func enrollment(_ id: String, _ database: Database) throws -> StoredEnrollment? {
    try enrollments(database, "WHERE id = ?", [id]).first
  }

  /// Stores an enrollment in the place of one with the same id and org.
  ///
  /// - Throws: `sqlite` if SQLite refuses, also if another process kept the database for over a minute; `unreadable` if
  ///   it is damaged.
  public func save(_ enrollment: StoredEnrollment) throws(StorageFailure) {
    try write { try put(enrollment, $0) }
  }

  private func put(_ enrollment: StoredEnrollment, _ database: Database) throws {
    try put(try EnrollmentRow.values(enrollment, seal), by: Self.putEnrollment, database)
  }

  /// Changes an enrollment in one transaction. The closure must not use the storage.
  ///
  /// - Throws: `sqlite` if SQLite refuses, also if another process kept the database for over a minute; `unreadable` if
  ///   it is damaged or a value cannot be decrypted.
  @discardableResult
  public func update(enrollment id: String, _ change: @Sendable (inout StoredEnrollment) -> Void)
    throws(StorageFailure) -> StoredEnrollment?
  {
    try write { database in
      guard let known = try enrollment(id, database) else { return nil }
      var changed = known
      change(&changed)
      if changed.id != known.id || changed.orgID != known.orgID {
        try database.execute(
          sql: "UPDATE enrollment SET id = ?, org_id = ? WHERE id = ? AND org_id = ?",
          arguments: [changed.id, changed.orgID, known.id, known.orgID])
      }
      try put(changed, database)
      return changed
    }
  }

  /// Deletes an enrollment, and the org's policy and device record if it was the org's last one.
  ///
  /// - Throws: `sqlite` if SQLite refuses, also if another process kept the database for over a minute; `unreadable` if
  ///   it is damaged or a value cannot be decrypted.
  @discardableResult
  public func delete(enrollment id: String) throws(StorageFailure) -> DeletedEnrollment? {
    try write { database in
      guard let enrollment = try enrollment(id, database) else { return nil }
      let org = enrollment.orgID
      try database.execute(sql: "DELETE FROM enrollment WHERE id = ? AND org_id = ?", arguments: [id, org])
      let others = try enrollments(database, "")
      let devices = try devices(database, "")
      let deleted = DeletedEnrollment(
        enrollment, others: others, device: devices.first { $0.orgID == org },
        otherDevices: devices.filter { $0.orgID != org })
      if !others.contains(where: { $0.orgID == org }) {
        try database.execute(sql: "DELETE FROM device WHERE org_id = ?", arguments: [org])
        try database.execute(sql: "DELETE FROM policy WHERE org_id = ?", arguments: [org])
      }
      return deleted
    }
  }

  // MARK: Policies and device records

  /// The policy of an org, or nil.
  ///
  /// - Throws: `sqlite` if SQLite refuses, `unreadable` if the database is damaged.
  public func policy(orgID: String) throws(StorageFailure) -> StoredPolicy? {
    try query { try policy(orgID, $0) }
  }

  private func policy(_ orgID: String, _ database: Database) throws -> StoredPolicy? {
    let statement = try database.cachedStatement(sql: Self.selectPolicy)
    return try Row.fetchOne(statement, arguments: [orgID]).map(PolicyRow.read)
  }

  /// Stores an org's policy in the place of an older one.
  ///
  /// - Throws: `sqlite` if SQLite refuses, also if another process kept the database for over a minute; `unreadable` if
  ///   it is damaged.
  public func save(_ policy: StoredPolicy) throws(StorageFailure) {
    try write { try put(PolicyRow.values(policy), by: Self.putPolicy, $0) }
  }

  /// The device record of an org, or nil.
  ///
  /// - Throws: `sqlite` if SQLite refuses, `unreadable` if the database is damaged.
  public func device(orgID: String) throws(StorageFailure) -> StoredDevice? {
    try query { try device(orgID, $0) }
  }

  private func device(_ orgID: String, _ database: Database) throws -> StoredDevice? {
    try devices(database, "WHERE org_id = ?", [orgID]).first
  }

  private func devices(_ database: Database, _ condition: String, _ arguments: StatementArguments = [])
    throws -> [StoredDevice]
  {
    let statement = try database.cachedStatement(sql: "\(Self.selectDevices) \(condition)")
    return try Row.fetchAll(statement, arguments: arguments).map(DeviceRow.read)
  }

  /// Stores an org's device record in the place of an older one.
  ///
  /// - Throws: `sqlite` if SQLite refuses, also if another process kept the database for over a minute; `unreadable` if
  ///   it is damaged.
  public func save(_ device: StoredDevice) throws(StorageFailure) {
    try write { try put(DeviceRow.values(device), by: Self.putDevice, $0) }
  }

  // MARK: Transactions

  /// Claims a transaction: of all that try at the same time, in any process, one succeeds.
  ///
  /// - Throws: `sqlite` if SQLite refuses, also if another process kept the database for over a minute; `unreadable` if
  ///   it is damaged or a value cannot be decrypted.
  public func claim(_ transaction: StoredTransaction, now: Double) throws(StorageFailure) -> StoredTransaction? {
    try write { database in
      try database.cachedStatement(sql: "DELETE FROM answer WHERE expiry < ?").execute(arguments: [now])
      if let known = try answer(transaction.id, database) { return known }
      try put(transaction, database)
      return nil
    }
  }

  /// What is known of a transaction, or nil.
  ///
  /// - Throws: `sqlite` if SQLite refuses, `unreadable` if the database is damaged or a value cannot be decrypted.
  public func transaction(id: String) throws(StorageFailure) -> StoredTransaction? { try query { try answer(id, $0) } }

  /// Notes how far a transaction is.
  ///
  /// - Throws: what `claim` throws; `sqlite` with code 19 if the stage would go back, the claims differ, or a signed
  ///   answer would change.
  public func save(_ transaction: StoredTransaction) throws(StorageFailure) {
    try write { database in
      if let known = try answer(transaction.id, database) { try transaction.check(follows: known) }
      try put(transaction, database)
    }
  }

  /// Puts a transaction in the place of what is known of it, if that is still so.
  ///
  /// - Throws: what `save` of a transaction throws; `sqlite` with code 19 also if `next` has another id.
  public func replace(_ known: StoredTransaction, with next: StoredTransaction?) throws(StorageFailure) -> Bool {
    try write { database in
      guard let current = try answer(known.id, database), current.isStill(known) else { return false }
      guard let next else {
        try database.execute(sql: "DELETE FROM answer WHERE id = ?", arguments: [known.id])
        return true
      }
      try next.check(replaces: current)
      try put(next, database)
      return true
    }
  }

  private func answer(_ id: String, _ database: Database) throws -> StoredTransaction? {
    let statement = try database.cachedStatement(sql: Self.selectAnswer)
    return try Row.fetchOne(statement, arguments: [id]).map { try AnswerRow.read($0, seal) }
  }

  private func put(_ transaction: StoredTransaction, _ database: Database) throws {
    try put(try AnswerRow.values(transaction.kept, seal), by: Self.putAnswer, database)
  }

  private func put(_ values: [DatabaseValue], by sql: String, _ database: Database) throws {
    try database.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
  }

  // MARK: Statements

  static let selectEnrollments = select("enrollment", EnrollmentRow.columns)
  static let selectPolicy = select("policy", PolicyRow.columns) + " WHERE org_id = ?"
  static let selectDevices = select("device", DeviceRow.columns)
  static let selectAnswer = select("answer", AnswerRow.columns) + " WHERE id = ?"
  static let putEnrollment = upsert("enrollment", EnrollmentRow.columns, key: ["id", "org_id"])
  static let putPolicy = upsert("policy", PolicyRow.columns, key: ["org_id"])
  static let putDevice = upsert("device", DeviceRow.columns, key: ["org_id"])
  static let putAnswer = upsert("answer", AnswerRow.columns, key: ["id"])

  private static func select(_ table: String, _ columns: [String]) -> String {
    "SELECT \(columns.joined(separator: ", ")) FROM \(table)"
  }

  /// Inserts a row, or changes the one with the same key: its place in the order stays, and so do columns that a newer
  /// version has added.
  private static func upsert(_ table: String, _ columns: [String], key: [String]) -> String {
    let changes = columns.filter { !key.contains($0) }.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    return """
      INSERT INTO \(table) (\(columns.joined(separator: ", ")))
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(changes)
      """
  }
}
