// Data that outlives a flow: enrollments, policies, device records, and answered transactions (spec/device.md §14).

public import EventStore

/// Stores data that outlives a flow. Several processes may use one storage: writers wait for each other, readers never
/// wait.
public protocol EnrollmentStorage: Sendable {
  /// Returns all enrollments, in the order in which they were first saved.
  func enrollments() throws(StorageFailure) -> [StoredEnrollment]
  /// Returns the enrollment with an ID, or `nil`. If two orgs use the same ID, this is the one saved first; the same
  /// holds for `update` and `delete`.
  func enrollment(id: String) throws(StorageFailure) -> StoredEnrollment?
  /// Stores an enrollment, replacing one with the same ID and org.
  func save(_ enrollment: StoredEnrollment) throws(StorageFailure)
  /// Changes an enrollment in one transaction. Returns the changed enrollment, or `nil` if there is none.
  @discardableResult
  func update(enrollment id: String, _ change: @Sendable (inout StoredEnrollment) -> Void)
    throws(StorageFailure) -> StoredEnrollment?
  /// Deletes an enrollment. If it was the org's last one, the org's policy and device record are deleted too.
  ///
  /// - Returns: what was deleted, with the tags of keys that are no longer referenced; `nil` if there was no
  ///   enrollment.
  @discardableResult func delete(enrollment id: String) throws(StorageFailure) -> DeletedEnrollment?

  /// Returns the policy of an org, or `nil`.
  func policy(orgID: String) throws(StorageFailure) -> StoredPolicy?
  /// Stores an org's policy, replacing an older one.
  func save(_ policy: StoredPolicy) throws(StorageFailure)
  /// Returns the device record of an org, or `nil`.
  func device(orgID: String) throws(StorageFailure) -> StoredDevice?
  /// Stores an org's device record, replacing an older one.
  func save(_ device: StoredDevice) throws(StorageFailure)

  /// Claims a transaction after the person has answered. Across all processes, the first flow to claim it sends the
  /// answer and keeps the claim until it is released. Until the claim, the person may be asked again after a restart.
  ///
  /// - Parameters:
  ///   - transaction: the transaction to claim.
  ///   - now: the time in seconds since 1970; transactions that expired earlier are removed.
  /// - Returns: `nil` if the claim succeeded, otherwise what is known about the earlier claim.
  func claim(_ transaction: StoredTransaction, now: Double) throws(StorageFailure) -> StoredTransaction?
  /// Returns what is known about a transaction, or `nil`.
  func transaction(id: String) throws(StorageFailure) -> StoredTransaction?
  /// Stores the stage of a claimed transaction. After the claim, the person must not be asked again; after `signed`,
  /// nothing is signed again. Going back to an earlier stage or replacing a signed answer is refused with the code for
  /// a constraint violation (19).
  ///
  /// At the stage `ended`, the answer is removed.
  func save(_ transaction: StoredTransaction) throws(StorageFailure)
  /// Replaces what is known about a transaction, if that has not changed: takes over the claim of a flow that died, or
  /// releases a claim. If two processes try at the same time, only one succeeds.
  ///
  /// - Parameters:
  ///   - known: the value that `claim` or `transaction` returned.
  ///   - next: the new value, following the rules of `save`; `nil` releases the claim.
  /// - Returns: `false` if the stored value has changed in the meantime.
  func replace(_ known: StoredTransaction, with next: StoredTransaction?) throws(StorageFailure) -> Bool
  /// Returns what is stored about each of the named items. If no org is named, it is the enrollment's. If possible,
  /// everything is read from one consistent snapshot.
  func excerpt(enrollment id: String?, orgID: String?, transaction: String?) throws(StorageFailure) -> StorageExcerpt
}

extension EnrollmentStorage {
  /// The default: reads the items one after the other.
  ///
  /// - Throws: any error of the individual reads.
  public func excerpt(
    enrollment id: String?, orgID: String?, transaction: String?
  ) throws(StorageFailure) -> StorageExcerpt {
    var excerpt = StorageExcerpt()
    if let id { excerpt.enrollment = try enrollment(id: id) }
    if let org = orgID ?? excerpt.enrollment?.orgID {
      excerpt.device = try device(orgID: org)
      excerpt.policy = try policy(orgID: org)
    }
    if let transaction { excerpt.transaction = try self.transaction(id: transaction) }
    return excerpt
  }

