// How models describe themselves, how they are coded, and how configurations are interpreted, for the kind's tables.

import EventStore
import FlowRecording
import Foundation

/// Models, with their descriptions and encodings.
enum ModelTrials {
  private static let token = Token(
    tokenType: "Bearer", accessToken: "access", expiresIn: 60, scope: "openid", refreshToken: "refresh",
    idToken: "identity", deviceSecret: "device")

  /// Stored tokens with all members.
  private static let stored: StoredTokens = {
    var tokens = StoredTokens(
      id: "id-1", issuer: "https://acme.example", clientID: "client-1", tokenType: "Bearer", accessToken: "access",
      issued: 1_000_000)
    (tokens.refreshToken, tokens.idToken, tokens.deviceSecret) = ("refresh", "identity", "device")
    (tokens.scope, tokens.expiry, tokens.algorithms) = ("openid", 61_999_999, ["RS256"])
    (tokens.authorizationError, tokens.accessibility) = ("invalid_grant", "first")
    tokens.endpoints.authorization = "https://acme.example/authorize"
    tokens.endpoints.token = "https://acme.example/token"
    tokens.endpoints.keys = "https://acme.example/keys"
    tokens.endpoints.userInfo = "https://acme.example/userinfo"
    tokens.endpoints.introspection = "https://acme.example/introspect"
    tokens.endpoints.revocation = "https://acme.example/revoke"
    tokens.endpoints.endSession = "https://acme.example/logout"
    return tokens
  }()

  // MARK: Descriptions

  /// One line per model with secrets: its description, and the number of children in a dump.
  static var descriptions: Set<String> {
    var options = OktaAuthOptions()
    let usual = options.description
    (options.clientSecret, options.httpTimeout, options.allowedClockSkew) = ("secret", 5, 7)
    options.idTokenAlgorithms = ["ES256", "RS512"]
    let expectation = IDTokenExpectation(issuer: "https://acme.example", clientID: "client-1", now: TrialWorld.at(0))
    let former = IDTokenExpectation.Former(subject: "00u-1", issuer: "https://acme.example", audience: [])
    let awaited = TokenAwaited(
      userCode: "code", verificationURI: "https://acme.example/activate", completeURI: "https://acme.example/c",
      expiresIn: 60, call: 1)
    let manager = OktaAuthStateManager(authState: OktaAuthState(stored), environment: TrialWorld.environment())
    let values: [any CustomStringConvertible & CustomReflectable] = [
      token, stored, OktaAuthState(stored), manager, options, expectation, former,
      PKCE(codeVerifier: "verifier", codeChallenge: "challenge"), DeviceCode(awaited, revealedBy: Vault()),
      TokenStoreKey.bytes([1]), TokenStoreKey.provider { [1] }, TokenStoreKey.secretService, TokenStoreKey.file,
      TokenStoreKey.standard,
    ]
    var lines = values.map { "\($0.description) \($0.customMirror.children.count)" }
    lines.append(usual)
    let less: [Token] = [
      Token(accessToken: "a"), Token(tokenType: "DPoP", accessToken: "a", scope: ""),
      Token(accessToken: "a", refreshToken: "r"), Token(accessToken: "a", idToken: "i"),
      Token(accessToken: "a", scope: "s", refreshToken: "r", deviceSecret: "d"),
    ]
    lines += less.map(\.description)
    let code = DeviceCode(awaited, revealedBy: Vault())
    lines.append("\(code.userCode) \(code.verificationUriComplete ?? "-") \(code.expiresIn)")
    lines += failures + keys
    return Set(lines.enumerated().map { "\($0) \($1)" })
  }

