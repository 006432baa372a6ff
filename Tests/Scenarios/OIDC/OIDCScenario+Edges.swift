// Servers that answer otherwise than the usual one, to each operation: with errors, redirects and documents of every kind.

import EventStore
import FlowRecording
import Foundation
import OIDC

extension OIDCScenario {
  static let edges: [OIDCScenario] = [
    redirects, documents, putOffOften, devices, confidential, tokensAsked, signOuts, storage,
    precedence, clocks, privateRedirect, ofOkta,
  ]

  private static func anyhow(_ operation: () async throws -> Void) async {
    do { try await operation() } catch {}
  }

  /// A stage whose provider answers otherwise, by the number of a request to an endpoint.
  private static func stage(
    _ stage: OIDCStage, metadata: [(String, JSON?)] = [], _ change: @escaping TinyProvider.Change
  ) throws -> OIDCStage {
    var environment = stage.environment
    environment.transport = TinyProvider(metadata: metadata, change: change)
    return try OIDCStage(environment)
  }

  /// Plays once for each answer of an endpoint.
  private static func each(
    _ answers: [HTTPResponse], of path: String, on base: OIDCStage, metadata: [(String, JSON?)] = [],
    _ play: (OIDCStage) async throws -> Void
  ) async throws {
    for answer in answers {
      let stage = try stage(base, metadata: metadata) { request, response in
        if (URLParts(request.url)?.path ?? "").hasSuffix(path) { response = answer }
      }
      await anyhow { try await play(stage) }
    }
  }

  private static let endpointOfDevices = ("device_authorization_endpoint", JSON.string(TinyProvider.home + "/device"))

