// Details of a failed exchange (oidc §11.2).

/// Why an operation failed, with the server's error. It never contains a secret: in what the server says, secrets are
/// replaced.
///
/// Replaces the plain string of the original SDK's errors; string literals still work: `.APIError("…")`.
public struct OktaFailure: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringInterpolation {
  /// One sentence: what failed, where, and what to do if that is known.
  public var message: String
  /// The HTTP status of the answer; `nil` if there was none.
  public var httpStatus: Int?
  /// The OAuth error code (RFC 6749 §5.2) as the server sent it, known or not: `invalid_grant`.
  public var oauthCode: String?
  /// The server's description of the error; for people, not for logic.
  public var oauthDescription: String?
  /// The server's id of the request, for its support.
  public var requestId: String?
  /// Whether the same request may succeed later: the network, the server or its rate limit was the cause, and nothing
  /// was decided.
  public var isRetryable: Bool
  /// The claim that failed, if an ID token was refused.
  public var idToken: IDTokenFailure?

  /// A failure with what is known about it.
  public init(
    _ message: String, httpStatus: Int? = nil, oauthCode: String? = nil, oauthDescription: String? = nil,
    requestId: String? = nil, isRetryable: Bool = false, idToken: IDTokenFailure? = nil
  ) {
    self.message = message
    self.httpStatus = httpStatus
    self.oauthCode = oauthCode
    self.oauthDescription = oauthDescription
    self.requestId = requestId
    self.isRetryable = isRetryable
    self.idToken = idToken
  }

  /// A failure of which there is only the text.
  public init(stringLiteral value: String) { self.init(value) }

  /// The sentence, with the request's id.
  public var description: String { message + (requestId.map { " (request \($0))" } ?? "") }
}
