// The result of a request, as a response handler receives it.

/// A request to the org.
public enum OktaAPIRequest {
  /// The result of a request.
  public enum Result: Sendable {
    /// The org answered with a transaction.
    case success(OktaAPISuccessResponse)
    /// The org returned an error or did not answer.
    case error(OktaError)
  }
}
