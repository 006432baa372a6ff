// Kinds, methods and states of authenticators (idx §13.2, §13.3, §7.3).

extension Authenticator {
  /// What an authenticator is.
  public enum Kind: Sendable, Hashable {
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
  }

  /// How an authenticator is used.
  public enum Method: Sendable, Hashable {
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
