// What outlives a flow: enrollments, policies, device records, and which transactions were answered (spec/device.md §14).

public import EventStore

/// Keeps what outlives a flow. Several processes may use one: writers wait for each other, readers never wait.
public protocol EnrollmentStorage: Sendable {
  /// All enrollments, in the order in which they were first saved.
  func enrollments() throws(StorageFailure) -> [StoredEnrollment]
  /// The enrollment of an id, or nil. If two orgs gave the same id: the one that was saved first; so do `update` and
  /// `delete`.
  func enrollment(id: String) throws(StorageFailure) -> StoredEnrollment?
  /// Stores an enrollment in the place of one with the same id and org.
  func save(_ enrollment: StoredEnrollment) throws(StorageFailure)
  /// Changes an enrollment in one transaction; returns it changed, or nil if there is none.
  @discardableResult
  func update(enrollment id: String, _ change: @Sendable (inout StoredEnrollment) -> Void)
    throws(StorageFailure) -> StoredEnrollment?
  /// Deletes an enrollment, and the org's policy and device record if it was the org's last one.
  ///
  /// - Returns: what was deleted, with the tags of keys that nothing names any more; nil if there was none.
  @discardableResult func delete(enrollment id: String) throws(StorageFailure) -> DeletedEnrollment?

  /// The policy of an org, or nil.
  func policy(orgID: String) throws(StorageFailure) -> StoredPolicy?
  /// Stores an org's policy in the place of an older one.
  func save(_ policy: StoredPolicy) throws(StorageFailure)
  /// The device record of an org, or nil.
  func device(orgID: String) throws(StorageFailure) -> StoredDevice?
  /// Stores an org's device record in the place of an older one.
  func save(_ device: StoredDevice) throws(StorageFailure)

  /// Claims a transaction once the person has answered: the first one to claim it sends its answer, in any process, and
  /// keeps it until it is released. Until then, the person may be asked again after a restart.
  ///
  /// - Parameters:
  ///   - transaction: what is claimed.
  ///   - now: seconds since 1970; transactions that ended before are forgotten.
  /// - Returns: nil if it was claimed now, or what is known of an earlier claim.
  func claim(_ transaction: StoredTransaction, now: Double) throws(StorageFailure) -> StoredTransaction?
  /// What is known of a transaction, or nil.
  func transaction(id: String) throws(StorageFailure) -> StoredTransaction?
  /// Notes how far a claimed transaction is. Once claimed, the person must not be asked again; once `signed`, nothing is
  /// signed again: a stage that goes back, and another answer in the place of a signed one, are refused with the code of
  /// a broken constraint (19).
  ///
  /// The answer is forgotten when the stage is `ended`.
  func save(_ transaction: StoredTransaction) throws(StorageFailure)
  /// Puts a transaction in the place of what is known of it, if that is still so: takes over the claim of a flow that
  /// died, or releases one. Of two that try at the same time, in any process, one succeeds.
  ///
  /// - Parameters:
  ///   - known: what `claim` or `transaction` returned.
  ///   - next: what is known from now on, by the rules of `save`; nil releases the claim.
  /// - Returns: whether it was still so.
  func replace(_ known: StoredTransaction, with next: StoredTransaction?) throws(StorageFailure) -> Bool
  /// What is stored of an enrollment, an org and a transaction, each if it is named; the org is the enrollment's if none is. A
  /// storage that can reads it as of one moment.
  func excerpt(enrollment id: String?, orgID: String?, transaction: String?) throws(StorageFailure) -> StorageExcerpt
}

extension EnrollmentStorage {
  /// One after the other.
  ///
  /// - Throws: what the single reads throw.
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

  /// A storage that cannot compare and set takes over no claim.
  ///
  /// - Throws: `unreadable`, always.
  public func replace(_ known: StoredTransaction, with next: StoredTransaction?) throws(StorageFailure) -> Bool {
    throw .unreadable(reason: "this storage cannot take over the claim of transaction \(known.id)")
  }
}

/// What a flow reads of a storage at once.
public struct StorageExcerpt: Sendable, Hashable {
  /// The enrollment.
  public var enrollment: StoredEnrollment?
  /// The org's device record.
  public var device: StoredDevice?
  /// The org's policy.
  public var policy: StoredPolicy?
  /// The transaction.
  public var transaction: StoredTransaction?

