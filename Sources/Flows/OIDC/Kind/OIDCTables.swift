// What a flow for tokens knows of the server's words, for the digests of recordings.

import FlowRecording

extension OIDCKind {
  package static var tables: [String: Set<String>] {
    [
      "errorCodes": Set(
        OAuthErrorCode.allCases.map {
          "\($0.rawValue)|\($0.isRetryable)|\($0.advice)|\(AncestorCode(oauthCode: $0.rawValue).number)"
        }),
      "rules": Set(
        IDTokenFailure.Rule.allCases.flatMap { rule in
          [IDTokenFailure("aud", rule), IDTokenFailure("aud", rule, expected: "one", actual: "two")].map(\.description)
        }),
      "options": Set(OIDCPolicy.options.map { "\($0.key) \($0.value)" }), "tokens": TokenTrials.tokens,
      "redirects": TokenTrials.redirects,
      "errors": Set(
        errors.map { error in
          let number = error.ancestorCode.map { "\($0.domain.rawValue) \($0.number)" } ?? ""
          return "\(error.description)|\(error.recoverySuggestion ?? "")|\(number)|\(error.isRetryable)"
        }),
    ]
  }

  /// An error of each case.
  private static var errors: [OktaError] {
    let failures: [OktaFailure] = [
      "why", OktaFailure("why", httpStatus: 503, requestId: "request", isRetryable: true),
      OktaFailure("why", httpStatus: 400, oauthCode: "invalid_grant", oauthDescription: "because"),
      OktaFailure("", oauthCode: "slow_down"), OktaFailure("why", idToken: IDTokenFailure("aud", .mismatch)),
    ]
    return failures.flatMap { [.APIError($0), .errorFetchingFreshTokens($0), .JWTValidationError($0)] }
      + [0, 200, 400, 429, 500].map(OktaError.unexpectedAuthCodeResponse) + [
        .JWTDecodeError, .missingConfigurationValues, .noBearerToken, .noDiscoveryEndpoint, .noIntrospectionEndpoint,
        .noPListGiven, .noRefreshToken, .noRevocationEndpoint, .noTokens, .noUserInfoEndpoint, .notConfigured,
        .parseFailure, .missingIdToken, .pListParseFailure, .unableToGetAuthCode,
        .authorization(error: "access_denied", description: nil),
        .authorization(error: "other", description: "because"), .redirectServerError("other.example"),
        .noLocationHeader, .userCancelledAuthorizationFlow, .unableToOpenBrowser, .stateMismatch,
        .issuerMismatch(expected: "one", actual: "two"), .alreadyInProgress, .timeout, .unsupportedTokenType("MAC"),
        .internalError("why"),
      ]
  }
}
