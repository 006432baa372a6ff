// Converts recorded errors to errors of the application.

import EventStore
import FlowRecording

extension OktaError {
  /// The error of a `call.returned`. The server's texts stay as in the log, so that no error shows a secret.
  init(code: String, details: JSON) {
    let text = details["text"]?.string ?? ""
    switch code {
    case "APIError": self = .APIError(OktaFailure(details))
    case "errorFetchingFreshTokens": self = .errorFetchingFreshTokens(OktaFailure(details))
    case "JWTValidationError": self = .JWTValidationError(OktaFailure(details))
    case "JWTDecodeError": self = .JWTDecodeError
    case "missingConfigurationValues": self = .missingConfigurationValues
    case "noBearerToken": self = .noBearerToken
    case "noDiscoveryEndpoint": self = .noDiscoveryEndpoint
    case "noIntrospectionEndpoint": self = .noIntrospectionEndpoint
    case "noRevocationEndpoint": self = .noRevocationEndpoint
    case "noUserInfoEndpoint": self = .noUserInfoEndpoint
    case "noRefreshToken": self = .noRefreshToken
    case "noTokens": self = .noTokens
    case "parseFailure": self = .parseFailure
    case "missingIdToken": self = .missingIdToken
    case "unexpectedAuthCodeResponse":
      self = .unexpectedAuthCodeResponse(statusCode: details["statusCode"]?.int ?? 0)
    case "unableToGetAuthCode": self = .unableToGetAuthCode
    case "authorization":
      self = .authorization(
        error: details["oauthCode"]?.string ?? "", description: details["oauthDescription"]?.string)
    case "redirectServerError": self = .redirectServerError(text)
    case "noLocationHeader": self = .noLocationHeader
    case "userCancelledAuthorizationFlow": self = .userCancelledAuthorizationFlow
    case "unableToOpenBrowser": self = .unableToOpenBrowser
    case "stateMismatch": self = .stateMismatch
    case "issuerMismatch":
      self = .issuerMismatch(
        expected: details["expected"]?.string ?? "", actual: details["actual"]?.string ?? "")
    case "alreadyInProgress": self = .alreadyInProgress
    case "timeout": self = .timeout
    case "unsupportedTokenType": self = .unsupportedTokenType(text)
    case "storage": self = .storage(TokenStoreError(reason: details["reason"]?.string ?? "", text))
    case let other: self = .internalError(text.isEmpty ? other : text)
    }
  }
}

extension OktaFailure {
  fileprivate init(_ details: JSON) {
    self.init(
      details["text"]?.string ?? "", httpStatus: details["httpStatus"]?.int, oauthCode: details["oauthCode"]?.string,
      oauthDescription: details["oauthDescription"]?.string, requestId: details["requestId"]?.string,
      isRetryable: details["retryable"]?.bool ?? false,
      idToken: details["idToken"].flatMap(IDTokenFailure.init(json:)))
  }
}

extension TokenStoreError {
  /// Reads what `DrawFailure.init(_: TokenStoreError)` recorded. The path is not in the log.
  fileprivate init(reason: String, _ text: String) {
    let path = "the token store"
    switch (DrawFailure.Reason(rawValue: reason), text) {
    case (.cancelled, _): self = .cancelled
    case (.invalidated, "wrongKey"): self = .wrongKey(path: path)
    case (.invalidated, "unknownVersion"): self = .unknownVersion(path: path)
    case (.invalidated, _): self = .damaged(path: path)
    case (.missing, _): self = .unavailable(reason: Self.behind("unavailable: ", text))
    case (.failed, _) where text.hasPrefix("system "):
      let rest = text.dropFirst(7)
      let number = Int32(rest.prefix { $0 != ":" }) ?? 0
      self = .system(reason: String(rest.drop { $0 != ":" }.dropFirst(2)), number: number)
    case (.failed, _), (.timedOut, _), (.lockedOut, _), (nil, _): self = .unsafe(reason: Self.behind("unsafe: ", text))
    }
  }

  private static func behind(_ prefix: String, _ text: String) -> String {
    text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
  }
}
