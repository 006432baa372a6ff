// A transaction as the application sees it (authn §3, §5), with every value as the org sent it.

public import EventStore
public import Foundation

/// The source of a transaction object. Objects created by the facade have one; objects created by an application do
/// not.
package protocol TransactionSource: Sendable {
  /// The status as recorded, with secrets replaced.
  var safeStatus: String? { get }
}

/// A transaction object.
public struct OktaAPISuccessResponse: OktaWireObject {
  /// The whole object.
  public let json: JSON
  /// The source of the object; `nil` if the application created it.
  let source: (any TransactionSource)?

  /// Wraps a transaction object.
  public init(json: JSON) { self.init(json: json, source: nil) }

  /// The status, with secrets replaced if the flow that knows them is known.
  var safeStatus: String { source.map { $0.safeStatus ?? "" } ?? status?.raw ?? "" }

  init(json: JSON, source: (any TransactionSource)?) {
    self.json = json
    self.source = source
  }

  /// Returns whether both contain the same object.
  public static func == (one: OktaAPISuccessResponse, other: OktaAPISuccessResponse) -> Bool { one.json == other.json }

  /// Hashes the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(json) }

  var reading: TransactionReading { TransactionReading(json: json) }

  /// The body that was set, for programs that decode an answer themselves; otherwise, the object as JSON text.
  public var rawData: Data? {
    get { givenData ?? Data(json.bytes) }
    set { givenData = newValue }
  }

  private var givenData: Data?

  /// The status.
  public var status: AuthStatus? { reading.status.map(AuthStatus.init(raw:)) }
  /// The state token.
  public var stateToken: String? { reading.stateToken }
  /// The session token, after a sign-in has succeeded.
  public var sessionToken: String? { json["sessionToken"]?.string }
  /// The recovery token, for a recovery by a trusted application.
  public var recoveryToken: String? { json["recoveryToken"]?.string }
  /// When the token of this response expires, by the org's clock, as the org wrote it.
  public var expirationDate: String? { json["expiresAt"]?.string }
  /// When the token of this response expires, by the org's clock.
  public var expirationTime: Date? { expirationDate.flatMap(Date.init(wire:)) }
  /// The relay state that the application provided.
  public var relayState: String? { json["relayState"]?.string }
  /// The result of an asynchronous factor.
  public var factorResult: FactorResult? { reading.factorResult.map(FactorResult.init(raw:)) }
  /// The type of factor that a recovery uses.
  public var factorType: FactorType? { json["factorType"]?.string.map(FactorType.init(raw:)) }
  /// The purpose of a recovery.
  public var recoveryType: RecoveryType? { json["recoveryType"]?.string.map(RecoveryType.init(raw:)) }
  /// The type of the transaction, such as `SESSION_STEP_UP`.
  public var type: String? { json["type"]?.string }
  /// A factor's message about a failed attempt, which is rarely present.
  public var factorResultMessage: String? { json["factorResultMessage"]?.string }
  /// The embedded user, factors, and rules.
  public var embedded: EmbeddedResponse? { json["_embedded"].flatMap(EmbeddedResponse.init(json:)) }
  /// The links of the transaction; `nil` if it has none.
  public var links: LinksResponse? { json["_links"].flatMap(LinksResponse.init(json:)) }
  /// The user who signs in, once known.
  public var user: EmbeddedResponse.User? { embedded?.user }

  /// The status and factor result, but no token and no link.
  public var description: String {
    let result = reading.factorResult.map { " \($0)" } ?? ""
    return "OktaAPISuccessResponse(\(reading.status ?? "no status")\(result))"
  }

  /// Only the status and factor result, so that a dump shows no secret.
  public var customMirror: Mirror {
    Mirror(self, children: ["status": reading.status as Any, "factorResult": reading.factorResult as Any])
  }

  /// The result of an asynchronous factor (authn §6.2).
  public enum FactorResult: OktaWireWord {
    /// Started but not finished.
    case waiting
    /// Approved.
    case success
    /// The factor is active.
    case active
    /// Enrolled but not activated.
    case pending
    /// Cancelled on the device.
    case cancelled
    /// Declined on the device.
    case rejected
    /// Not answered in time.
    case timeout
    /// The code is correct, but for the wrong time window.
    case timeWindowExceeded
    /// The code was already used.
    case passcodeReplayed
    /// An error on the server.
    case error
    /// Any other, as the server wrote it.
    case unknown(String)

    /// The results that the SDK has a case for.
    public static let known: [FactorResult] = [
      .waiting, .success, .active, .pending, .cancelled, .rejected, .timeout, .timeWindowExceeded, .passcodeReplayed,
      .error,
    ]

    /// The result as it is sent and received.
    public var rawValue: String {
      switch self {
      case .waiting: AuthnVocabulary.waiting
      case .success: "SUCCESS"
      case .active: "ACTIVE"
      case .pending: "PENDING_ACTIVATION"
      case .cancelled: "CANCELLED"
      case .rejected: "REJECTED"
      case .timeout: "TIMEOUT"
      case .timeWindowExceeded: "TIME_WINDOW_EXCEEDED"
      case .passcodeReplayed: "PASSCODE_REPLAYED"
      case .error: "ERROR"
      case .unknown(let raw): raw
      }
    }

    /// The same as `rawValue`.
    public var description: String { rawValue }
  }

  /// The purpose of a recovery (authn §6.5).
  public enum RecoveryType: OktaWireWord {
    /// A forgotten password.
    case password
    /// A locked account.
    case unlock
    /// Any other, as the server wrote it.
    case unknown(String)

    /// The types that the SDK has a case for.
    public static let known: [RecoveryType] = [.password, .unlock]

    /// The type as it is sent and received.
    public var rawValue: String {
      switch self {
      case .password: "PASSWORD"
      case .unlock: "UNLOCK"
      case .unknown(let raw): raw
      }
    }

    /// The same as `rawValue`.
    public var description: String { rawValue }
  }
}
