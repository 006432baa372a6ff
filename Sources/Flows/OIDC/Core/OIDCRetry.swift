// A request that the server's rate limit puts off (oidc §12).

/// Which request is sent again, and how often it was.
package struct OIDCRetry: Sendable, Equatable {
  /// The request's step.
  package var step: OIDCStep
  /// How often it was put off.
  package var count: Int
  /// For how many milliseconds in all.
  package var waited: Int
  /// What the server called the first attempt.
  package var firstID: String?

  /// How often a request is sent again.
  static let tolerated = 3
  /// How long a request waits in all, in milliseconds: a person may be looking at the screen.
  static let patience = 60_000
  /// What its timer is for.
  static let purpose = "retry"
}
