// What the org remembers of push authenticators (device.md §20.1). Accounts and the clock are the org's.

/// Devices, enrollments, challenges and signing keys.
struct DeviceState {
  var devices: [String: DeviceRecord] = [:]
  var enrollments: [String: DeviceEnrollment] = [:]
  var challenges: [String: DeviceChallenge] = [:]
  /// Ids of assertions that were used, and when they may be forgotten.
  var spent: [String: Timestamp] = [:]
  /// Users that are not active, by the key of their account.
  var userStatus: [String: OrgLifecycle] = [:]
  /// The keys of each issuer that was asked for.
  var keys: [OrgSigner: SigningKeys] = [:]
  /// By account: ids and nonces of one user do not depend on the actions of others.
  var draws: [String: SeededGenerator] = [:]
  /// Questions of applications, by `auth_req_id`.
  var backchannel: [String: BackchannelRequest] = [:]
  /// The defects of the next challenges, one each.
  var defects: [OrgChallengeDefect] = []
  /// Notifications to deliver, oldest first.
  var deliveries: [OrgPush] = []
  /// How many enrollments and challenges there were: gives them their order.
  var count = 0

  /// Takes the notifications to deliver out of the queue.
  mutating func takeDeliveries() -> [OrgPush] {
    defer { deliveries = [] }
    return deliveries
  }

  /// The next number.
  mutating func next() -> Int {
    count += 1
    return count
  }
}

/// A device.
struct DeviceRecord {
  let id: String
  let clientInstanceID: String
  let clientInstanceKey: JSONWebKey
  var status = OrgLifecycle.active
  /// `device` as it was enrolled last.
  var profile: OrgJSON
  let created: Timestamp
  var updated: Timestamp
}

/// One user on one device.
struct DeviceEnrollment {
  let id: String
  let number: Int
  /// Key of the account.
  let login: String
  let userID: String
  let deviceID: String
  let authenticatorID: String
  let methodID: String
  /// The OAuth client it was enrolled through.
  let client: String
  /// `authenticatorAppKey` of the device: the installation.
  let installation: String?
  var status = OrgLifecycle.active
  var pushToken: String
  var environment: String?
  var transactionTypes: Set<OrgTransactionType>
  let possessionKey: JSONWebKey
  var verificationKey: JSONWebKey?
  let created: Timestamp
  var updated: Timestamp

  /// The key with that id, if the enrollment has it now.
  func key(_ id: String?) -> (type: String, key: JSONWebKey)? {
    if possessionKey.id == id { return ("proofOfPossession", possessionKey) }
    if let verificationKey, verificationKey.id == id { return ("userVerification", verificationKey) }
    return nil
  }
}

/// A challenge and its outcome.
struct DeviceChallenge {
  /// The answer that settled it.
  struct Answer {
    var token: CompactJWS
    /// The HTTP status that was given for it.
    var status: Int
    var at: Timestamp
  }

  let id: String
  let number: Int
  let enrollment: String
  let type: OrgTransactionType
  let requirement: OrgUserVerification?
  let mediation: OrgUserMediation?
  /// The OAuth client that asked, if one did.
  let client: String?
  /// The sign-in that asks, if one does.
  let origin: String?
  let nonce: String
  let issuer: String
  let created: Timestamp
  let expires: Timestamp
  /// The challenge as it is delivered.
  var payload: OrgJSON
  var status = OrgChallengeStatus.pending
  var answer: Answer?

  /// Its status at a moment: it also ends by expiry.
  func status(at now: Timestamp) -> OrgChallengeStatus { status == .pending && now > expires ? .expired : status }
}