  /// The default, for a storage without compare-and-set, which cannot take over a claim.
  ///
  /// - Throws: always `unreadable`.
  public func replace(_ known: StoredTransaction, with next: StoredTransaction?) throws(StorageFailure) -> Bool {
    throw .unreadable(reason: "this storage cannot take over the claim of transaction \(known.id)")
  }
}

/// What a flow reads from storage at once.
public struct StorageExcerpt: Sendable, Hashable {
  /// The enrollment.
  public var enrollment: StoredEnrollment?
  /// The org's device record.
  public var device: StoredDevice?
  /// The org's policy.
  public var policy: StoredPolicy?
  /// The transaction.
  public var transaction: StoredTransaction?

  /// Creates an excerpt. Omitted items are not stored.
  public init(
    enrollment: StoredEnrollment? = nil, device: StoredDevice? = nil, policy: StoredPolicy? = nil,
    transaction: StoredTransaction? = nil
  ) {
    self.enrollment = enrollment
    self.device = device
    self.policy = policy
    self.transaction = transaction
  }
}

/// An enrollment as it is stored.
public struct StoredEnrollment: Sendable, Hashable {
  /// The ID that the org gave the enrollment.
  public var id: String
  /// The org's ID.
  public var orgID: String
  /// The org's URL, without a trailing slash.
  public var orgURL: String
  /// The ID that the org gave the person.
  public var userID: String
  /// The person's login, if the org reported it.
  public var userName: String?
  /// The ID that the org gave the device.
  public var deviceID: String
  /// The ID of the push method, if the org reported it.
  public var methodID: String?
  /// The URL of the pending challenges.
  public var pendingURL: String?
  /// The tag of the proof-of-possession key, which signs silently.
  public var proofOfPossessionTag: String?
  /// The tag of the user verification key.
  public var userVerificationTag: String?
  /// The tag of the key for biometrics or PIN; it is stored but not used.
  public var bioOrPinTag: String?
  /// The types of transactions that the org may request: `LOGIN` and `CIBA`.
  public var transactionTypes: Set<String>
  /// The ID of the OAuth client used for the enrollment.
  public var clientID: String?
  /// The last error code from the server (spec/device.md §13.7).
  public var serverErrorCode: String?
  /// When it was created, in seconds since 1970.
  public var created: Double
  /// When it was last changed, in seconds since 1970.
  public var updated: Double

  /// Creates an enrollment. Omitted values are empty.
  public init(
    id: String, orgID: String, orgURL: String, userID: String, userName: String? = nil, deviceID: String,
    methodID: String? = nil, pendingURL: String? = nil, proofOfPossessionTag: String? = nil,
    userVerificationTag: String? = nil, bioOrPinTag: String? = nil, transactionTypes: Set<String> = ["LOGIN"],
    clientID: String? = nil, serverErrorCode: String? = nil, created: Double = 0, updated: Double = 0
  ) {
    self.id = id
    self.orgID = orgID
    self.orgURL = orgURL
    self.userID = userID
    self.userName = userName
    self.deviceID = deviceID
    self.methodID = methodID
    self.pendingURL = pendingURL
    self.proofOfPossessionTag = proofOfPossessionTag
    self.userVerificationTag = userVerificationTag
    self.bioOrPinTag = bioOrPinTag
    self.transactionTypes = transactionTypes
    self.clientID = clientID
    self.serverErrorCode = serverErrorCode
    self.created = created
    self.updated = updated
  }
}

/// An org's authenticator configuration, as stored.
public struct StoredPolicy: Sendable, Hashable {
  /// The org's ID.
  public var orgID: String
  /// The authenticator's ID.
  public var id: String
  /// The ID of the OAuth client that requested it.
  public var clientID: String
  /// The complete element of the org's response.
  public var content: JSON

