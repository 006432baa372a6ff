// A transaction object as the application sees it (authn §3, §5): every value as the org sent it.

public import EventStore
public import Foundation

/// Where a transaction object comes from. The facade has its own; what an application makes comes from nowhere.
package protocol TransactionSource: Sendable {}

/// A transaction object. Its members are read from the JSON when asked for; what is missing or of another type is nil.
public struct OktaAPISuccessResponse: Sendable, Hashable {
  /// The result of an asynchronous factor (authn §6.2).
  public enum FactorResult: Sendable, Hashable {
    /// Started, not finished.
    case waiting
    /// Approved.
    case success
    /// The factor is active.
    case active
    /// Enrolled, not activated.
    case pending
    /// Cancelled on the device.
    case cancelled
    /// Declined on the device.
    case rejected
    /// Not answered in time.
    case timeout
    /// The right code in the wrong window.
    case timeWindowExceeded
    /// A code that was used before.
    case passcodeReplayed
    /// Trouble at the server.
    case error
    /// Any other, as the server wrote it.
    case unknown(String)

    private static let modelled: [(FactorResult, String)] = [
      (.waiting, "WAITING"), (.success, "SUCCESS"), (.active, "ACTIVE"), (.pending, "PENDING_ACTIVATION"),
      (.cancelled, "CANCELLED"), (.rejected, "REJECTED"), (.timeout, "TIMEOUT"),
      (.timeWindowExceeded, "TIME_WINDOW_EXCEEDED"), (.passcodeReplayed, "PASSCODE_REPLAYED"), (.error, "ERROR"),
    ]

    /// The result of a wire name.
    public init(raw: String) { self = FactorResult.modelled.first { $0.1 == raw }?.0 ?? .unknown(raw) }

    /// The wire name.
    public var raw: String {
      if case .unknown(let raw) = self { return raw }
      return FactorResult.modelled.first { $0.0 == self }?.1 ?? ""
    }
  }

  /// The whole object.
  public let json: JSON
  /// Where it comes from; nil where the application made it.
  let source: (any TransactionSource)?

  /// Wraps a transaction object.
  public init(json: JSON) { self.init(json: json, source: nil) }

  init(json: JSON, source: (any TransactionSource)?) {
    self.json = json
    self.source = source
  }

  /// Whether both hold the same object.
  public static func == (one: OktaAPISuccessResponse, other: OktaAPISuccessResponse) -> Bool { one.json == other.json }

  /// Hashes the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(json) }

  /// What a recovery is for (authn §6.5).
  public enum RecoveryType: Sendable, Hashable {
    /// A forgotten password.
    case password
    /// A locked account.
    case unlock
    /// Any other, as the server wrote it.
    case unknown(String)

    /// The type of a wire name.
    public init(raw: String) {
      self = raw == "PASSWORD" ? .password : raw == "UNLOCK" ? .unlock : .unknown(raw)
    }

    /// The wire name.
    public var raw: String {
      switch self {
      case .password: "PASSWORD"
      case .unlock: "UNLOCK"
      case .unknown(let raw): raw
      }
    }
  }

  var reading: TransactionReading { TransactionReading(json: json) }

  /// The object as JSON text, without white space.
  public var rawData: Data { Data(json.bytes) }
  /// The status.
  public var status: AuthStatus? { reading.status.map(AuthStatus.init(raw:)) }
  /// The token of the transaction.
  public var stateToken: String? { reading.stateToken }
  /// The token of the session, after SUCCESS of a sign-in.
  public var sessionToken: String? { json["sessionToken"]?.string }
  /// The token of a recovery by a trusted application.
  public var recoveryToken: String? { json["recoveryToken"]?.string }
  /// Until when the token of this response holds, on the org's clock.
  public var expirationDate: Date? { json["expiresAt"]?.string.flatMap(Date.init(wire:)) }
  /// What the application gave as relay state.
  public var relayState: String? { json["relayState"]?.string }
  /// The result of an asynchronous factor.
  public var factorResult: FactorResult? { reading.factorResult.map(FactorResult.init(raw:)) }
  /// The kind of factor that a recovery uses.
  public var factorType: FactorType? { json["factorType"]?.string.map(FactorType.init(raw:)) }
  /// What a recovery is for.
  public var recoveryType: RecoveryType? { json["recoveryType"]?.string.map(RecoveryType.init(raw:)) }
  /// The kind of the transaction: `SESSION_STEP_UP`.
  public var type: String? { json["type"]?.string }
  /// What a factor has to say of a failed attempt, rarely.
  public var factorResultMessage: String? { json["factorResultMessage"]?.string }
  /// What the transaction is about: user, factors, rules.
  public var embedded: EmbeddedResponse? { json["_embedded"].flatMap(EmbeddedResponse.init) }
  /// The links of the transaction.
  public var links: LinksResponse { LinksResponse(reading) }
  /// The user who signs in, once known.
  public var user: User? { json["_embedded"]?["user"].flatMap(User.init) }

  /// A user.
  public struct User: Sendable, Hashable {
    /// The user's id.
    public var id: String?
    /// The login.
    public var login: String?
    /// The first name.
    public var firstName: String?
    /// The last name.
    public var lastName: String?
    /// The locale.
    public var locale: String?
    /// The time zone.
    public var timeZone: String?
    /// When the password was changed last.
    public var passwordChanged: Date?
    /// The question of a recovery.
    public var recoveryQuestion: String?

    init?(_ json: JSON) {
      guard json.object != nil else { return nil }
      id = json["id"]?.string
      let profile = json["profile"]
      login = profile?["login"]?.string
      firstName = profile?["firstName"]?.string
      lastName = profile?["lastName"]?.string
      locale = profile?["locale"]?.string
      timeZone = profile?["timeZone"]?.string
      passwordChanged = json["passwordChanged"]?.string.flatMap(Date.init(wire:))
      recoveryQuestion = json["recovery_question"]?["question"]?.string
    }
  }
}
