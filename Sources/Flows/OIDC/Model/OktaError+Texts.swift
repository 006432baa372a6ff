// The sentences of an error: what failed, where, what to do (oidc §11). No sentence has a secret in it.

public import Foundation

extension OktaError: CustomStringConvertible, LocalizedError {
  /// One or two sentences.
  public var description: String {
    switch self {
    case .APIError(let failure): failure.sentence
    case .errorFetchingFreshTokens(let failure): "The tokens could not be renewed. " + failure.sentence
    case .JWTDecodeError: "The token cannot be read: it is no JWT."
    case .JWTValidationError(let failure): "The ID token was refused. " + failure.sentence
    case .missingConfigurationValues:
      "The configuration lacks a value that this needs, or a URI in it cannot be used. Sign-in needs issuer, clientId, "
        + "redirectUri and scopes; sign-out needs logoutRedirectUri."
    case .noBearerToken: "There is no token to send, or it is expired. Sign in, or renew the tokens."
    case .noDiscoveryEndpoint: "The address of the server's metadata cannot be formed. Check the issuer."
    case .noIntrospectionEndpoint: "The server offers no introspection endpoint."
    case .noPListGiven: "There is no configuration file of that name beside the program or in the working directory."
    case .noRefreshToken: "There is no refresh token. Ask for the scope offline_access when you sign in."
    case .noRevocationEndpoint: "The server offers no revocation endpoint."
    case .noTokens: "There are no tokens. Sign in first."
    case .noUserInfoEndpoint: "The server offers no endpoint for the user's claims."
    case .notConfigured: "There is no Okta.plist beside the program or in the working directory. Give a configuration."
    case .parseFailure: "The server's document or answer is not of the form that OpenID Connect asks for."
    case .missingIdToken: "Sign-out needs an ID token, and there is none. Ask for the scope openid when you sign in."
    case .pListParseFailure: "The configuration file cannot be read: it must hold texts by name, as plist or JSON."
    case .unexpectedAuthCodeResponse(let status): Self.unexpected(status)
    case .unableToGetAuthCode: "The server's redirect has no authorization code."
    case .authorization(let error, let text): Self.refused("The server refused the sign-in", error, text)
    case .redirectServerError(let place):
      "The server redirected to \(place), which is not the redirect URI of this client."
    case .noLocationHeader: "The server's redirect names no place to go to."
    case .userCancelledAuthorizationFlow: "The sign-in was cancelled."
    case .unableToOpenBrowser: "No browser can be opened. Set BROWSER, install xdg-open, or show the URL yourself."
    case .stateMismatch: "The redirect belongs to another sign-in; nothing was sent. Begin again."
    case .issuerMismatch(let expected, let actual):
      "The server calls itself \(actual), and the configuration says \(expected). Correct the issuer."
    case .alreadyInProgress: "Another sign-in is under way with this object. Wait for it, or cancel it."
    case .timeout: "The browser was not sent back in time. Begin again."
    case .unsupportedTokenType(let type): "The server issued tokens of type \(type), which this SDK cannot use."
    case .storage(let error): error.errorDescription ?? "The token store failed."
    case .internalError(let text): text
    }
  }

  /// The same sentences.
  public var errorDescription: String? { description }

  /// What to do about it, if the server's code is known.
  public var recoverySuggestion: String? { oauthCode.flatMap(OAuthErrorCode.init(rawValue:))?.advice }

  /// Whether the same operation may succeed later, without a change and without the person.
  public var isRetryable: Bool {
    if case .timeout = self { return true }
    return failure.map {
      $0.isRetryable || ($0.oauthCode.flatMap(OAuthErrorCode.init(rawValue:))?.isRetryable ?? false)
    }
      ?? false
  }

  private static func unexpected(_ status: Int) -> String {
    switch status {
    case 0: "The server did not send the browser back."
    case 200:
      "The server showed a page (HTTP 200) and did not redirect: the session token is used or expired, or the application "
        + "asks for a further factor or consent. Get a new session token, or sign in with the browser."
    case 400: "The server refused the request (HTTP 400). Check the redirect URI and the client id."
    case 429: "The server's rate limit is reached (HTTP 429). Try again later."
    default: "The server answered with HTTP \(status) and did not redirect."
    }
  }

  fileprivate static func refused(_ what: String, _ code: String, _ text: String?) -> String {
    let known = OAuthErrorCode(rawValue: code)?.advice
    return "\(what): \(code.shown)" + (text.map { " (\($0.shown))" } ?? "") + "." + (known.map { " " + $0 } ?? "")
  }
}

extension OktaFailure {
  /// What failed, with the server's code and what to do about it.
  fileprivate var sentence: String {
    if let idToken { return idToken.description + "." }
    let text =
      oauthCode.map { OktaError.refused(message.isEmpty ? "The server refused" : message, $0, oauthDescription) }
      ?? message
    return text + (requestId.map { " The server calls this request \($0.shown)." } ?? "")
  }
}

extension String {
  /// A server's text, at most 300 characters, without terminal control characters.
  fileprivate var shown: String {
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars.prefix(300) {
      let kind = scalar.properties.generalCategory
      scalars.append(kind == .control || kind == .format ? "\u{FFFD}" : scalar)
    }
    return String(scalars)
  }
}
