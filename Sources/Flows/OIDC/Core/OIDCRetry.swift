// A request postponed by the server's rate limit (oidc §12).

/// The request that is retried, and the number of retries.
package struct OIDCRetry: Sendable, Equatable {
  /// The request's step.
  package var step: OIDCStep
  /// The number of times it was postponed.
  package var count: Int
  /// The total wait in milliseconds.
  package var waited: Int
  /// The server's id of the first attempt.
  package var firstID: String?

  /// The maximum number of retries.
  static let tolerated = 3
  /// The maximum total wait of a request, in milliseconds: a person may be waiting at the screen.
  static let patience = 60_000
  /// The purpose of its timer.
  static let purpose = "retry"
}
