import Foundation
import OIDC
import Testing

/// The errors of the client (oidc §11).
@Suite struct OktaErrorTests {
  private static let failure = OktaFailure(
    "the token endpoint refused", httpStatus: 400, oauthCode: "invalid_grant", oauthDescription: "The code is expired.",
    requestId: "req-1")

  static let all: [OktaError] = [
    .APIError(failure), .errorFetchingFreshTokens(failure), .JWTDecodeError,
    .JWTValidationError(OktaFailure("", idToken: IDTokenFailure("exp", .expired, expected: "after 2", actual: "1"))),
    .missingConfigurationValues, .noBearerToken, .noDiscoveryEndpoint, .noIntrospectionEndpoint, .noPListGiven,
    .noRefreshToken, .noRevocationEndpoint, .noTokens, .noUserInfoEndpoint, .notConfigured, .parseFailure,
    .missingIdToken, .pListParseFailure, .unexpectedAuthCodeResponse(statusCode: 200), .unableToGetAuthCode,
    .authorization(error: "access_denied", description: "no"), .redirectServerError("acme.example/login"),
    .noLocationHeader, .userCancelledAuthorizationFlow, .unableToOpenBrowser, .stateMismatch,
    .issuerMismatch(expected: "https://a", actual: "https://b"), .alreadyInProgress, .timeout,
    .unsupportedTokenType("DPoP"), .storage(.wrongKey(path: "/p")), .internalError("the log cannot be written"),
  ]

  @Test(arguments: all) func `each error says what is wrong in sentences of its own`(error: OktaError) {
    #expect(error.localizedDescription == error.description && error.description.count > 15)
    #expect(error.description.last == "." || error.description == "the log cannot be written")
    #expect(Self.all.filter { $0.description == error.description }.count == 1)
  }

  @Test func `a failure carries what the server said, structurally`() {
    for error in [OktaError.APIError(Self.failure), .errorFetchingFreshTokens(Self.failure)] {
      #expect(error.httpStatus == 400 && error.oauthCode == "invalid_grant" && error.requestId == "req-1")
      #expect(error.failure?.oauthDescription == "The code is expired." && !error.isRetryable)
      #expect(error.description.contains("invalid_grant (The code is expired.). The code or refresh token is used"))
      #expect(error.recoverySuggestion?.contains("sign in again") == true)
    }
    #expect(OktaError.APIError("a bare text").description == "a bare text")
    #expect(OktaError.unexpectedAuthCodeResponse.httpStatus == nil)
    #expect(OktaError.unexpectedAuthCodeResponse(statusCode: 429).httpStatus == 429)
    #expect(OktaError.authorization(error: "login_required", description: nil).oauthCode == "login_required")
    #expect(OktaError.api(message: "m", underlyingError: OktaError.APIError(Self.failure)).httpStatus == 400)
    #expect(OktaError.api(message: "m") == .APIError("m"))
  }

  @Test func `a retry can help after the network, a busy server and a time that ended, and after no decision`() {
    #expect(
      OktaError.APIError(OktaFailure("no answer", isRetryable: true)).isRetryable && OktaError.timeout.isRetryable)
    for code in OAuthErrorCode.allCases {
      let error = OktaError.authorization(error: code.rawValue, description: nil)
      let isTransient = [
        "server_error", "temporarily_unavailable", "authorization_pending", "slow_down", "use_dpop_nonce",
      ].contains(code.rawValue)
      #expect(error.isRetryable == isTransient && code.advice.last == ".")
    }
    #expect(!OktaError.authorization(error: "brand_new_code", description: nil).isRetryable)
    #expect(Self.all.filter(\.isRetryable) == [.timeout])
  }

  @Test func `an unknown code is kept as text, and a server's text steers no terminal`() {
    let error = OktaError.authorization(error: "brand_new\u{1B}[31m", description: String(repeating: "x", count: 1_000))
    #expect(error.oauthCode == "brand_new\u{1B}[31m")
    #expect(!error.description.contains("\u{1B}") && error.description.count < 500)
  }

  @Test func `the page of a used session token is explained`() {
    let text = OktaError.unexpectedAuthCodeResponse(statusCode: 200).description
    #expect(text.contains("session token is used or expired") && text.contains("factor or consent"))
  }

  private static let oauth: [(String, Int)] = [
    ("invalid_request", -2), ("unauthorized_client", -3), ("access_denied", -4), ("unsupported_response_type", -5),
    ("invalid_scope", -6), ("server_error", -7), ("temporarily_unavailable", -8), ("invalid_client", -9),
    ("invalid_grant", -10), ("unsupported_grant_type", -11), ("invalid_redirect_uri", -12),
    ("invalid_client_metadata", -13), ("login_required", -0xF000), ("brand_new_code", -0xF000),
  ]

  @Test(arguments: oauth) func `an OAuth code has the number that AppAuth gave it`(code: String, number: Int) {
    for error in [
      OktaError.authorization(error: code, description: nil), .APIError(OktaFailure("", oauthCode: code)),
      .errorFetchingFreshTokens(OktaFailure("", oauthCode: code)),
    ] {
      #expect(error.ancestorCode?.domain == .oauth && error.ancestorCode?.number == number)
    }
  }

  private static let general: [(OktaError, Int)] = [
    (.issuerMismatch(expected: "a", actual: "b"), -2), (.userCancelledAuthorizationFlow, -3), (.timeout, -4),
    (.APIError("network"), -5), (.APIError(OktaFailure("server", httpStatus: 500)), -6), (.parseFailure, -7),
    (.unsupportedTokenType("DPoP"), -8), (.unableToOpenBrowser, -10), (.noRefreshToken, -11),
    (.errorFetchingFreshTokens("network"), -11), (.JWTDecodeError, -14), (.JWTValidationError("exp"), -15),
    (.redirectServerError("a/b"), -16), (.alreadyInProgress, -17),
  ]

  @Test(arguments: general) func `other errors have the number of the general list`(error: OktaError, number: Int) {
    #expect(error.ancestorCode?.domain == .general && error.ancestorCode?.number == number)
    #expect(OktaError.notConfigured.ancestorCode == nil)
    #expect(OktaError.stateMismatch.ancestorCode?.number == -0xEFFF)
  }
}
