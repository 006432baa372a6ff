// Values that applications pass and receive (spec/device.md §16).

/// The org that an enrollment belongs to.
public struct Organization: Sendable, Hashable {
  /// The org's ID.
  public let id: String
  /// The org's URL.
  public let url: String
}

/// The person that an enrollment belongs to.
public struct User: Sendable, Hashable {
  /// The person's ID.
  public let id: String
  /// The person's login, if the org reported it.
  public let name: String?
}

/// The state of an enrollment, according to the org's last response (§13.7).
public enum EnrollmentState: String, Sendable, Hashable, CaseIterable {
  /// The enrollment is in use.
  case active
  /// The org has suspended the enrollment.
  case suspended
  /// The org has deleted the enrollment.
  case deleted
  /// The org has deleted the device, which must be enrolled again.
  case reset
}

/// The kinds of transactions that an enrollment accepts (§5.3). The numbers are stored.
public struct TransactionType: OptionSet, Sendable, Hashable {
  /// The bits of the option set.
  public let rawValue: Int

  /// Creates types from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A sign-in.
  public static let login = TransactionType(rawValue: 1)
  /// An authentication started by an OAuth client (CIBA).
  public static let ciba = TransactionType(rawValue: 2)
}

/// Whether a policy requires user verification.
public enum UserVerificationPolicySetting: Sendable, Hashable {
  /// User verification is preferred.
  case preferred
  /// User verification is required.
  case required
  /// Any other value that the org sends.
  case unknown(String)

  init(_ word: String) {
    switch word.lowercased() {
    case "preferred": self = .preferred
    case "required": self = .required
    case let other: self = .unknown(other)
    }
  }
}

/// Whether a challenge requires user verification.
public enum UserVerificationChallengeRequirement: String, Sendable, Hashable, CaseIterable {
  /// User verification is not used.
  case none = "NONE"
  /// User verification should be avoided.
  case discouraged = "DISCOURAGED"
  /// User verification is preferred.
  case preferred = "PREFERRED"
  /// User verification is required.
  case required = "REQUIRED"
}

/// The person's answer to a push challenge.
public enum PushChallengeUserResponse: String, Sendable, Hashable, CaseIterable {
  /// There is no answer yet, or it was withdrawn.
  case userNotResponded
  /// The person approved.
  case userApproved
  /// The person denied.
  case userDenied
}

/// The answer to a consent step.
public enum UserConsentResponse: String, Sendable, Hashable, CaseIterable {
  /// The person approved.
  case approved
  /// The person denied.
  case denied
  /// The person gave no answer, which counts as a denial: the org receives a signed denial (§9.1).
  case none
}

/// The texts of a verification prompt.
public struct UserVerificationParameters: Sendable, Hashable {
  /// The title for choosing another way to verify; `nil` for the verifier's default.
  public var localizedFallbackTitle: String?
  /// The title for cancelling; `nil` for the verifier's default.
  public var localizedCancelTitle: String?
  /// Why the person is asked; `nil` for the SDK's default text.
  public var localizedReason: String?

  /// Creates parameters. The verifier chooses the texts that are `nil`.
  public init(
    localizedFallbackTitle: String? = nil, localizedCancelTitle: String? = nil, localizedReason: String? = nil
  ) {
    self.localizedFallbackTitle = localizedFallbackTitle
    self.localizedCancelTitle = localizedCancelTitle
    self.localizedReason = localizedReason
  }
}

/// A token for an enrollment's requests that need no interaction (§4.8). Its description does not show the tokens.
public struct Oauth2Credential: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The access token.
  public var access_token: String
  /// The token type, `Bearer`.
  public var token_type: String
  /// The lifetime of the access token, in seconds.
  public var expires_in: Int?
  /// The refresh token, if the org issued one.
  public var refresh_token: String?
  /// The scopes, separated by spaces.
  public var scope: String?

  /// The type and scopes.
  public var description: String { "Oauth2Credential(\(token_type), scope: \(scope ?? ""))" }
  /// The type and scopes.
  public var customMirror: Mirror { Mirror(self, children: ["token_type": token_type, "scope": scope ?? ""]) }
}

/// The token that authorizes a request. It is never printed.
public enum AuthToken: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// An access token.
  case bearer(String)

  var token: String {
    switch self {
    case .bearer(let token): token
    }
  }

  /// The kind of token only.
  public var description: String { "AuthToken.bearer" }
  /// Nothing, because the token is secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
