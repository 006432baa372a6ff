// Where a sign-in or recovery stands between two requests.

/// What a recovery is for.
enum RecoveryType: String {
  case password = "PASSWORD"
  case unlock = "UNLOCK"
}

/// A live transaction, known to the client by its state token.
struct Transaction {
  /// What has been settled on the way to SUCCESS.
  enum Stage { case mfa, expiry, warning, enrolment }

  let token: String
  /// Key of the account; a recovery for an unknown user has one that matches no account.
  let login: String
  var expires: Timestamp
  var step: Step
  var relayState: String?
  var multiOptionalEnroll = false
  var warnsBeforeExpiry = false
  var settled: Set<Stage> = []
  /// Wrong codes and answers in this transaction.
  var wrongCodes = 0
  /// The last code sent for each factor: valid until it expires, whichever step the user has gone to meanwhile.
  var codes: [String: SentCode] = [:]
  /// What a step-up asks for: the SUCCESS keeps the token and hands over to the browser.
  var isStepUp = false
}

/// The state of a transaction (authn.md §6.1, §11): each case carries what exists only there.
enum Step {
  case unauthenticated
  case passwordWarn
  case passwordExpired
  case passwordReset(RecoveryType?)
  case enroll
  case enrollActivate(Activation)
  case required
  case challenge(Challenge)
  case recoveryChallenge(RecoveryChallenge)
  case recovery(RecoveryType)
}

/// A factor of MFA_REQUIRED that was selected.
struct Challenge {
  enum Kind {
    /// A code was sent.
    case sent
    /// The user reads the code or knows the answer: nothing was sent.
    case typed
    case push(PushChallenge)
    /// A key or authenticator signs this.
    case signed(challenge: String)
  }

  let enrolment: String
  var kind: Kind
}

/// A code on its way to a phone or mailbox.
struct SentCode: Equatable {
  var code: String
  var sent: Timestamp
}

/// A push and its outcome.
struct PushChallenge {
  enum Result: String {
    case waiting = "WAITING"
    case rejected = "REJECTED"
    case timeout = "TIMEOUT"
    case cancelled = "CANCELLED"
  }

  var sent: Timestamp
  var result: Result = .waiting
  /// The number to tap, if the org asks for one.
  var correctAnswer: Int?
  /// The challenges to the user's devices, whose answer ends the push. If there are none, a script ends it.
  var challenges: [String] = []
  /// Duo's widget has reported back: the next poll succeeds.
  var isApproved = false
}

/// A factor that was chosen in MFA_ENROLL and is not active yet.
struct Activation {
  enum Kind {
    case sent(SentCode)
    /// An authenticator app that scans the QR code; `scan` is the token in its URL.
    case totp(secret: String, scan: String)
    /// A phone that scans the QR code; `scan` is the secret in its URL.
    case push(PushChallenge, scan: String)
    case signed(challenge: String)
  }

  let id: String
  let factor: OrgFactor
  var kind: Kind
}

/// Recovery by text or call.
struct RecoveryChallenge {
  let type: RecoveryType
  let channel: OutboxMessage.Channel
  var code: SentCode

  /// As paths and bodies name the factor.
  var factorType: String { channel == .call ? "CALL" : "SMS" }
}
