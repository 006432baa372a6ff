import DeviceAuthenticator
import EventStore
import Foundation
import GRDB
import Testing

/// What stands in the storage's database, and who may open it.
@Suite struct SQLiteStorageTests {
  let folder: OwnFolder
  let key = [UInt8](repeating: 5, count: 32)

  init() throws { folder = try OwnFolder() }

  private func storage(key: [UInt8]? = nil) throws -> SQLiteEnrollmentStorage {
    try SQLiteEnrollmentStorage(directory: folder.file("a/storage"), key: key)
  }

  private func database() throws -> DatabaseQueue {
    try DatabaseQueue(path: folder.file("a/storage/enrollments.sqlite"))
  }

  /// Whether any file of the storage holds a text.
  private func isOnDisk(_ text: String) throws -> Bool {
    try folder.names(in: "a/storage").contains {
      Data(try folder.read("a/storage/\($0)")).range(of: Data(text.utf8)) != nil
    }
  }

  @Test func `the folder is 0700 and all files in it are 0600`() throws {
    let storage = try storage()
    try storage.save(StoredEnrollment.full("pfd1"))
    #expect(try folder.mode(of: "a/storage") == "700")
    let names = try folder.names(in: "a/storage")
    #expect(names.contains("enrollments.sqlite") && names.contains("enrollments.sqlite-wal"))
    for name in names { #expect(try folder.mode(of: "a/storage/\(name)") == "600", "\(name)") }
  }

  @Test(arguments: [false, true])
  func `all that was saved is there when it is opened again`(isSealed: Bool) throws {
    let key = isSealed ? key : nil
    let enrollment = StoredEnrollment.full("pfd1")
    let answer = StoredTransaction.asked("ft1").signed()
    do {
      let storage = try storage(key: key)
      try storage.save(enrollment)
      try storage.save(answer)
    }
    let again = try storage(key: key)
    #expect(try again.enrollments() == [enrollment] && again.transaction(id: "ft1") == answer)
  }

  @Test func `with a key, neither user name nor answer is on disk, and an ended answer is nowhere`() throws {
    do {
      let plain = try storage()
      var enrollment = StoredEnrollment.full("pfd1")
      enrollment.userName = "canary-user-1"
      try plain.save(enrollment)
      try plain.save(StoredTransaction.asked("ft1").signed("canary-answer-1"))
      #expect(try isOnDisk("canary-user-1") && isOnDisk("canary-answer-1"))
    }
    let sealed = try storage(key: key)
    var enrollment = StoredEnrollment.full("pfd2")
    enrollment.userName = "canary-user-2"
    try sealed.save(enrollment)
    try sealed.save(StoredTransaction.asked("ft2").signed("canary-answer-2"))
    #expect(try sealed.enrollment(id: "pfd1")?.userName == "canary-user-1")
    #expect(try sealed.transaction(id: "ft1")?.response == "canary-answer-1")
    #expect(try sealed.transaction(id: "ft2")?.response == "canary-answer-2")
    for canary in ["canary-user-1", "canary-user-2", "canary-answer-1", "canary-answer-2"] {
      #expect(try !isOnDisk(canary), "\(canary)")
    }
  }

  @Test func `an answer of a plain storage is overwritten when it ended`() throws {
    let storage = try storage()
    let answer = StoredTransaction.asked("ft1").signed("canary-answer")
    try storage.save(answer)
    try storage.save(answer.ended)
    #expect(try storage.transaction(id: "ft1")?.response == nil)
    try database().writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    #expect(try !isOnDisk("canary-answer"))
  }

  @Test func `another key, no key, and a key of another length are errors`() throws {
    try storage(key: key).save(StoredEnrollment.full("pfd1"))
    for wrong in [nil, [UInt8](repeating: 6, count: 32), [1, 2, 3]] {
      let error = #expect(throws: StorageFailure.self) { try storage(key: wrong) }
      guard case .unreadable? = error else { throw Unexpected("\(String(describing: error))") }
    }
    #expect(try storage(key: key).enrollment(id: "pfd1") != nil)
  }

  @Test func `without a key, nothing is written once another process has encrypted the storage`() throws {
    let plain = try storage()
    try plain.save(StoredEnrollment.full("pfd1"))
    let sealed = try storage(key: key)
    var enrollment = StoredEnrollment.full("pfd2")
    enrollment.userName = "canary-user-3"
    let late = enrollment
    #expect(throws: StorageFailure.self) { try plain.save(late) }
    #expect(throws: StorageFailure.self) { try plain.save(StoredTransaction.asked("ft1").signed("canary-answer-3")) }
    #expect(try sealed.enrollments().map(\.id) == ["pfd1"] && sealed.transaction(id: "ft1") == nil)
    for canary in ["canary-user-3", "canary-answer-3"] { #expect(try !isOnDisk(canary), "\(canary)") }
  }

  @Test func `an encrypted user name in the place of another one's is an error`() throws {
    let storage = try storage(key: key)
    for id in ["pfd1", "pfd2"] { try storage.save(StoredEnrollment.full(id)) }
    try database().write { database in
      try database.execute(
        sql: "UPDATE enrollment SET user_name = (SELECT user_name FROM enrollment WHERE id = 'pfd1') WHERE id = 'pfd2'")
    }
    #expect(try storage.enrollment(id: "pfd1") != nil)
    #expect(throws: StorageFailure.self) { try storage.enrollment(id: "pfd2") }
  }

  @Test func `with a key, a user name and an answer in clear text are errors: whoever wrote them had no key`() throws {
    let storage = try storage(key: key)
    for id in ["pfd1", "pfd2"] { try storage.save(StoredEnrollment.full(id)) }
    for id in ["ft1", "ft2"] { try storage.save(StoredTransaction.asked(id).signed()) }
    try database().write { database in
      try database.execute(sql: "UPDATE enrollment SET user_name = 'mallory' WHERE id = 'pfd2'")
      try database.execute(sql: "UPDATE answer SET response = 'planted' WHERE id = 'ft2'")
    }
    #expect(try storage.enrollment(id: "pfd1") != nil && storage.transaction(id: "ft1")?.response != nil)
    let name = #expect(throws: StorageFailure.self) { try storage.enrollment(id: "pfd2") }
    let answer = #expect(throws: StorageFailure.self) { try storage.transaction(id: "ft2") }
    for error in [name, answer] {
      guard case .unreadable(let reason)? = error else { throw Unexpected("\(String(describing: error))") }
      #expect(reason.contains("not encrypted") && !reason.contains("mallory") && !reason.contains("planted"))
    }
  }

  @Test func `a folder or a file that others may use, and a link, are errors`() throws {
    _ = try storage()
    try folder.setMode(0o755, of: "a/storage")
    #expect(throws: StorageFailure.self) { try storage() }
    try folder.setMode(0o700, of: "a/storage")
    try folder.setMode(0o640, of: "a/storage/enrollments.sqlite")
    let error = #expect(throws: StorageFailure.self) { try storage() }
    guard case .directory(_, let reason)? = error else { throw Unexpected("\(String(describing: error))") }
    #expect(reason.contains("640"))
    let path = folder.file("a/storage/enrollments.sqlite")
    try FileManager.default.moveItem(atPath: path, toPath: folder.file("elsewhere"))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.file("elsewhere"))
    #expect(throws: StorageFailure.self) { try storage() }
  }

  @Test(arguments: [
    "ALTER TABLE enrollment ADD COLUMN colour TEXT", "CREATE TABLE extra (id INTEGER)",
    "ALTER TABLE answer ADD COLUMN tries INTEGER NOT NULL DEFAULT 0",
  ])
  func `a newer storage that only has more is read and written, and what it has more stays`(change: String) throws {
    let enrollment = StoredEnrollment.full("pfd1")
    try storage().save(enrollment)
    try database().write { database in
      try database.execute(sql: "\(change); INSERT INTO grdb_migrations (identifier) VALUES ('2')")
      if change.contains("colour") { try database.execute(sql: "UPDATE enrollment SET colour = 'red'") }
    }
    let older = try storage()
    try older.save(enrollment)
    #expect(try older.enrollments() == [enrollment] && older.claim(.asked("ft1"), now: 0) == nil)
    if change.contains("colour") {
      #expect(try database().read { try String.fetchOne($0, sql: "SELECT colour FROM enrollment") } == "red")
    }
  }

  @Test(arguments: [
    "ALTER TABLE enrollment RENAME COLUMN user_id TO person", "DROP TABLE policy",
    "CREATE TABLE device2 (x); DROP TABLE device; CREATE TABLE device (org_id TEXT PRIMARY KEY, id, client_instance_id, client_instance_tag, more NOT NULL)",
  ])
  func `a newer storage that this version cannot use is a migration error, and stays as it is`(change: String) throws {
    _ = try storage()
    try database().write {
      try $0.execute(sql: "\(change); INSERT INTO grdb_migrations (identifier) VALUES ('2')")
    }
    let error = #expect(throws: StorageFailure.self) { try storage() }
    guard case .migration(let reason)? = error else { throw Unexpected("\(String(describing: error))") }
    #expect(reason.contains("newer version"))
  }

  @Test(arguments: [
    "UPDATE enrollment SET transaction_types = 'no list'", "UPDATE enrollment SET org_url = x'00'",
    "UPDATE enrollment SET created = 'noon'", "UPDATE enrollment SET user_name = 7",
    "UPDATE enrollment SET user_name = x'0102'", "UPDATE enrollment SET method_id = x'ff'",
  ])
  func `a row that was never written so is an error`(change: String) throws {
    let storage = try storage()
    try storage.save(StoredEnrollment.full("pfd1"))
    try database().write { try $0.execute(sql: change) }
    let error = #expect(throws: StorageFailure.self) { try storage.enrollments() }
    guard case .unreadable? = error else { throw Unexpected("\(String(describing: error))") }
  }

  @Test func `policies and answers that were never written so are errors`() throws {
    let storage = try storage()
    try storage.save(StoredPolicy(orgID: "00o1", id: "aut1", clientID: "0oa1", content: .null))
    try storage.save(StoredTransaction.asked("ft1"))
    try database().write {
      try $0.execute(sql: "UPDATE policy SET content = '{'; UPDATE answer SET stage = 'dreamt'")
    }
    #expect(throws: StorageFailure.self) { try storage.policy(orgID: "00o1") }
    #expect(throws: StorageFailure.self) { try storage.transaction(id: "ft1") }
    #expect(throws: StorageFailure.self) { try storage.claim(.asked("ft1"), now: 0) }
  }
}
