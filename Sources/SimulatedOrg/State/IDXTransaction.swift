// Where a sign-in through the Identity Engine stands between two requests.

/// What `interact` received (idx.md §2.3).
struct IDXInterest {
  /// The authorization server's base path: `/oauth2` or `/oauth2/{id}`.
  var server: String
  var client: OrgClient
  var redirectURI: String
  var scopes: [String]
  var state: String
  var challenge: String
  var nonce: String?
}

/// A live transaction, known to the client by its state handle.
struct IDXTransaction {
  /// The person's goal.
  enum Goal { case signIn, register, recover, unlock }

  /// What has been settled on the way.
  enum Stage { case expiry, warning, enrolment, profile, consent, staying }

  let handle: String
  let interaction: String
  let interest: IDXInterest
  var expires: Timestamp
  var draws: SeededGenerator
  var step: IDXStep
  var goal = Goal.signIn
  /// Key of the account; an unknown user name matches no account.
  var login: String?
  /// The user name as typed.
  var identifier: String?
  var verified: Set<OrgAuthenticator> = []
  /// A provider vouched for the person.
  var isFederated = false
  var settled: Set<Stage> = []
  /// The scopes that were allowed, if they were asked about one by one.
  var scopes: [String]?
  /// Wrong codes, answers and signatures.
  var wrongAnswers = 0
  /// Codes sent by text or call.
  var textsSent = 0
  /// Kept for the first page: a passkey may sign this.
  var autofillChallenge: String?
  var remembersDevice = false
  var deviceToken = ""
}

/// The step of a transaction: each case carries what exists only there.
enum IDXStep {
  case identify, identifyRecovery, selectToUnlock
  case select
  case confirmSending(IDXEnrolled)
  case challenge(IDXChallenge)
  case register
  case selectEnrolment
  case enrolmentData(OrgAuthenticator)
  case channelData(channel: String)
  case enrolling(IDXEnrolling)
  case newPassword(NewPassword)
  case profileUpdate, consent(OrgPolicy.Consent), staySignedIn
  case success(code: String)
  case terminal(IonMessage)

  /// Why a new password is asked for.
  enum NewPassword: String {
    case expired = "reenroll-authenticator"
    case expiring = "reenroll-authenticator-warning"
    case reset = "reset-authenticator"
  }
}

/// An authenticator a person has.
struct IDXEnrolled: Sendable {
  var authenticator: OrgAuthenticator
  var id: String
  var methods: [String]
  /// The factors behind it; none for the password and for what is only known from the profile.
  var enrolments: [Enrolment] = []
  /// Number or address, unmasked.
  var address: String?
}

/// An authenticator that must be answered.
struct IDXChallenge: Sendable {
  enum Kind {
    case sent(SentCode)
    case typed
    case push(PushChallenge)
    case signed(challenge: String)
    case duo(token: String)
  }

  var enrolled: IDXEnrolled
  var method: String
  var kind: Kind
  /// The link of the mail was followed.
  var isResolved = false
}

/// An authenticator that is being set up.
struct IDXEnrolling {
  enum Kind {
    case sent(SentCode)
    case timeCode(secret: String)
    case typed
    case push(PushChallenge, channel: String, scan: String)
    case signed(challenge: String)
    case duo(token: String)
  }

  var authenticator: OrgAuthenticator
  var method: String
  /// Number or address, unmasked.
  var address: String?
  var kind: Kind
  var isResolved = false
}
