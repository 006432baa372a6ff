// The numbers that the library under the original SDK gave its errors (oidc §11.4), for programs that count by them.

/// A number of AppAuth for an error.
public struct AncestorCode: Sendable, Hashable {
  /// The two lists of numbers.
  public enum Domain: String, Sendable, Hashable {
    /// What went wrong on the way.
    case general
    /// What a server refused.
    case oauth
  }

  /// The list.
  public let domain: Domain
  /// The number in it, below zero.
  public let number: Int

  private init(_ domain: Domain, _ number: Int) {
    self.domain = domain
    self.number = number
  }

  /// A number of the general list.
  static func general(_ number: Int) -> AncestorCode { AncestorCode(.general, number) }

  /// The number of an OAuth error code; -0xF000 for one that the list does not have.
  init(oauthCode: String) {
    let numbers: [OAuthErrorCode: Int] = [
      .invalidRequest: -2, .unauthorizedClient: -3, .accessDenied: -4, .unsupportedResponseType: -5, .invalidScope: -6,
      .serverError: -7, .temporarilyUnavailable: -8, .invalidClient: -9, .invalidGrant: -10,
      .unsupportedGrantType: -11, .invalidRedirectURI: -12, .invalidClientMetadata: -13,
    ]
    self.init(.oauth, OAuthErrorCode(rawValue: oauthCode).flatMap { numbers[$0] } ?? -0xF000)
  }

  /// The number of an answer whose `state` is another's.
  static let state = AncestorCode(.oauth, -0xEFFF)
}

extension OktaError {
  /// The number that AppAuth gave this error; `nil` if it had none, as for errors of the configuration.
  public var ancestorCode: AncestorCode? {
    if case .errorFetchingFreshTokens = self, oauthCode == nil { return .general(-11) }
    if let oauthCode { return AncestorCode(oauthCode: oauthCode) }
    switch self {
    case .APIError(let failure): return .general(failure.httpStatus == nil ? -5 : -6)
    case .unexpectedAuthCodeResponse, .unableToGetAuthCode, .noLocationHeader: return .general(-6)
    case .issuerMismatch, .noDiscoveryEndpoint: return .general(-2)
    case .userCancelledAuthorizationFlow: return .general(-3)
    case .timeout: return .general(-4)
    case .parseFailure: return .general(-7)
    case .unsupportedTokenType, .noTokens: return .general(-8)
    case .unableToOpenBrowser: return .general(-10)
    case .noRefreshToken, .errorFetchingFreshTokens: return .general(-11)
    case .JWTDecodeError: return .general(-14)
    case .JWTValidationError: return .general(-15)
    case .redirectServerError: return .general(-16)
    case .alreadyInProgress: return .general(-17)
    case .stateMismatch: return .state
    case .missingConfigurationValues, .noBearerToken, .noIntrospectionEndpoint, .noPListGiven, .noRevocationEndpoint,
      .noUserInfoEndpoint, .notConfigured, .missingIdToken, .pListParseFailure, .authorization, .storage,
      .internalError:
      return nil
    }
  }
}