  private static var failures: [String] {
    let one = OktaFailure("why", httpStatus: 503, oauthCode: "slow_down", requestId: "r", isRetryable: true)
    let bare: OktaError = .unexpectedAuthCodeResponse
    let errors: [OktaError] = [
      .APIError(one), .errorFetchingFreshTokens("why"), .authorization(error: "e", description: nil),
      .authorization(error: "e", description: "d"), bare, .noTokens, .unexpectedAuthCodeResponse(statusCode: 200),
      .api(message: "m"), .api(message: "m", underlyingError: OktaError.noTokens),
      .api(message: "m", underlyingError: OktaError.APIError(one)),
      .api(message: "m", underlyingError: OktaError.authorization(error: "e", description: "d")),
    ]
    let stores = FailingStore.errors.map(OktaError.storage)
    let lines = (errors + stores).map { error in
      let failure = error.failure
      let parts: [String?] = [
        failure?.description, failure?.message, error.oauthCode, error.requestId, failure?.oauthDescription,
        error.httpStatus.map { "\($0)" }, error.ancestorCode.map { "\($0.domain.rawValue) \($0.number)" },
      ]
      return "\(parts.map { $0 ?? "-" }) \(error.isRetryable) \(failure?.isRetryable ?? false) \(error)"
    }
    let others: [OAuth2Error] = [
      .invalidUrl, .cannotComposeUrl, .server(code: "c", description: nil), .server(code: "c", description: "d"),
      .network(OktaError.noTokens), .invalidContext, .redirectUriRequired, .signatureInvalid,
      .missingToken(type: "ID token"), .missingClientConfiguration, .error(OktaError.timeout),
      .missingOpenIdConfiguration(attribute: "jwks_uri"), .multiple([.invalidUrl, .signatureInvalid]), .multiple([]),
    ]
    let redirects = ["com.acme:/x"].compactMap { URL(string: $0) }.map { OAuth2Error.redirectUri($0, reason: "why") }
    let sentences = (others + redirects).map { $0.errorDescription ?? "-" }
    return lines + sentences + ["\(AncestorCode.state.domain.rawValue) \(AncestorCode.state.number)"]
  }

  private static var keys: [String] {
    let checked = [0, 31, 32, 33].map { (count: Int) -> String in
      do throws(TokenStoreError) {
        let bytes = try TokenStoreKey.checked([UInt8](repeating: 1, count: count), from: "here")
        return "\(bytes.count) bytes"
      } catch {
        return error.errorDescription ?? "-"
      }
    }
    let refusals: [SecretFileError] = [
      .exposed(path: "/p", mode: 0o640), .foreign(path: "/p"), .kind(path: "/p", is: "a pipe"),
      .tooLarge(path: "/p", limit: 5), .system(call: "open", path: "/p", number: 13),
    ]
    let mapped = refusals.map { (refusal: SecretFileError) -> String in
      switch TokenStoreError(refusal) {
      case .unsafe(let reason): return "unsafe \(reason)"
      case .system(let reason, let number): return "system \(reason.hasPrefix("open on /p")) \(number)"
      case .wrongKey, .damaged, .unknownVersion, .unavailable, .cancelled: return "another error"
      }
    }
    return checked + mapped
  }

  // MARK: Coding

