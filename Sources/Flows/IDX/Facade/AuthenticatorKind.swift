// Kinds, methods and states of authenticators (idx §13.2, §13.3, §7.3).

extension Authenticator {
  /// What an authenticator is.
  public enum Kind: OpenVocabulary {
    /// An app on a device.
    case app
    /// A mailbox.
    case email
    /// A telephone.
    case phone
    /// A password.
    case password
    /// A question that only the user can answer.
    case securityQuestion
    /// A device.
    case device
    /// A security key or a passkey.
    case securityKey
    /// Another identity provider.
    case federated
    /// Any other; its wire name stays.
    case unknown(String)

    /// A kind by its wire name.
    init(wire: String) {
      switch wire {
      case "app": self = .app
      case "email": self = .email
      case "phone": self = .phone
      case "password": self = .password
      case "security_question": self = .securityQuestion
      case "device": self = .device
      case "security_key": self = .securityKey
      case "federated": self = .federated
      default: self = .unknown(wire)
      }
    }

    /// A kind by its name on the wire: `security_question`.
    public init(string: String) { self.init(wire: string) }

    /// Whether this is `unknown`.
    public var isUnknown: Bool { if case .unknown = self { true } else { false } }

    /// The name of the case, as in `securityQuestion`; the name on the wire for `unknown`.
    public var stringValue: String {
      switch self {
      case .app: "app"
      case .email: "email"
      case .phone: "phone"
      case .password: "password"
      case .securityQuestion: "securityQuestion"
      case .device: "device"
      case .securityKey: "securityKey"
      case .federated: "federated"
      case .unknown(let name): name
      }
    }
  }

  /// What an authenticator may be used for.
  public enum Goal: String, Sendable, Hashable {
    /// For anything.
    case any
    /// For signing in.
    case sso
    /// For recovering an account.
    case recovery
    /// For nothing.
    case none
  }

  /// How an authenticator is used.
  public enum Method: OpenVocabulary {
    /// A text message.
    case sms
    /// A telephone call.
    case voice
    /// A mail.
    case email
    /// A push to an app.
    case push
    /// A signature of an app.
    case signedNonce
    /// A code that changes with time.
    case totp
    /// A one-time code.
    case otp
    /// A password.
    case password
    /// WebAuthn.
    case webAuthN
    /// A question.
    case securityQuestion
    /// An identity provider.
    case idp
    /// Duo.
    case duo
    /// Federation.
    case federated
    /// Any other; its wire name stays.
    case unknown(String)

    /// A method by its wire name.
    init(wire: String) {
      switch wire {
      case "sms": self = .sms
      case "voice": self = .voice
      case "email": self = .email
      case "push": self = .push
      case "signed_nonce", "signedNonce": self = .signedNonce
      case "totp": self = .totp
      case "otp": self = .otp
      case "password": self = .password
      case "webauthn": self = .webAuthN
      case "security_question": self = .securityQuestion
      case "idp": self = .idp
      case "duo": self = .duo
      case "federated": self = .federated
      default: self = .unknown(wire)
      }
    }

    /// A method by its name on the wire: `signed_nonce`.
    public init(string: String) { self.init(wire: string) }

    /// Whether this is `unknown`.
    public var isUnknown: Bool { if case .unknown = self { true } else { false } }

    /// The name of the case, as in `webAuthN`; the name on the wire for `unknown`.
    public var stringValue: String? {
      switch self {
      case .sms: "sms"
      case .voice: "voice"
      case .email: "email"
      case .push: "push"
      case .signedNonce: "signedNonce"
      case .totp: "totp"
      case .otp: "otp"
      case .password: "password"
      case .webAuthN: "webAuthN"
      case .securityQuestion: "securityQuestion"
      case .idp: "idp"
      case .duo: "duo"
      case .federated: "federated"
      case .unknown(let name): name
      }
    }
  }

  /// Where an authenticator stands in a response; later cases count more.
  public enum State: Int, Sendable, Hashable, Comparable {
    /// It could be used or set up.
    case normal
    /// The user has it.
    case enrolled
    /// It is the one to be dealt with now; also while it is being set up.
    case authenticating
    /// It is enrolled and being challenged now. The name is upstream's.
    case enrolling
    /// It is being recovered.
    case recovery

    /// Whether the left state counts less.
    public static func < (left: State, right: State) -> Bool { left.rawValue < right.rawValue }

    init(_ state: AuthenticatorReading.State) { self = State(rawValue: state.rawValue) ?? .normal }
  }
}
