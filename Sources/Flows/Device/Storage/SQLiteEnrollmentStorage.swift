// Stores enrollments in a database (spec/device.md §14).

import FlowRecording
import GRDB

/// Stores enrollments in an SQLite database: `enrollments.sqlite` with mode 0600, in a directory with mode 0700.
///
/// Several processes may use the same database: writers wait for each other, for up to a minute, and readers never
/// wait. Saved data is on disk when the call returns. With a key, user names and signed answers are encrypted. A
/// storage that was created without a key adopts the key that it is first opened with, and requires it from then on.
/// Deleted data is overwritten; in the write-ahead log, this happens once the log has been copied into the database.
public final class SQLiteEnrollmentStorage: EnrollmentStorage {
  private static let fileName = "enrollments.sqlite"
  /// How long to wait for the database, in seconds. A writer holds it for a few milliseconds, so a longer wait means
  /// that another process was stopped.
  private static let patience = 60.0

  private let path: String
  private let pool: DatabasePool
  private let seal: CellSeal

  /// Opens a storage, or creates one if it does not exist.
  ///
  /// - Parameters:
  ///   - directory: the path of the directory; created with mode 0700 if it is missing.
  ///   - key: 32 bytes that encrypt user names and signed answers; `nil` stores them unencrypted.
  /// - Throws: `directory`, `migration`, `sqlite`, or `unreadable`.
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
      // Only one process at a time turns on the write-ahead log and creates the tables.
      return try folder.alone { () throws(SecretFileError) in
        Result {
          let pool = try DatabasePool(path: path, configuration: configuration)
          // GRDB's default could lose a commit in a power failure, and then an answered challenge could be asked again.
          try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
          try StorageSchema.prepare(pool)
          if try pool.write({ try StorageSeal.prepare($0, seal) }) {
            // Old pages of the write-ahead log also contain the plaintext. A process that is reading may prevent this
            // checkpoint.
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

  /// Reads a consistent snapshot with a single query, which needs no transaction and so saves two statements.
  private func query<Value>(_ body: (Database) throws -> Value) throws(StorageFailure) -> Value {
    do { return try pool.unsafeRead(body) } catch { throw StorageFailure(error) }
  }

  /// Reads a consistent snapshot.
  private func read<Value>(_ body: (Database) throws -> Value) throws(StorageFailure) -> Value {
    do { return try pool.read(body) } catch { throw StorageFailure(error) }
  }

  /// Reads and writes in one transaction, which takes the write lock at the start, so that it cannot fail at the end
  /// because another transaction was faster. Without a key, it throws once another process has encrypted the storage.
  private func write<Value>(_ body: (Database) throws -> Value) throws(StorageFailure) -> Value {
    do {
      return try pool.write { (database: Database) throws -> Value in
        try StorageSeal.check(database, seal)
        return try body(database)
      }
    } catch { throw StorageFailure(error) }
  }

  // MARK: Enrollments

  /// Returns all enrollments, in the order in which they were first saved.
  ///
  /// - Throws: `sqlite` if SQLite fails; `unreadable` if the database is damaged or a value cannot be decrypted.
  public func enrollments() throws(StorageFailure) -> [StoredEnrollment] {
    try query { try enrollments($0, "") }
  }

  /// Returns the enrollment with an ID, or `nil`.
  ///
  /// - Throws: `sqlite` if SQLite fails; `unreadable` if the database is damaged or a value cannot be decrypted.
  public func enrollment(id: String) throws(StorageFailure) -> StoredEnrollment? {
    try query { try enrollment(id, $0) }
  }

  /// Returns what is stored about an enrollment, an org, and a transaction, from one consistent snapshot.
  ///
  /// - Throws: `sqlite` if SQLite fails; `unreadable` if the database is damaged or a value cannot be decrypted.
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

  /// Stores an enrollment, replacing one with the same ID and org.
  ///
  /// - Throws: `sqlite` if SQLite fails or another process held the database for over a minute; `unreadable` if the
  ///   database is damaged.
  public func save(_ enrollment: StoredEnrollment) throws(StorageFailure) {
    try write { try put(enrollment, $0) }
  }

  private func put(_ enrollment: StoredEnrollment, _ database: Database) throws {
    try put(try EnrollmentRow.values(enrollment, seal), by: Self.putEnrollment, database)
  }

  /// Changes an enrollment in one transaction. The closure must not use the storage.
  ///
  /// - Throws: `sqlite` if SQLite fails or another process held the database for over a minute; `unreadable` if the
  ///   database is damaged or a value cannot be decrypted.
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

  /// Deletes an enrollment. If it was the org's last one, the org's policy and device record are deleted too.
  ///
  /// - Throws: `sqlite` if SQLite fails or another process held the database for over a minute; `unreadable` if the
  ///   database is damaged or a value cannot be decrypted.
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

  /// Returns the policy of an org, or `nil`.
  ///
  /// - Throws: `sqlite` if SQLite fails; `unreadable` if the database is damaged.
  public func policy(orgID: String) throws(StorageFailure) -> StoredPolicy? {
    try query { try policy(orgID, $0) }
  }

  private func policy(_ orgID: String, _ database: Database) throws -> StoredPolicy? {
    let statement = try database.cachedStatement(sql: Self.selectPolicy)
    return try Row.fetchOne(statement, arguments: [orgID]).map(PolicyRow.read)
  }

  /// Stores an org's policy, replacing an older one.
  ///
  /// - Throws: `sqlite` if SQLite fails or another process held the database for over a minute; `unreadable` if the
  ///   database is damaged.
  public func save(_ policy: StoredPolicy) throws(StorageFailure) {
    try write { try put(PolicyRow.values(policy), by: Self.putPolicy, $0) }
  }

  /// Returns the device record of an org, or `nil`.
  ///
  /// - Throws: `sqlite` if SQLite fails; `unreadable` if the database is damaged.
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

  /// Stores an org's device record, replacing an older one.
  ///
  /// - Throws: `sqlite` if SQLite fails or another process held the database for over a minute; `unreadable` if the
  ///   database is damaged.
  public func save(_ device: StoredDevice) throws(StorageFailure) {
    try write { try put(DeviceRow.values(device), by: Self.putDevice, $0) }
  }

  // MARK: Transactions

  /// Claims a transaction. If several callers in any processes try at the same time, only one succeeds.
  ///
  /// - Throws: `sqlite` if SQLite fails or another process held the database for over a minute; `unreadable` if the
  ///   database is damaged or a value cannot be decrypted.
  public func claim(_ transaction: StoredTransaction, now: Double) throws(StorageFailure) -> StoredTransaction? {
    try write { database in
      try database.cachedStatement(sql: "DELETE FROM answer WHERE expiry < ?").execute(arguments: [now])
      if let known = try answer(transaction.id, database) { return known }
      try put(transaction, database)
      return nil
    }
  }

  /// Returns what is known about a transaction, or `nil`.
  ///
  /// - Throws: `sqlite` if SQLite fails; `unreadable` if the database is damaged or a value cannot be decrypted.
  public func transaction(id: String) throws(StorageFailure) -> StoredTransaction? { try query { try answer(id, $0) } }

  /// Stores the stage of a transaction.
  ///
  /// - Throws: what `claim` throws; also `sqlite` with code 19 if the stage would go back, the claims differ, or a
  ///   signed answer would change.
  public func save(_ transaction: StoredTransaction) throws(StorageFailure) {
    try write { database in
      if let known = try answer(transaction.id, database) { try transaction.check(follows: known) }
      try put(transaction, database)
    }
  }

  /// Replaces what is known about a transaction, if that has not changed.
  ///
  /// - Throws: what `save` throws for a transaction; also `sqlite` with code 19 if `next` has a different ID.
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

  /// Inserts a row, or updates the one with the same key. An update keeps the row's position and any columns that a
  /// newer version has added.
  private static func upsert(_ table: String, _ columns: [String], key: [String]) -> String {
    let changes = columns.filter { !key.contains($0) }.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    return """
      INSERT INTO \(table) (\(columns.joined(separator: ", ")))
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(changes)
      """
  }
}
