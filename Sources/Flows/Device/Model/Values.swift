// Values that applications give and get (spec/device.md §16).

/// What an enrollment belongs to.
public struct Organization: Sendable, Hashable {
  /// The org's id.
  public let id: String
  /// The org's URL.
  public let url: String
}

/// Whose an enrollment is.
public struct User: Sendable, Hashable {
  /// The person's id.
  public let id: String
  /// Their login, if the org said it.
  public let name: String?
}

/// What the org last said of an enrollment (§13.7).
public enum EnrollmentState: String, Sendable, Hashable, CaseIterable {
  /// It goes on.
  case active
  /// The org does not serve it for now.
  case suspended
  /// It is gone from the org.
  case deleted
  /// The device is gone from the org: enroll again.
  case reset
}

/// The kinds of transactions that an enrollment takes (§5.3). The numbers are stored.
public struct TransactionType: OptionSet, Sendable, Hashable {
  /// The number.
  public let rawValue: Int

  /// Types of a number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A sign-in.
  public static let login = TransactionType(rawValue: 1)
  /// An authentication that a client started (CIBA).
  public static let ciba = TransactionType(rawValue: 2)
}

/// Whether a policy wants user verification.
public enum UserVerificationPolicySetting: Sendable, Hashable {
  /// If it can be.
  case preferred
  /// It must be.
  case required
  /// Another word of the org.
  case unknown(String)

  init(_ word: String) {
    switch word.lowercased() {
    case "preferred": self = .preferred
    case "required": self = .required
    case let other: self = .unknown(other)
    }
  }
}

/// Whether a challenge wants user verification.
public enum UserVerificationChallengeRequirement: String, Sendable, Hashable, CaseIterable {
  /// It does not.
  case none = "NONE"
  /// It would rather not.
  case discouraged = "DISCOURAGED"
  /// If it can be.
  case preferred = "PREFERRED"
  /// It must be.
  case required = "REQUIRED"
}

/// What a person said to a push challenge.
public enum PushChallengeUserResponse: String, Sendable, Hashable, CaseIterable {
  /// Nothing yet, or it was taken back.
  case userNotResponded
  /// Yes.
  case userApproved
  /// No.
  case userDenied
}

/// The answer to a consent step.
public enum UserConsentResponse: String, Sendable, Hashable, CaseIterable {
  /// Yes.
  case approved
  /// No.
  case denied
  /// No answer, which counts as a no: the org gets a signed denial (§9.1).
  case none
}

/// The words of a verification.
public struct UserVerificationParameters: Sendable, Hashable {
  /// The title of the way to another verification; nil for the verifier's own.
  public var localizedFallbackTitle: String?
  /// The title of the way out; nil for the verifier's own.
  public var localizedCancelTitle: String?
  /// Why the person is asked; nil for the SDK's own words.
  public var localizedReason: String?

  /// Makes parameters; what is nil is left to the verifier.
  public init(
    localizedFallbackTitle: String? = nil, localizedCancelTitle: String? = nil, localizedReason: String? = nil
  ) {
    self.localizedFallbackTitle = localizedFallbackTitle
    self.localizedCancelTitle = localizedCancelTitle
    self.localizedReason = localizedReason
  }
}

/// A token for requests of an enrollment that ask for no person (§4.8). It prints nothing of the tokens.
public struct Oauth2Credential: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The access token.
  public var access_token: String
  /// `Bearer`.
  public var token_type: String
  /// How many seconds it is good.
  public var expires_in: Int?
  /// A refresh token, if the org gave one.
  public var refresh_token: String?
  /// The scopes, with spaces between them.
  public var scope: String?

  /// Type and scopes.
  public var description: String { "Oauth2Credential(\(token_type), scope: \(scope ?? ""))" }
  /// Type and scopes.
  public var customMirror: Mirror { Mirror(self, children: ["token_type": token_type, "scope": scope ?? ""]) }
}

/// What authorizes a request. It prints nothing of the token.
public enum AuthToken: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// An access token.
  case bearer(String)

  var token: String {
    switch self {
    case .bearer(let token): token
    }
  }

  /// The kind alone.
  public var description: String { "AuthToken.bearer" }
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
