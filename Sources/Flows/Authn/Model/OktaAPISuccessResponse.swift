// A transaction object as the application sees it (authn §3, §5): every value as the org sent it.

public import EventStore
public import Foundation

/// Where a transaction object comes from. The facade has its own; what an application makes comes from nowhere.
package protocol TransactionSource: Sendable {
  /// The status as the log has it, secrets replaced.
  var safeStatus: String? { get }
}

/// A transaction object.
public struct OktaAPISuccessResponse: OktaWireObject {
  /// The whole object.
  public let json: JSON
  /// Where it comes from; nil if the application made it.
  let source: (any TransactionSource)?

  /// Wraps a transaction object.
  public init(json: JSON) { self.init(json: json, source: nil) }

  /// The status, secrets replaced if a flow is known that has them.
  var safeStatus: String { source.map { $0.safeStatus ?? "" } ?? status?.raw ?? "" }

  init(json: JSON, source: (any TransactionSource)?) {
    self.json = json
    self.source = source
  }

  /// Whether both hold the same object.
  public static func == (one: OktaAPISuccessResponse, other: OktaAPISuccessResponse) -> Bool { one.json == other.json }

  /// Hashes the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(json) }

  var reading: TransactionReading { TransactionReading(json: json) }

  /// The body that was set, as programs do that decode an answer themselves; else the object as JSON text.
  public var rawData: Data? {
    get { givenData ?? Data(json.bytes) }
    set { givenData = newValue }
  }

  private var givenData: Data?

  /// The status.
  public var status: AuthStatus? { reading.status.map(AuthStatus.init(raw:)) }
  /// The token of the transaction.
  public var stateToken: String? { reading.stateToken }
  /// The token of the session, after SUCCESS of a sign-in.
  public var sessionToken: String? { json["sessionToken"]?.string }
  /// The token of a recovery by a trusted application.
  public var recoveryToken: String? { json["recoveryToken"]?.string }
  /// Until when the token of this response holds, on the org's clock, as the org wrote it.
  public var expirationDate: String? { json["expiresAt"]?.string }
  /// Until when the token of this response holds, on the org's clock.
  public var expirationTime: Date? { expirationDate.flatMap(Date.init(wire:)) }
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
  public var embedded: EmbeddedResponse? { json["_embedded"].flatMap(EmbeddedResponse.init(json:)) }
  /// The links of the transaction; `nil` if it has none.
  public var links: LinksResponse? { json["_links"].flatMap(LinksResponse.init(json:)) }
  /// The user who signs in, once known.
  public var user: EmbeddedResponse.User? { embedded?.user }

  /// Status and factor result, no token and no link.
  public var description: String {
    let result = reading.factorResult.map { " \($0)" } ?? ""
    return "OktaAPISuccessResponse(\(reading.status ?? "no status")\(result))"
  }

  /// Status and factor result alone, so that a dump shows no secret.
  public var customMirror: Mirror {
    Mirror(self, children: ["status": reading.status as Any, "factorResult": reading.factorResult as Any])
  }

  /// The result of an asynchronous factor (authn §6.2).
  public enum FactorResult: OktaWireWord {
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

    /// The results that the SDK has a case for.
    public static let known: [FactorResult] = [
      .waiting, .success, .active, .pending, .cancelled, .rejected, .timeout, .timeWindowExceeded, .passcodeReplayed,
      .error,
    ]

    /// The result as it stands on the wire.
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

  /// What a recovery is for (authn §6.5).
  public enum RecoveryType: OktaWireWord {
    /// A forgotten password.
    case password
    /// A locked account.
    case unlock
    /// Any other, as the server wrote it.
    case unknown(String)

    /// The types that the SDK has a case for.
    public static let known: [RecoveryType] = [.password, .unlock]

    /// The type as it stands on the wire.
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