  private static func again<Value: Codable>(_ text: String, _ type: Value.Type) -> String {
    let value: Value
    do {
      value = try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch {
      return "\(text)|none"
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return "\(text)|" + ((try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "none")
  }

  /// One line per document that is decoded and encoded again.
  static var coded: Set<String> {
    let configuration: JSON = [
      "clientId": "client-1", "issuer": "https://acme.example/oauth2/default/", "scopes": " openid \n profile ",
      "redirectUri": "com.acme:/callback", "logoutRedirectUri": "com.acme:/out",
      "additionalParams": ["login_hint": "ann", "state": "mine", "issuer": "https://b.example", "": "empty"],
    ]
    let whole = configuration.object?.members.map { ($0.key, Optional($0.value)) } ?? []
    var lines = RuntimeTables.withEachLeftOut(of: whole).map { again(JSON.members($0).text, OktaAuthConfig.self) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if let data = try? encoder.encode(stored) {
      lines.append(again(String(decoding: data, as: UTF8.self), StoredTokens.self))
    }
    lines.append(again(#"{"codeVerifier":"v","codeChallenge":"c","method":"S256"}"#, PKCE.self))
    lines.append(again(#"{"codeVerifier":"v","codeChallenge":"c","method":"plain"}"#, PKCE.self))
    let states = RuntimeTables.changes(of: stored.json) { json in StoredTokens(json: json)?.json.text ?? "none" }
    lines += states.map { "stored \($0)" }
    for expiry in [nil, 0, 1_000_000, 61_000_000, 60_999_999] as [Int64?] {
      var tokens = stored
      tokens.expiry = expiry
      let last = OktaAuthState(tokens).lastTokenResponse
      lines.append("last \(last?.expiresIn.map { "\($0)" } ?? "-") \(last?.tokenType ?? "-") \(last == token)")
    }
    var ended = stored
    ended.accessToken = nil
    let state = OktaAuthState(ended)
    lines.append("ended \(state.lastTokenResponse == nil) \(state.authorizationError ?? "-")")
    lines += issued
    return Set(lines)
  }

  /// Tokens read from their recorded form.
  private static var issued: [String] {
    let tokens: [JSON] = [
      [:], ["access_token": 5], ["access_token": "a"],
      ["access_token": "a", "refresh_token": "r", "id_token": "i", "device_secret": "d"],
    ]
    return tokens.enumerated().map { number, tokens in
      let issued = TokenIssued(tokenType: "bearer", expiresIn: number, scope: number == 2 ? nil : "s", tokens: tokens)
      let token = Token(issued, revealedBy: Vault())
      let parts = [token?.accessToken, token?.refreshToken, token?.idToken, token?.deviceSecret, token?.scope]
      return "issued \(number) \(parts.map { $0 ?? "-" }) \(token?.tokenType ?? "-") \(token?.expiresIn ?? -1)"
    }
  }

  // MARK: Configurations

  /// One line per configuration parameter, and per pair of configurations.
  static var parameters: Set<String> {
    let least = ["issuer": "https://acme.example", "clientId": "c", "redirectUri": "com.acme:/cb", "scopes": "openid"]
    func read(_ more: [String: String]) -> OktaAuthConfig? { try? OktaAuthConfig(with: least.merging(more) { $1 }) }
    let names = OktaAuthConfig.protocolParameters.sorted() + ["", "prompt", "acr_values", "STATE", "noSSO"]
    var lines = names.map { name in
      "parameter \(name) \(read([name: "value"])?.additionalParams?[name] ?? "left out")"
    }
    let changes: [[String: String]] = [
      [:], ["clientId": "d"], ["issuer": "https://acme.example/"], ["issuer": "https://b.example"], ["scopes": "email"],
      ["redirectUri": "com.acme:/other"], ["logoutRedirectUri": "com.acme:/out"], ["prompt": "login"],
      ["prompt": "none"],
    ]
    let configurations = changes.map { read($0) }
    lines += configurations.enumerated().map { number, one in
      "equal \(number) \(configurations.map { $0 == one })"
    }
    let texts = [
      ("issuer", "https://"), ("issuer", "https://acme.example#x"), ("issuer", "https://acme.example?x"),
      ("issuer", "https://acme example"), ("issuer", "custom:/x"), ("redirectUri", "HTTP:///x"),
      ("redirectUri", "http://127.0.0.1:0/cb"), ("redirectUri", "com.acme:/cb#x"), ("redirectUri", ":/cb"),
      ("logoutRedirectUri", " "), ("logoutRedirectUri", "nothing"), ("logoutRedirectUri", "com.acme:/out#"),
      ("scopes", String(repeating: "s", count: 1_024)), ("scopes", String(repeating: "s", count: 1_025)),
      ("scopes", "a\u{2003}b\tc"), ("clientId", " c "),
    ]
    lines += texts.enumerated().map { number, text in
      let values = least.merging([text.0: text.1]) { $1 }
      guard let config = try? OktaAuthConfig(with: values) else { return "text \(number) refused" }
      let out = config.logoutRedirectUri?.absoluteString ?? "-"
      return "text \(number) \(config.issuer) \(config.clientId) \(config.scopes) \(config.redirectUri) \(out)"
    }
    if var config = read([:]) {
      config.setUserAgent(value: "a\u{1f}b\u{7f}c é ~")
      lines.append("agent \(config.options.userAgent ?? "-") \(config.options == OktaAuthOptions())")
      config.noSSO = true
      let more = config.configuration(withAdditionalParams: ["a": "b", "code": "c"])
      lines.append("more \(more.noSSO) \(more.options.noSSO) \(more.options == config.options) \(more == config)")
    }
    return Set(lines)
  }
}