  /// Makes one; what is not given is not stored.
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

/// An enrollment as it is kept.
public struct StoredEnrollment: Sendable, Hashable {
  /// The enrollment's id at the org.
  public var id: String
  /// The org's id.
  public var orgID: String
  /// The org's URL, without a slash at its end.
  public var orgURL: String
  /// The person's id at the org.
  public var userID: String
  /// The person's login, if the org said it.
  public var userName: String?
  /// The device's id at the org.
  public var deviceID: String
  /// The id of the push method, if the org said it.
  public var methodID: String?
  /// Where pending challenges are.
  public var pendingURL: String?
  /// The tag of the key that signs silently.
  public var proofOfPossessionTag: String?
  /// The tag of the key that a verified person signs with.
  public var userVerificationTag: String?
  /// The tag of the key by biometry or PIN; carried.
  public var bioOrPinTag: String?
  /// The transaction types that the org may ask for: `LOGIN`, `CIBA`.
  public var transactionTypes: Set<String>
  /// The OAuth client id that it was enrolled with.
  public var clientID: String?
  /// The last error code of the server (spec/device.md §13.7).
  public var serverErrorCode: String?
  /// When it was made, seconds since 1970.
  public var created: Double
  /// When it was changed.
  public var updated: Double

  /// Makes one; what is not given is empty.
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

/// An authenticator's configuration as it is kept: what the org answered, by org.
public struct StoredPolicy: Sendable, Hashable {
  /// The org's id.
  public var orgID: String
  /// The authenticator's id.
  public var id: String
  /// The OAuth client id that it was asked for with.
  public var clientID: String
  /// The whole element that the org answered with.
  public var content: JSON

  /// Makes one.
  public init(orgID: String, id: String, clientID: String, content: JSON) {
    self.orgID = orgID
    self.id = id
    self.clientID = clientID
    self.content = content
  }
}

/// The device record of an org.
public struct StoredDevice: Sendable, Hashable {
  /// The org's id.
  public var orgID: String
  /// The device's id at the org.
  public var id: String
  /// The id of this installation at the org.
  public var clientInstanceID: String
  /// The tag of the client instance key.
  public var clientInstanceTag: String

  /// Makes one.
  public init(orgID: String, id: String, clientInstanceID: String, clientInstanceTag: String) {
    self.orgID = orgID
    self.id = id
    self.clientInstanceID = clientInstanceID
    self.clientInstanceTag = clientInstanceTag
  }
}

/// `StoredDevice` by a name that no other module has: FlowRecording has a `StoredDevice` too, which is the file of a
/// device's id.
public typealias StoredDeviceRecord = StoredDevice

/// What deleting an enrollment took away.
public struct DeletedEnrollment: Sendable, Hashable {
  /// The enrollment.
  public var enrollment: StoredEnrollment
  /// The device record, if that went too.
  public var device: StoredDevice?
  /// The tags of keys that nothing stored names any more.
  public var orphanedTags: [String]

  /// Makes one.
  public init(enrollment: StoredEnrollment, device: StoredDevice?, orphanedTags: [String]) {
    self.enrollment = enrollment
    self.device = device
    self.orphanedTags = orphanedTags
  }
}

/// A transaction that the person has answered (spec/device.md §9.6, §12). It prints nothing of the answer.
public struct StoredTransaction: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The transaction's id.
  public var id: String
  /// The enrollment that it is for.
  public var enrollmentID: String
  /// SHA-256 over the claims that must not differ in a second delivery, base64url: nonce, enrollment, verification URL.
  public var fingerprint: String
  /// The flow that claimed it: `device/01JD…`.
  public var stream: String
  /// How far it is.
  public var stage: Stage
  /// The signed answer, from `signed` on until it ended. A secret: it is kept so that the same answer can be sent again.
  public var response: String?
  /// When the answer ends to be good, seconds since 1970.
  public var responseExpiry: Double?
  /// When the transaction may be forgotten: its expiry and the allowed skew, seconds since 1970.
  public var expiry: Double

  /// How far an answer is.
  public enum Stage: String, Sendable, Hashable {
    /// The person was asked and has answered; nothing is signed yet. They must not be asked again, in whatever process:
    /// a flow that dies here leaves the transaction without an answer, until it expires.
    case asked
    /// Signed, and perhaps sent. Never to be asked or signed again.
    case signed
    /// Ended.
    case ended
  }

  /// Makes one.
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

  /// Ids and stage.
  public var description: String { "StoredTransaction(\(id), enrollment \(enrollmentID), \(stage.rawValue))" }
  /// All but the answer.
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
  /// The directory cannot be made, or others can read it.
  case directory(path: String, reason: String)
  /// The file was made by a newer version that this one cannot read.
  case migration(reason: String)
  /// SQLite refused.
  case sqlite(code: Int32, reason: String)
  /// What is stored is damaged, or encrypted under another key than the one that was given.
  case unreadable(reason: String)
}
