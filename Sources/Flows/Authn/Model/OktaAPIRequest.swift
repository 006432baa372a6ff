// The result of a request, as a response handler receives it.

/// A request to the org.
public enum OktaAPIRequest {
  /// What a request came to.
  public enum Result: Sendable {
    /// The org answered with a transaction.
    case success(OktaAPISuccessResponse)
    /// The org answered with an error, or not at all.
    case error(OktaError)
  }
}
