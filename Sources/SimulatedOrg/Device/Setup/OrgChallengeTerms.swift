// The closed vocabularies of challenges (device.md §5.3, §7.2, §20.1).

/// What a challenge is about.
public enum OrgTransactionType: String, Sendable, Hashable, CaseIterable {
  /// A sign-in.
  case login = "LOGIN"
  /// A question that an application asks by itself (client-initiated backchannel authentication).
  case ciba = "CIBA"
}

/// How strictly a challenge verifies the holder of the device (`userVerification`).
public enum OrgUserVerification: String, Sendable, Equatable, CaseIterable {
  /// Nothing.
  case none = "NONE"
  /// Preferably none.
  case discouraged = "DISCOURAGED"
  /// The user-verification key if there is one.
  case preferred = "PREFERRED"
  /// The user-verification key; an answer by another key fails the sign-in.
  case required = "REQUIRED"
}

/// Whether a person has to act (`userMediation`).
public enum OrgUserMediation: String, Sendable, Equatable, CaseIterable {
  /// No person is asked.
  case none = "NONE"
  /// A person may be asked.
  case optional = "OPTIONAL"
  /// A person is asked.
  case required = "REQUIRED"
}

/// The signer of a challenge.
public enum OrgSigner: Sendable, Hashable {
  /// The org itself.
  case organization
  /// The custom authorization server with this id, such as `default`.
  case authorizationServer(String)
}

/// The outcome of a challenge.
public enum OrgChallengeStatus: String, Sendable, Equatable, CaseIterable {
  /// It waits for an answer.
  case pending = "PENDING"
  /// It was approved.
  case approved = "APPROVED"
  /// The person denied it.
  case denied = "DENIED"
  /// The answer was valid but insufficient: the sign-in fails.
  case rejected = "REJECTED"
  /// No answer arrived in time.
  case expired = "EXPIRED"
  /// Another challenge, or another device, took its place.
  case superseded = "SUPERSEDED"
}

/// Whether a user, device or enrollment may be used.
public enum OrgLifecycle: String, Sendable, Equatable, CaseIterable {
  /// It may.
  case active = "ACTIVE"
  /// Not now.
  case suspended = "SUSPENDED"
  /// Never again.
  case deleted = "DELETED"
}