  /// Answers of each kind to a sign-in by a session token, and to one in the browser.
  static let redirects = OIDCScenario("oidc-edge-redirects") { base in
    let kinds: [(Int, String?)] = [
      (301, "?code=code-of-the-test&state=$"), (303, "?code=code-of-the-test&state=$"),
      (307, "?code=code-of-the-test&state=$"), (308, "?code=code-of-the-test&state=$"),
      (302, "?error=login_required&error_description=Sign+in&state=$"), (302, "?error=invalid_scope&state=$"),
      (302, "?state=$"), (302, "?code=&state=$"), (302, "?code=code-of-the-test"), (302, nil), (302, ""), (200, nil),
      (400, nil), (429, nil), (500, nil), (302, "?code=code-1&code=code-2&state=$"),
      (302, "?code=code-of-the-test&state=$&iss=https%3A%2F%2Fid.example%2Ftenant"),
      (302, "?code=code-of-the-test&state=$&iss=https%3A%2F%2Fother.example"),
      (302, "https://elsewhere.example/?code=1"),
    ]
    for names in [true, false] {
      for (status, query) in kinds {
        let stage = try stage(
          base, metadata: names ? [("authorization_response_iss_parameter_supported", true)] : []
        ) { request, response in
          guard request.url.contains("/authorize") else { return }
          let asked = TinyProvider.query(request.url)
          let back = query.map { query in
            (query.hasPrefix("http") || query.isEmpty ? "" : asked["redirect_uri"] ?? "")
              + query.replacing("$", with: asked["state"] ?? "")
          }
          response = HTTPResponse(
            status: status,
            headers: (back.map { [HTTPField("Location", $0)] } ?? []) + [HTTPField("X-Okta-Request-Id", "req-1")],
            body: status < 400 ? [] : Array(#"{"error":"invalid_request","error_description":"Bad"}"#.utf8))
        }
        await anyhow { _ = try await stage.signIn() }
      }
    }
    for (number, answer) in [
      Result<String, DrawFailure>.failure(DrawFailure(.cancelled)), .failure(DrawFailure(.timedOut)),
      .failure(DrawFailure(.missing)), .failure(DrawFailure(.failed, "The browser broke.")),
      .success("http://127.0.0.1:4711/callback?error=access_denied&state=$"),
      .success("http://127.0.0.1:4711/other?code=1&state=$"),
    ].enumerated() {
      var environment = base.environment
      environment.transport = TinyProvider()
      environment[BrowserSeam.self] = ScriptedBrowser(listeningOn: "http://127.0.0.1:4711") { url in
        answer.map { $0.replacing("$", with: TinyProvider.query(url)["state"] ?? "") }
      }
      let auth = try OktaAppAuth(configuration: base.configuration, environment: environment)
      await anyhow {
        _ = try await auth.signInWithBrowser(additionalParameters: ["prompt": "login", "display": "\(number)"])
      }
    }
  }

  /// Metadata of each kind.
  static let documents = OIDCScenario("oidc-edge-metadata") { base in
    let extras: [[(String, JSON?)]] = [
      [("issuer", .string(TinyProvider.issuer + "/"))], [("issuer", "https://other.example")], [("issuer", nil)],
      [("token_endpoint", nil)], [("jwks_uri", nil)], [("code_challenge_methods_supported", ["plain"])],
      [("code_challenge_methods_supported", nil)], [("authorization_endpoint", "http://login.example/op/authorize")],
      [("introspection_endpoint", nil), ("revocation_endpoint", nil), ("userinfo_endpoint", nil)],
    ]
    for extra in extras {
      let stage = try stage(base, metadata: extra) { _, _ in }
      await anyhow {
        let manager = try await stage.signIn()
        for operation in [
          { _ = try await manager.introspect(token: manager.accessToken) }, { _ = try await manager.getUser() },
          { try await manager.revoke(manager.refreshToken) },
        ] as [@Sendable () async throws -> Void] { await anyhow(operation) }
      }
    }
    for status in [404, 400, 500] {
      let stage = try stage(base) { request, response in
        if request.url.hasSuffix("/openid-configuration") { response = .json([:], status: status) }
      }
      await anyhow { _ = try await stage.signIn() }
    }
    for age in ["max-age=60", "no-cache", "s-maxage=5", "public, max-age=\"120\", s-maxage=9", "max-age=-1"] {
      let stage = try stage(base) { request, response in
        if request.url.contains("/.well-known/") { response.headers.append(HTTPField("Cache-Control", age)) }
      }
      await anyhow { _ = try await stage.signIn() }
      await anyhow { _ = try await stage.signIn() }
    }
  }

  /// The token endpoint puts the exchange off four times, a second each; then for none.
  static let putOffOften = OIDCScenario("oidc-edge-put-off") { base in
    for seconds in ["1", "0", "3600", "none"] {
      let count = Locked(0)
      let stage = try stage(base) { request, response in
        guard request.url.hasSuffix("/token") else { return }
        let number = count.withLock { count in
          defer { count += 1 }
          return count
        }
        if number < 4 { response = .limited(HTTPField("Retry-After", seconds)) }
      }
      await anyhow { _ = try await stage.signIn() }
    }
  }

  /// Sign-ins on another device that end in each way.
  static let devices = OIDCScenario("oidc-edge-devices") { base in
    let words: [[HTTPResponse]] = [
      [.json(["error": "authorization_pending"], status: 400), .json(["error": "access_denied"], status: 400)],
      [.json(["error": "expired_token"], status: 400)],
      [.limited(HTTPField("Retry-After", "9")), .json(["error": "x"], status: 429)],
      Array(repeating: .json(["error": "slow_down"], status: 400), count: 4),
      [HTTPResponse(status: 502, headers: [], body: []), .json(["error": "invalid_grant"], status: 400)],
      Array(repeating: .json(["error": "authorization_pending"], status: 400), count: 200),
    ]
    for list in words {
      let count = Locked(0)
      let stage = try stage(base, metadata: [endpointOfDevices]) { request, response in
        guard request.url.hasSuffix("/token") else { return }
        let number = count.withLock { count in
          defer { count += 1 }
          return count
        }
        if number < list.count { response = list[number] }
      }
      await anyhow { _ = try await stage.auth.signInOnDevice { _ in } }
    }
    let codes: [JSON] = [
      [
        "device_code": "device-code-canary", "user_code": "WDJB-MJHT", "verification_url": "https://id.example/old",
        "interval": 1,
      ],
      ["device_code": "device-code-canary", "user_code": "WDJB-MJHT"], ["error": "invalid_client"],
      [
        "device_code": "device-code-canary", "user_code": "WDJB-MJHT", "verification_uri": "https://id.example/go",
        "expires_in": 30, "interval": 10,
      ],
    ]
    for code in codes {
      let stage = try stage(base, metadata: [endpointOfDevices]) { request, response in
        if request.url.hasSuffix("/device") {
          response = .json(code, status: code["error"] == nil ? 200 : 401)
        } else if request.url.hasSuffix("/token"), code["expires_in"] != nil {
          response = .json(["error": "authorization_pending"], status: 400)
        }
      }
      await anyhow { _ = try await stage.auth.signInOnDevice { _ in } }
    }
    await anyhow { _ = try await base.auth.signInOnDevice { _ in } }
  }

  /// A client with a secret that has letters to encode, in the browser with pushed parameters too.
  static let confidential = OIDCScenario("oidc-edge-confidential") { base in
    var configuration = base.configuration
    configuration.options.clientSecret = "secret of+the:client%"
    configuration.options.allowedClockSkew = 60
    configuration.options.redirectTimeout = 120
    configuration.options.idTokenAlgorithms = ["ES256", "RS256"]
    var environment = base.environment
    let provider = TinyProvider(
      metadata: [
        ("pushed_authorization_request_endpoint", .string(TinyProvider.home + "/par")), endpointOfDevices,
      ])
    environment.transport = provider
    environment[BrowserSeam.self] = ScriptedBrowser(listeningOn: "http://127.0.0.1:4711") { _ in
      let pushed = provider.requests.last { $0.url.hasSuffix("/par") }.map(TinyProvider.form) ?? [:]
      return .success("\(pushed["redirect_uri"] ?? "")?code=code-of-the-test&state=\(pushed["state"] ?? "")")
    }
    let auth = try OktaAppAuth(configuration: configuration, environment: environment)
    let manager = try await auth.signInWithBrowser()
    try await manager.renew()
    try await manager.revoke(manager.accessToken)
    _ = try await manager.introspect(token: manager.refreshToken)
    _ = try await auth.signInOnDevice { _ in }
  }

  /// Tokens of each kind are looked at and revoked; what the server says of them is of each kind.
  static let tokensAsked = OIDCScenario("oidc-edge-asked") { base in
    let manager = try await base.signIn()
    var state = manager.authState
    state.tokens.deviceSecret = "secret-canary-1"
    state.tokens.idToken = "e30.e30.canary"
    let whole = OktaAuthStateManager(
      authState: state, configuration: base.configuration, environment: base.environment)
    for _ in 0..<2 {
      for token in [
        state.tokens.accessToken, state.tokens.refreshToken, state.tokens.idToken, state.tokens.deviceSecret, "another",
        nil,
      ] {
        await anyhow { _ = try await whole.introspect(token: token) }
        await anyhow { try await whole.revoke(token) }
      }
      await anyhow { _ = try await whole.getUser() }
    }
    let bearer = "bEARER realm=\"op\", error=\"invalid_token\", error_description=\"It has \\\"expired\\\"\""
    let answers: [HTTPResponse] = [
      HTTPResponse(status: 401, headers: [HTTPField("WWW-Authenticate", bearer)], body: []),
      HTTPResponse(status: 401, headers: [HTTPField("WWW-Authenticate", "Basic realm=x")], body: []),
      HTTPResponse(status: 200, headers: [HTTPField("Content-Type", "application/jwt")], body: Array("e30.e30.x".utf8)),
      .json(["sub": "another"]), .json([]), .json(["active": false]), .json(["active": "true"]),
      .json(["error": "unsupported_token_type"], status: 400), .json(["active": true], status: 503),
    ]
    for path in ["/introspect", "/revoke", "/userinfo"] {
      try await each(answers, of: path, on: base) { stage in
        let manager = OktaAuthStateManager(
          authState: state, configuration: stage.configuration, environment: stage.environment)
        switch path {
        case "/introspect": _ = try await manager.introspect(token: manager.refreshToken)
        case "/revoke": try await manager.revoke(manager.refreshToken)
        default: _ = try await manager.getUser()
        }
      }
    }
  }

  /// Sign-outs of each part, whose parts fail one by one.
  static let signOuts = OIDCScenario("oidc-edge-sign-outs") { base in
    let options: [SignOutOptions] = [
      .allOptions, .revokeTokensOptions, .revokeAccessToken, .revokeRefreshToken, .removeTokensFromStorage,
      .signOutFromOkta, [.revokeRefreshToken, .removeTokensFromStorage],
    ]
    for failing in ["none", "/revoke", "/.well-known/openid-configuration"] {
      for option in options {
        let stage = try stage(base) { request, response in
          if request.url.hasSuffix(failing) { response = .json(["error": "server_error"], status: 500) }
        }
        var state = try await base.signIn().authState
        state.tokens.idToken = "e30.e30.canary"
        let manager = OktaAuthStateManager(
          authState: state, configuration: stage.configuration, environment: stage.environment)
        try manager.writeToSecureStorageOrThrow()
        _ = await stage.auth.signOut(manager, options: option)
        await anyhow { try await stage.auth.signOutOfOkta(manager) }
      }
    }
    let bare = try await base.signIn()
    await anyhow { try await base.auth.signOutOfOkta(bare) }
    _ = await base.auth.signOut(bare)
  }

  /// Tokens are stored, read and removed, also by the forms that say nothing of errors, and where there are none.
  static let storage = OIDCScenario("oidc-edge-storage") { base in
    _ = OktaAuthStateManager.readFromSecureStorage(for: base.configuration, environment: base.environment)
    let manager = try await base.signIn()
    for _ in 0..<2 {
      manager.writeToSecureStorage()
      try manager.writeToSecureStorageOrThrow()
      _ = OktaAuthStateManager.readFromSecureStorage(for: base.configuration, environment: base.environment)
      _ = try OktaAuthStateManager.readFromSecureStorageOrThrow(
        for: base.configuration, environment: base.environment)
      try manager.removeFromSecureStorage()
      manager.clear()
    }
    try manager.writeToSecureStorageOrThrow()
    try OktaAuthStateManager.clearAll(environment: base.environment)
    _ = OktaAuthStateManager.readFromSecureStorage(environment: base.environment)
  }

  /// A parameter of the configuration, and another one of that name in a call.
  static let precedence = OIDCScenario("oidc-edge-parameters") { base in
    let configuration = base.configuration.configuration(withAdditionalParams: [
      "ui_locales": "de", "login_hint": "ann@configured.example", "max_age": "60", "state": "not taken",
    ])
    let auth = try OktaAppAuth(configuration: configuration, environment: base.environment)
    for _ in 0..<2 {
      _ = try await auth.signInWithBrowser(additionalParameters: [
        "login_hint": "ann@called.example", "prompt": "login",
      ])
      _ = try await auth.authenticate(withSessionToken: "session-canary")
    }
    var alone = configuration
    alone.noSSO = true
    let other = try OktaAppAuth(configuration: alone, environment: base.environment)
    _ = try await other.signInWithBrowser()
    _ = try await other.signInWithBrowser(additionalParameters: ["prompt": "consent"])
  }

  /// A server whose clock is ten minutes ahead.
  static let clocks = OIDCScenario("oidc-edge-clock") { base in
    let stage = try stage(base) { _, response in
      response.headers.append(HTTPField("Date", "Thu, 15 Jan 2026 09:10:00 GMT"))
    }
    let manager = try await stage.signIn()
    try manager.writeToSecureStorageOrThrow()
    try await manager.renew()
    _ = try await manager.getUser()
  }

  /// A redirect that the application takes itself, and that does not come.
  static let privateRedirect = OIDCScenario("oidc-edge-private-redirect") { base in
    let configuration = try OktaAuthConfig(with: [
      "issuer": TinyProvider.issuer, "clientId": "client-7", "redirectUri": "com.acme.app:/callback",
      "logoutRedirectUri": "com.acme.app:/goodbye", "scopes": "profile offline_access",
    ])
    let auth = try OktaAppAuth(configuration: configuration, environment: base.environment)
    await anyhow { _ = try await auth.signInWithBrowser() }
    var state = try await base.signIn().authState
    state.tokens.idToken = "e30.e30.canary"
    let manager = OktaAuthStateManager(
      authState: state, configuration: configuration, environment: base.environment)
    await anyhow { try await auth.signOutOfOkta(manager) }
  }

  /// A server with an issuer of Okta's form, whose metadata name little.
  static let ofOkta = OIDCScenario("oidc-edge-of-okta") { base in
    for path in ["/oauth2/default", ""] {
      let issuer = "https://acme.example" + path
      var environment = base.environment
      let metadata: [(String, JSON?)] = [
        ("issuer", .string(issuer)), ("introspection_endpoint", nil), ("revocation_endpoint", nil),
        ("userinfo_endpoint", nil),
      ]
      environment.transport = TinyProvider(metadata: metadata) { request, response in
        if request.url.hasSuffix("/openid-configuration") { response = .json([:], status: 404) }
      }
      let configuration = try OktaAuthConfig(with: [
        "issuer": issuer, "clientId": "client-8", "redirectUri": "http://127.0.0.1/callback",
        "scopes": "profile offline_access",
      ])
      let auth = try OktaAppAuth(configuration: configuration, environment: environment)
      let manager = try await auth.authenticate(withSessionToken: "session-canary")
      await anyhow { _ = try await manager.introspect(token: manager.accessToken) }
      await anyhow { try await manager.revoke(manager.accessToken) }
      await anyhow { _ = try await manager.getUser() }
    }
  }
}
