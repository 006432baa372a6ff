// How a token flow interprets the server's vocabulary, for the digests of recordings.

import EventStore
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
      "redirects": TokenTrials.redirects, "clients": clients, "stored": stored,
      "configurations": configurations, "lifetimes": lifetimes,
      // These cover the host side, and code that few flows reach.
      "keys": KeyTrials.keys, "keySets": KeyTrials.sets, "algorithms": KeyTrials.algorithms,
      "keyCaches": KeyTrials.caches, "keyDraws": SignatureTrials.lookUps, "signatures": SignatureTrials.signatures,
      "verdicts": SignatureTrials.verdicts, "metadataCaches": MetadataTrials.caches,
      "metadataDraws": MetadataTrials.draws, "storageKeys": StoreTrials.keys, "memoryStores": StoreTrials.stores,
      "migrations": StoreTrials.migrations, "storeDraws": StoreDrawTrials.draws, "locks": StoreDrawTrials.locks,
      "contexts": ClaimTrials.contexts, "claims": ClaimTrials.recorded, "borders": ClaimTrials.borders,
      "readings": ClaimTrials.readings,
      "ages": WireTrials.ages, "challenges": WireTrials.challenges, "tokenAnswers": WireTrials.answers,
      "redirectParts": WireTrials.redirects, "descriptions": ModelTrials.descriptions, "coded": ModelTrials.coded,
      "parameters": ModelTrials.parameters, "files": FileTrials.files, "errorRecords": FacadeTrials.errors,
      "clientSeams": FacadeTrials.clients, "timeouts": FacadeTrials.timeouts, "events": EventTrials.read,
      "words": EventTrials.words, "settings": CoreTrials.configurations, "signIns": CoreTrials.signIns,
      "pages": CoreTrials.pages, "operations": CoreTrials.operations,
      "changed": CoreTrials.changed, "walks": OIDCWalks.all,
      "calls": LiveTrials.calls,
      "managedStores": LiveTrials.stores, "delivered": LiveTrials.delivered,
      "sharedRenewals": LiveTrials.sharedRenewals, "resumed": ResumeTrials.all,
      "renewalClaims": RenewalClaimTrials.claims, "storeReasons": RenewalClaimTrials.reasons,
      "shownTexts": TextTrials.shown,
      "errors": Set(
        errors.map { error in
          let number = error.ancestorCode.map { "\($0.domain.rawValue) \($0.number)" } ?? ""
          return "\(error.description)|\(error.recoverySuggestion ?? "")|\(number)|\(error.isRetryable)"
        }),
    ]
  }

  /// How a client's values are interpreted if they are missing, spelled differently, or invalid.
  private static var configurations: Set<String> {
    let whole = [
      ("issuer", "https://acme.example/oauth2/default/"), ("clientId", "client-7"),
      ("redirectUri", "com.acme:/callback"),
      ("scopes", " profile  openid offline_access "), ("logoutRedirectUri", "com.acme:/out"), ("login_hint", "ann"),
      ("client_id", "other"), ("state", "mine"), ("prompt", ""),
    ]
    let wrong = [
      ("issuer", "no address"), ("issuer", "http://acme.example"), ("redirectUri", "nothing"), ("scopes", " "),
      ("clientId", ""),
    ]
    let lists =
      RuntimeTables.withEachLeftOut(of: whole)
      + wrong.map { name, value in whole.map { $0.0 == name ? (name, value) : $0 } }
    return Set(
      lists.enumerated().map { number, list in
        do throws(OktaError) {
          let read = try OktaAuthConfig(with: Dictionary(list) { $1 })
          let more = [read, read.configuration(withAdditionalParams: ["login_hint": "bob", "ui_locales": "de"])].map {
            config in
            (config.additionalParams ?? [:]).sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
          }
          return "\(number)|\(read.issuer)|\(read.clientId)|\(read.scopes)|\(read.redirectUri)|"
            + "\(read.logoutRedirectUri.map { "\($0)" } ?? "-")|\(more)|\(read.noSSO)"
        } catch {
          return "\(number)|\(error)"
        }
      })
  }

  /// The validity of tokens, before and after they expire.
  private static var lifetimes: Set<String> {
    let end: Int64 = 1_768_471_200
    let claims = Base64URL.encode(Array(#"{"exp":1768471200}"#.utf8))
    let identity = "\(Base64URL.encode(Array(#"{"alg":"RS256"}"#.utf8))).\(claims).c2ln"
    let endings: [(expiry: Int64?, error: String?, access: String?)] = [
      (end * 1_000_000, nil, "access"), (nil, nil, "access"), (end * 1_000_000, "invalid_grant", "access"),
      (end * 1_000_000, nil, nil),
    ]
    return Set(
      endings.enumerated().flatMap { number, ending in
        [-3_600, -61, -60, -59, -1, 0, 1, 3_600].map { (seconds: Int64) in
          let time = Timestamp(microseconds: (end + seconds) * 1_000_000)
          var tokens = StoredTokens(
            id: "id", issuer: "https://acme.example", clientID: "client", tokenType: "Bearer",
            accessToken: ending.access, issued: 0)
          (tokens.refreshToken, tokens.idToken) = ("refresh", identity)
          (tokens.expiry, tokens.authorizationError) = (ending.expiry, ending.error)
          let environment = FlowEnvironment(
            transport: InertTransport(), clock: VirtualTime(start: time), device: nil)
          let manager = OktaAuthStateManager(authState: OktaAuthState(tokens), environment: environment)
          let isValid = (try? manager.isValidToken(idToken: identity)) ?? false
          let shown = [manager.accessToken, manager.idToken, manager.refreshToken].map { $0 ?? "-" }
          return "\(number)|\(seconds)|\(shown)|\(manager.isStale)|\(isValid)|\(manager.tokenId)"
        }
      })
  }

  /// How clients authenticate.
  private static var clients: Set<String> {
    Set(
      [("client-7", "secret"), ("client 7:x", "s+e%c&r=t"), ("ü", ""), ("", "a:b")].map { id, secret in
        "\(id)|\(secret)|\(ClientAuthentication.basic(id: id, secret: secret))"
      })
  }

  /// Stored tokens that are read and written again.
  private static var stored: Set<String> {
    let names = [
      "tokenType", "accessToken", "refreshToken", "idToken", "deviceSecret", "scope", "authorizationError",
      "accessibility",
    ]
    let endpoints = ["authorization", "token", "keys", "userInfo", "introspection", "revocation", "endSession"]
    let least: [(String, JSON?)] = [("id", "id"), ("issuer", "issuer"), ("clientId", "client")]
    let whole =
      least + names.map { ($0, .string("a " + $0)) } + [
        ("issued", 1_768_467_600_000_000), ("expiry", 1_768_471_200_000_000), ("clockSkew", .int(-5_000_000)),
        ("algorithms", ["RS256", 5, "ES256"]),
        ("endpoints", .members(endpoints.map { ($0, .string("https://acme.example/" + $0)) })),
      ]
    let records = [least] + RuntimeTables.withEachLeftOut(of: whole)
    return Set(
      records.map { record in
        let json = JSON.members(record)
        return "\(json.text)|\(StoredTokens(json: json)?.json.text ?? "none")"
      })
  }

  /// One error per case.
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
