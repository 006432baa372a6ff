// Operations in which one value of one input, of a draw, or of the settings is changed.

import EventStore
import FlowRecording

extension CoreTrials {
  /// A line for each place of each input of each operation.
  static var changed: Set<String> { Set(scenarios.flatMap { lines(of: $0.key, $0.value) } + changedSettings) }

  private static let tokens: JSON = [
    "access_token": "access-1", "token_type": "Bearer", "expires_in": 60, "id_token": "identity-1",
    "device_secret": "device-1", "refresh_token": "refresh-1", "scope": "openid s",
  ]
  private static let keys: JSON = ["keys": [["kty": "RSA", "kid": "key-1", "alg": "RS256", "use": "sig"]]]
  private static let redirected = Input.answer(302, .null, [("Location", "http://127.0.0.1:8080/callback?code=1")])
  private static let parameters: JSON = [
    "login_hint": "bob", "nonce": "n", "max_age": "60", "acr_values": "a", "prompt": "login",
  ]

  private static let verdict: JSON = ["ours": true, "state": "equal", "code": "code-1", "iss": .string(issuer)]

  /// Operations that succeed, by name.
  private static let scenarios: [String: [Input]] = {
    let checked: [Input] = [.reply(200, keys), .drawn(["claims": ["sub": "s", "auth_time": 5]])]
    let session = Input.begin(.signInWithSessionToken, ["sessionToken": "s", "parameters": parameters])
    let about: JSON = ["token": "t", "hint": "access_token", "tokenId": "id-0"]
    let out: JSON = [
      "options": ["revokeAccessToken", "revokeRefreshToken", "signOutFromOkta", "removeTokensFromStorage"],
      "idToken": "identity-0", "accessToken": "access-0", "refreshToken": "refresh-0", "tokenId": "id-0",
    ]
    return [
      "session": [session, redirected, .reply(200, tokens)] + checked,
      "refused": [session, .reply(400, ["error": "invalid_request", "error_description": "why", "errorCode": "E1"])],
      "tokens refused": [session, redirected, .reply(400, ["error": "invalid_grant", "error_description": "why"])],
      "browser": [
        .begin(.signInWithBrowser, ["parameters": parameters]), .drawn("http://127.0.0.1:5000/callback"),
        .drawn("redirect"), .drawn(verdict), .reply(200, tokens),
      ] + checked,
      "device": [
        .begin(.signInOnDevice, ["parameters": parameters]), .reply(200, with([], in: codes)), .later(5), .fired,
        .reply(400, ["error": "authorization_pending", "error_description": "wait"]), .later(5), .fired,
        .reply(200, tokens),
      ] + checked,
      "renew": [
        .begin(.renew, with([], in: held)), .drawn(["tokens": stored]), .reply(200, tokens),
      ] + checked + [.drawn(true)],
      "adopt": [
        .begin(
          .adopt, ["tokens": tokens, "nonce": "n", "issuer": .string(issuer), "clientId": "c", "persists": true])
      ] + checked + [.drawn(true)],
      "introspect": [.begin(.introspect, about), .reply(200, ["active": true, "sub": "s", "exp": 5])],
      "revoke": [.begin(.revoke, about), .reply(200, ["error": "e"])],
      "user": [
        .begin(.getUser, ["accessToken": "a", "subject": "s", "tokenId": "id-0"]),
        .reply(200, ["sub": "s", "name": "n"]),
      ],
      "out": [
        .begin(.signOut, out), .reply(200, [:]), .reply(200, [:]), .drawn("http://127.0.0.1:5/out"),
        .begin(.resume, ["redirect": "com.acme:/out?state=s"]), .drawn(1),
      ],
    ]
  }()

  private static func run(
    _ inputs: [Input], _ brings: Brought = knowing(), settings: JSON = with([], in: settings)
  ) -> String {
    var stage = TrialStage(settings, brings: brings)
    return inputs.map { stage.feed($0) }.joined(separator: "\n") + stage.summary
  }

  private static func lines(of name: String, _ inputs: [Input]) -> [String] {
    let given = inputs.indices.flatMap { index -> [String] in
      guard let document = inputs[index].document else { return [] }
      return ChangedJSON.digests(of: document) { document in
        var other = inputs
        other[index].document = document
        return run(other)
      }.map { "\(name) \(index) \($0.place)|\($0.digest)" }
    }
    let unread = inputs.indices.flatMap { index -> [String] in
      guard case .answer(let status, _, _) = inputs[index] else { return [] }
      let digest = RecordedBody.unreadDigest([status, 204, 400, 503]) { reason, status in
        var other = inputs
        other[index] = .unread(status, reason)
        return run(other)
      }
      return ["\(name) \(index) unread|\(digest)"]
    }
    let known = with([("pushed_authorization_request_endpoint", .string("\(issuer)/v1/par"))], in: metadata)
    let draws: [(DrawKind, JSON)] = [
      (.oidcKnown, ["document": known]), (.oidcRedirect, verdict), (.oidcKeys, ["jwks": keys, "mayFetch": true]),
      (.pkce, ["verifier": "v", "challenge": "c"]),
    ]
    return given + unread
      + draws.flatMap { kind, document in
        ChangedJSON.digestsInTurn(of: document) { document in
          run(inputs, knowing().merging([kind: .success(document)]) { $1 })
        }.map { "\(name) \(kind.rawValue) \($0.place)|\($0.digest)" }
      }
  }

  private static var changedSettings: [String] {
    let whole = with([("clientSecret", "s")], in: settings)
    return scenarios.sorted { $0.key < $1.key }.flatMap { name, inputs in
      ChangedJSON.digests(of: whole) { run(inputs, settings: $0) }.map {
        "\(name) of settings \($0.place)|\($0.digest)"
      }
    }
  }
}

extension TrialStage.Input {
  /// The document that comes in; nil if there is none.
  fileprivate var document: JSON? {
    get {
      switch self {
      case .call(_, let arguments): arguments
      case .answer(_, let body, _): body
      case .drawn(let value): value
      case .unread, .lost, .undrawn, .fired, .later: nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .call(let name, _): self = .call(name, newValue)
      case .answer(let status, _, let headers): self = .answer(status, newValue, headers)
      case .drawn: self = .drawn(newValue)
      case .unread, .lost, .undrawn, .fired, .later: break
      }
    }
  }
}
