// A custom push authenticator as an administrator sets it up (device.md §4.2).

/// An authenticator that a customer's own application implements.
public struct OrgAppAuthenticator: Sendable, Equatable {
  /// Whether user verification is part of the enrollment.
  public enum UserVerification: String, Sendable, Equatable {
    /// An enrollment without a user-verification key is accepted.
    case preferred = "PREFERRED"
    /// It is refused with `E0000158`.
    case required = "REQUIRED"
  }

  /// Its id.
  public var id: String
  /// The name that people see.
  public var name: String
  /// Whether an enrollment needs a user-verification key.
  public var userVerification: UserVerification
  /// What counts as user verification.
  public var userVerificationMethods: [String]
  /// Whether private keys must be in hardware.
  public var needsHardwareKeys: Bool
  /// Whether keys must be FIPS compliant; others are refused with `E0000159`.
  public var needsFIPSKeys: Bool
  /// What devices may sign with: `ES256`, `RS256`.
  public var algorithms: [String]
  /// What it may be used for.
  public var transactionTypes: Set<OrgTransactionType>
  /// Whether its push method can be enrolled and used.
  public var isActive: Bool
  /// The OAuth clients that may use it; `nil` for all.
  public var clients: [String]?

  /// An authenticator.
  public init(
    id: String = "aut1simulatedapp0000", name: String = "Acme Authenticator",
    userVerification: UserVerification = .preferred, userVerificationMethods: [String] = ["BIOMETRICS", "PIN"],
    needsHardwareKeys: Bool = false, needsFIPSKeys: Bool = false, algorithms: [String] = ["ES256", "RS256"],
    transactionTypes: Set<OrgTransactionType> = [.login, .ciba], isActive: Bool = true, clients: [String]? = nil
  ) {
    self.id = id
    self.name = name
    self.userVerification = userVerification
    self.userVerificationMethods = userVerificationMethods
    self.needsHardwareKeys = needsHardwareKeys
    self.needsFIPSKeys = needsFIPSKeys
    self.algorithms = algorithms
    self.transactionTypes = transactionTypes
    self.isActive = isActive
    self.clients = clients
  }

  /// Whether a client may use it.
  func serves(_ client: String) -> Bool { clients?.contains(client) ?? true }
}
