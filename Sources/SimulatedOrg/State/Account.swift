// A user, with changes since the org started.

/// The live side of an `OrgUser`.
struct Account {
  let user: OrgUser
  let id: String
  var password: String?
  /// Newest first, without the present one.
  var history: [String]
  var passwordChanged: Timestamp
  var passwordExpires: Timestamp?
  /// Wrong passwords in a row.
  var failures = 0
  var locked: Bool
  var enrolments: [Enrolment] = []
  /// Source of this user's tokens and codes, which do not depend on other users.
  var draws: SeededGenerator
  /// Answers for pushes, the next one first.
  var pushScripts: [PushScript] = []
  /// Device tokens that need no second factor, and until when (`nil`: always).
  var remembered: [String: Timestamp?] = [:]
  var autoPush: [String: Bool] = [:]
  var activationToken: String?
  /// The verified number.
  var knownPhone: String?
  /// Profile fields that were given later.
  var profile: [String: String] = [:]

  init(_ user: OrgUser, seed: UInt64, now: Timestamp) {
    self.user = user
    draws = SeededGenerator(seed: seed, for: user.login)
    id = draws.text("00u", length: 17)
    password = user.password
    history = user.passwordHistory
    passwordChanged = now + -30 * 86_400
    passwordExpires = user.passwordExpiresIn.map { now + Double($0) * 86_400 }
    locked = user.lockedOut
    activationToken = user.activationToken
    knownPhone = user.recoveryPhone
    for factor in user.factors { add(factor) }
  }

  /// Sets a factor up and makes it active.
  @discardableResult
  mutating func add(_ factor: OrgFactor, id: String? = nil) -> Enrolment {
    let id = id ?? draws.text(factor.idPrefix, length: 17)
    let enrolment = Enrolment(id: id, factor: factor, key: draws.bytes(96))
    enrolments.append(enrolment)
    return enrolment
  }

  /// Where recovery texts and calls go.
  var recoveryPhone: String? {
    if let phone = knownPhone { return phone }
    for enrolment in enrolments {
      if case .sms(let phone) = enrolment.factor { return phone }
      if case .call(let phone) = enrolment.factor { return phone }
    }
    return nil
  }

  /// The question asked in recovery.
  var recoveryQuestion: (question: String, answer: String)? {
    if let question = user.recoveryQuestion { return question }
    for enrolment in enrolments {
      if case .question(let key, let answer) = enrolment.factor { return (SecurityQuestion.text(of: key), answer) }
    }
    return nil
  }
}

/// A factor that is set up.
struct Enrolment {
  let id: String
  let factor: OrgFactor
  /// Stands for the public key of a phone.
  let key: [UInt8]
  /// The last time step whose code was used (TOTP): it and all before it are spent.
  var lastStep: Int64?
}

/// One answer to a push, given at the n-th poll from now.
struct PushScript {
  var answer: PushAnswer
  var pollsLeft: Int
}
