import DeviceAuthenticator
import FlowRecording
import Testing

/// Makes an empty storage, for tests of what each of them must do.
struct StorageMaker: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var make: @Sendable () throws -> any EnrollmentStorage

  static let all = [
    StorageMaker(testDescription: "memory") { MemoryEnrollmentStorage() },
    StorageMaker(testDescription: "SQLite") { try FolderStorage() },
    StorageMaker(testDescription: "SQLite under a key") { try FolderStorage(key: Array(repeating: 5, count: 32)) },
    StorageMaker(testDescription: "SQLite, two connections in turn") { try FolderStorage(connections: 2) },
  ]
}

/// A storage in a folder of its own. With several connections, each call goes to the next.
final class FolderStorage: EnrollmentStorage {
  private let folder: OwnFolder
  private let connections: [SQLiteEnrollmentStorage]
  private let turn = Locked(0)

  init(key: [UInt8]? = nil, connections: Int = 1) throws {
    let folder = try OwnFolder()
    self.folder = folder
    self.connections = try (0..<connections).map { _ in
      try SQLiteEnrollmentStorage(directory: folder.file("storage"), key: key)
    }
  }

  private var next: SQLiteEnrollmentStorage {
    connections[
      turn.withLock {
        $0 += 1
        return $0 % connections.count
      }]
  }

  func enrollments() throws(StorageFailure) -> [StoredEnrollment] { try next.enrollments() }
  func enrollment(id: String) throws(StorageFailure) -> StoredEnrollment? { try next.enrollment(id: id) }
  func save(_ enrollment: StoredEnrollment) throws(StorageFailure) { try next.save(enrollment) }
  func update(enrollment id: String, _ change: @Sendable (inout StoredEnrollment) -> Void)
    throws(StorageFailure) -> StoredEnrollment?
  {
    try next.update(enrollment: id, change)
  }
  func delete(enrollment id: String) throws(StorageFailure) -> DeletedEnrollment? { try next.delete(enrollment: id) }
  func policy(orgID: String) throws(StorageFailure) -> StoredPolicy? { try next.policy(orgID: orgID) }
  func save(_ policy: StoredPolicy) throws(StorageFailure) { try next.save(policy) }
  func device(orgID: String) throws(StorageFailure) -> StoredDeviceRecord? { try next.device(orgID: orgID) }
  func save(_ device: StoredDeviceRecord) throws(StorageFailure) { try next.save(device) }
  func claim(_ transaction: StoredTransaction, now: Double) throws(StorageFailure) -> StoredTransaction? {
    try next.claim(transaction, now: now)
  }
  func transaction(id: String) throws(StorageFailure) -> StoredTransaction? { try next.transaction(id: id) }
  func save(_ transaction: StoredTransaction) throws(StorageFailure) { try next.save(transaction) }
  func replace(_ known: StoredTransaction, with other: StoredTransaction?) throws(StorageFailure) -> Bool {
    try next.replace(known, with: other)
  }
}

extension StoredEnrollment {
  /// One with all that it can hold.
  static func full(_ id: String, org: String = "00o1", tags: (String, String) = ("pop", "uv")) -> StoredEnrollment {
    StoredEnrollment(
      id: id, orgID: org, orgURL: "https://\(org).example.com", userID: "00u1", userName: "ana@example.com",
      deviceID: "guo1", methodID: "opf1", pendingURL: "https://\(org).example.com/pending/\(id)",
      proofOfPossessionTag: tags.0, userVerificationTag: tags.1, bioOrPinTag: "\(id)-bio",
      transactionTypes: ["LOGIN", "CIBA"], clientID: "0oa1", serverErrorCode: "E0000152", created: 1_700_000_000.25,
      updated: 1_700_000_001.5)
  }
}

extension StoredTransaction {
  /// One that the person has answered.
  static func asked(_ id: String, stream: String = "device/1", expiry: Double = 1_000) -> StoredTransaction {
    StoredTransaction(
      id: id, enrollmentID: "pfd1", fingerprint: "print", stream: stream, stage: .asked, expiry: expiry)
  }

  /// The same, signed.
  func signed(_ response: String = "a.b.c") -> StoredTransaction {
    var next = self
    next.stage = .signed
    next.response = response
    next.responseExpiry = 900
    return next
  }

  /// The same, ended.
  var ended: StoredTransaction {
    var next = self
    next.stage = .ended
    return next
  }
}
