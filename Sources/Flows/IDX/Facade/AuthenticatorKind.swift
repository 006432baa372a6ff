// The kinds, methods, and states of authenticators (idx §13.2, §13.3, §7.3).

extension Authenticator {
  /// The kind of an authenticator.
  public enum Kind: OpenVocabulary {
    /// An app on a device.
    case app
    /// An email address.
    case email
    /// A phone.
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
    /// Any other kind, by its name on the wire.
    case unknown(String)

    /// Creates a kind from its name on the wire.
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

    /// Creates a kind from its name on the wire, such as `security_question`.
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
    /// Any purpose.
    case any
    /// Signing in.
    case sso
    /// Account recovery.
    case recovery
    /// No purpose.
    case none
  }

  /// A method of using an authenticator.
  public enum Method: OpenVocabulary {
    /// A text message.
    case sms
    /// A phone call.
    case voice
    /// An email.
    case email
    /// A push notification to an app.
    case push
    /// A nonce signed by an app.
    case signedNonce
    /// A time-based one-time code.
    case totp
    /// A one-time code.
    case otp
    /// A password.
    case password
    /// WebAuthn.
    case webAuthN
    /// A security question.
    case securityQuestion
    /// An identity provider.
    case idp
    /// Duo.
    case duo
    /// Federation.
    case federated
    /// Any other method, by its name on the wire.
    case unknown(String)

    /// Creates a method from its name on the wire.
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

    /// Creates a method from its name on the wire, such as `signed_nonce`.
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

  /// The state of an authenticator in a response. Later cases take precedence.
  public enum State: Int, Sendable, Hashable, Comparable {
    /// It can be used or set up.
    case normal
    /// The user has enrolled it.
    case enrolled
    /// It is used in the current step, or is being set up.
    case authenticating
    /// It is enrolled and currently being challenged. The name comes from the original SDK.
    case enrolling
    /// It is being recovered.
    case recovery

    /// Returns whether the left state has lower precedence.
    public static func < (left: State, right: State) -> Bool { left.rawValue < right.rawValue }

    init(_ state: AuthenticatorReading.State) { self = State(rawValue: state.rawValue) ?? .normal }
  }
}