  /// Creates a policy.
  public init(orgID: String, id: String, clientID: String, content: JSON) {
    self.orgID = orgID
    self.id = id
    self.clientID = clientID
    self.content = content
  }
}

/// The device record of an org.
public struct StoredDevice: Sendable, Hashable {
  /// The org's ID.
  public var orgID: String
  /// The ID that the org gave the device.
  public var id: String
  /// The ID that the org gave this installation.
  public var clientInstanceID: String
  /// The tag of the client instance key.
  public var clientInstanceTag: String

  /// Creates a device record.
  public init(orgID: String, id: String, clientInstanceID: String, clientInstanceTag: String) {
    self.orgID = orgID
    self.id = id
    self.clientInstanceID = clientInstanceID
    self.clientInstanceTag = clientInstanceTag
  }
}

/// An unambiguous name for `StoredDevice`: FlowRecording has a type with that name too, which represents the file with
/// a device's ID.
public typealias StoredDeviceRecord = StoredDevice

/// The records that deleting an enrollment removed.
public struct DeletedEnrollment: Sendable, Hashable {
  /// The enrollment.
  public var enrollment: StoredEnrollment
  /// The device record, if it was removed too.
  public var device: StoredDevice?
  /// The tags of keys that nothing in storage references anymore.
  public var orphanedTags: [String]

  /// Creates a value.
  public init(enrollment: StoredEnrollment, device: StoredDevice?, orphanedTags: [String]) {
    self.enrollment = enrollment
    self.device = device
    self.orphanedTags = orphanedTags
  }
}

/// A transaction that the person has answered (spec/device.md §9.6, §12). Its description does not show the answer.
public struct StoredTransaction: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The transaction's ID.
  public var id: String
  /// The ID of the enrollment that it is for.
  public var enrollmentID: String
  /// The base64url SHA-256 of the claims that every delivery must have in common: nonce, enrollment, and verification
  /// URL.
  public var fingerprint: String
  /// The stream of the flow that claimed it, such as `device/01JD…`.
  public var stream: String
  /// The stage of the answer.
  public var stage: Stage
  /// The signed answer, from the stage `signed` until the transaction ends. It is a secret, stored so that the same
  /// answer can be sent again.
  public var response: String?
  /// When the answer expires, in seconds since 1970.
  public var responseExpiry: Double?
  /// When the transaction may be removed: its expiry plus the allowed skew, in seconds since 1970.
  public var expiry: Double

  /// The stages of an answer.
  public enum Stage: String, Sendable, Hashable {
    /// The person has answered, but nothing is signed yet. No process may ask them again: if the flow dies here, the
    /// transaction remains unanswered until it expires.
    case asked
    /// The answer is signed, and may have been sent. It must not be asked for or signed again.
    case signed
    /// The transaction has ended.
    case ended
  }

  /// Creates a transaction.
  public init(
    id: String, enrollmentID: String, fingerprint: String, stream: String, stage: Stage, response: String? = nil,
    responseExpiry: Double? = nil, expiry: Double
  ) {
    self.id = id
    self.enrollmentID = enrollmentID
    self.fingerprint = fingerprint
    self.stream = stream
    self.stage = stage
    self.response = response
    self.responseExpiry = responseExpiry
    self.expiry = expiry
  }

  /// The IDs and the stage.
  public var description: String { "StoredTransaction(\(id), enrollment \(enrollmentID), \(stage.rawValue))" }
  /// Everything except the answer.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "id": id, "enrollmentID": enrollmentID, "fingerprint": fingerprint, "stream": stream, "stage": stage,
        "responseExpiry": responseExpiry as Any, "expiry": expiry,
      ])
  }
}

/// Why storage could not be read or written (spec/device.md §15.2, `StorageError`).
public enum StorageFailure: Error, Sendable, Hashable {
  /// The directory cannot be created, or other users can read it.
  case directory(path: String, reason: String)
  /// The file was created by a newer version and cannot be read by this one.
  case migration(reason: String)
  /// SQLite returned an error.
  case sqlite(code: Int32, reason: String)
  /// The stored data is damaged, or encrypted with a different key.
  case unreadable(reason: String)
}
