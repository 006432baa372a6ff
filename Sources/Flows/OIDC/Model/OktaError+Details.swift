// What an error carries (oidc §11).

extension OktaError {
  /// `unexpectedAuthCodeResponse` as the seed era names it, without a status. A pattern of that name matches each
  /// status.
  public static var unexpectedAuthCodeResponse: OktaError { .unexpectedAuthCodeResponse(statusCode: 0) }

  /// The late era's name of `APIError`.
  public static func api(message: String, underlyingError: (any Error)? = nil) -> OktaError {
    if let error = underlyingError as? OktaError, var failure = error.failure {
      failure.message = message
      return .APIError(failure)
    }
    return .APIError(OktaFailure(message))
  }

  /// The details of the failure; `nil` if there is nothing beside the case.
  public var failure: OktaFailure? {
    switch self {
    case .APIError(let failure), .errorFetchingFreshTokens(let failure), .JWTValidationError(let failure): failure
    case .authorization(let error, let description):
      OktaFailure(description ?? error, oauthCode: error, oauthDescription: description)
    case .unexpectedAuthCodeResponse(let status):
      status == 0 ? nil : OktaFailure("", httpStatus: status)
    case .JWTDecodeError, .missingConfigurationValues, .noBearerToken, .noDiscoveryEndpoint, .noIntrospectionEndpoint,
      .noPListGiven, .noRefreshToken, .noRevocationEndpoint, .noTokens, .noUserInfoEndpoint, .notConfigured,
      .parseFailure, .missingIdToken, .pListParseFailure, .unableToGetAuthCode, .redirectServerError, .noLocationHeader,
      .userCancelledAuthorizationFlow, .unableToOpenBrowser, .stateMismatch, .issuerMismatch, .alreadyInProgress,
      .timeout, .unsupportedTokenType, .storage, .internalError:
      nil
    }
  }

  /// The HTTP status of the answer that the error is about; `nil` if there was none.
  public var httpStatus: Int? { failure?.httpStatus }
  /// The OAuth error code, as the server sent it.
  public var oauthCode: String? { failure?.oauthCode }
  /// The server's id of the request.
  public var requestId: String? { failure?.requestId }
}
