// What token managers do in complete flows, with canned answers and an in-memory store, for the kind's tables.

import EventStore
import FlowRecording

/// An application's calls on its tokens, from beginning to end.
enum LiveTrials {
  /// The tokens used by most calls, valid for one hour from the time of the trials.
  static let tokens: StoredTokens = {
    var tokens = StoredTokens(
      id: "id-1", issuer: CoreTrials.issuer, clientID: "client-1", tokenType: "Bearer", accessToken: "access-1",
      issued: TrialWorld.now)
    (tokens.refreshToken, tokens.deviceSecret, tokens.scope) = ("refresh-1", "device-1", "openid")
    tokens.idToken = identity
    tokens.expiry = TrialWorld.now + 3_600_000_000
    tokens.endpoints.token = "https://acme.example/old"
    return tokens
  }()
  private static let identity = TrialWorld.token(["sub": "00u-1", "exp": 1_768_471_241])

  /// Seams with cached metadata of the server.
  static func environment(
    store: any TokenStore = MemoryTokenStore(), transport: any Transport = CannedTransport(json: [])
  ) -> FlowEnvironment {
    let environment = TrialWorld.environment(store: store, transport: transport)
    _ = environment[MetadataCacheSeam.self].keep(
      CoreTrials.with([], in: CoreTrials.metadata), of: CoreTrials.issuer, maxAge: nil, at: TrialWorld.at(0))
    return environment
  }

  /// The outcome of a call, the requests sent for it, and the tokens afterward.
  private static func outcome(
    _ answers: [(status: Int, body: JSON)], of tokens: StoredTokens = LiveTrials.tokens,
    _ call: @escaping @Sendable (OktaAuthStateManager) async throws -> String
  ) -> String {
    let transport = CannedTransport(json: answers)
    let manager = OktaAuthStateManager(
      authState: OktaAuthState(tokens), environment: environment(transport: transport))
    let end = TrialWorld.value {
      do {
        return try await call(manager)
      } catch {
        return "\(error)"
      }
    }
    return "\(end ?? "waits") \(transport.sent) \(manager.authState.tokens.json.text)"
  }

  static func shown(_ values: [String: Any]) -> String {
    values.keys.sorted().map { "\($0)=\(values[$0] ?? "")" }.joined(separator: ",")
  }

  // MARK: Calls

  /// One line per call on tokens.
  static var calls: Set<String> {
    var lines: [String] = []
    let active: JSON = ["active": true, "exp": 5, "scope": "a", "none": .null]
    let asked: [String?] = ["access-1", "refresh-1", identity, "device-1", "other", "", nil]
    for token in asked {
      lines.append(outcome([(200, active)]) { shown(try await $0.introspect(token: token)) })
      lines.append(
        outcome([(200, .null)]) { manager in
          try await manager.revoke(token)
          return "revoked"
        })
    }
    lines.append(outcome([(401, ["error": "invalid_client"])]) { shown(try await $0.introspect(token: "other")) })
    for subject in ["00u-1", "00u-2"] {
      lines.append(outcome([(200, ["sub": .string(subject), "name": "Ann"])]) { shown(try await $0.getUser()) })
    }
    // Times around the moment at which tokens are renewed before use.
    for left: Int64 in [-1, 0, 1, 60_000_000, 60_000_001] {
      var stale = tokens
      stale.expiry = TrialWorld.now + left
      for isRenewing in [false, true] {
        let answers: [(status: Int, body: JSON)] = [
          (200, ["access_token": "access-2", "expires_in": 60]), (200, ["sub": "00u-1"]),
        ]
        lines.append(outcome(answers, of: stale) { shown(try await $0.getUser(renewing: isRenewing)) })
      }
    }
    var bare = tokens
    (bare.idToken, bare.refreshToken, bare.expiry) = (nil, nil, nil)
    lines.append(outcome([(200, ["sub": "00u-2"])], of: bare) { shown(try await $0.getUser()) })
    lines.append(outcome([], of: bare) { try await $0.renew().tokenId })
    var all = lines.enumerated().map { "\($0) \($1)" }
    all += renewals
    all += adopted
    all += arguments
    return Set(all)
  }

  private static var renewals: [String] {
    let error: JSON = ["error": "invalid_grant"]
    let answers: [(status: Int, body: JSON)] = [
      (200, ["access_token": "access-2"]), (200, ["access_token": "access-2", "refresh_token": "refresh-2"]),
      (200, [:]), (399, error), (400, error), (499, error), (500, error), (429, error), (400, [:]),
      (400, ["error": "slow_down"]), (200, ["access_token": "a", "token_type": "MAC"]),
    ]
    return answers.enumerated().map { number, answer in
      let end = outcome([answer]) { manager in
        let same = try await manager.renew()
        return "\(same === manager) \(same.isStale)"
      }
      return "renewal \(number) \(end)"
    }
  }

  /// Tokens that another SDK obtained.
  private static var adopted: [String] {
    let values = [
      "issuer": CoreTrials.issuer, "clientId": "client-1", "redirectUri": "com.acme:/cb", "scopes": "openid email",
    ]
    guard let configuration = try? OktaAuthConfig(with: values) else { return [] }
    let tokens = [
      Token(accessToken: "access-1"), Token(tokenType: "DPoP", accessToken: "access-1"),
      Token(accessToken: "access-1", expiresIn: 60, scope: "s", refreshToken: "r", deviceSecret: "d"),
      Token(accessToken: ""),
    ]
    // The call is recorded with the nonce that the ID token is compared with.
    let nonces = ["nonce-1", "", nil].map { nonce in
      let stage = world([])
      let heard = stage.run {
        do {
          _ = try await OktaAuthStateManager(
            token: Token(accessToken: "access-1", idToken: identity), configuration: configuration, nonce: nonce,
            environment: stage.environment)
        } catch {
          stage.say("\(error)")
        }
      }
      return "nonce \(nonce ?? "-") \(heard)"
    }
    return nonces
      + tokens.enumerated().map { number, token in
        let environment = environment()
        let end = TrialWorld.value {
          do {
            let manager = try await OktaAuthStateManager(
              token: token, configuration: configuration, environment: environment)
            return manager.authState.tokens.json.text
          } catch {
            return "\(error)"
          }
        }
        return "adopted \(number) \(end ?? "waits")"
      }
  }

  /// The parts that a sign-out requests, and how far a manager's clock is off.
  private static var arguments: [String] {
    var less = tokens
    (less.accessToken, less.refreshToken, less.idToken) = (nil, nil, nil)
    let client = OIDCClient(of: tokens, environment())
    let sets: [SignOutOptions] = [.allOptions, [.revokeRefreshToken, .signOutFromOkta], []]
    var lines: [String] = []
    for held in [tokens, less] {
      let manager = OktaAuthStateManager(held, client, clockSkew: 0)
      lines += sets.map { "out \(JSON.members(manager.signOutArguments($0)).text)" }
    }
    for skew: Int64 in [-1, 0, 3_539_999_999, 3_540_000_000, 3_599_999_999, 3_600_000_000] {
      let manager = OktaAuthStateManager(tokens, client, clockSkew: skew, autoPersist: skew == 0)
      let parts = [manager.accessToken ?? "-", manager.refreshToken ?? "-", manager.accessibility ?? "-"]
      let marks = [manager.idToken == identity, manager.isStale, manager.autoPersist]
      lines.append("skew \(skew) \(parts) \(marks)")
    }
    let named = OktaAuthStateManager(
      authState: OktaAuthState(tokens), accessibility: "first", environment: environment())
    return lines + ["named \(named.accessibility ?? "-")"]
  }

  // MARK: The store

  /// One line per step of an application that stores its tokens.
  static var stores: Set<String> {
    let values = [
      "issuer": CoreTrials.issuer + "/", "clientId": "client-1", "redirectUri": "com.acme:/cb", "scopes": "openid",
    ]
    guard let configuration = try? OktaAuthConfig(with: values) else { return [] }
    let store = MemoryTokenStore()
    let seams = environment(store: store)
    let manager = OktaAuthStateManager(
      authState: OktaAuthState(tokens), configuration: configuration, environment: seams)
    var lines: [String] = []
    func note(_ name: String) {
      let names = ((try? store.keys()) ?? []).map(\.text)
      let read = OktaAuthStateManager.readFromSecureStorage(for: configuration, environment: seams)
      let legacy = OktaAuthStateManager.readFromSecureStorage(environment: seams)
      let found = [read, legacy].map { "\($0?.authState.tokens.json.text ?? "-") \($0?.autoPersist ?? false)" }
      let marks = [manager, read, legacy].map { $0?.state.withLock { $0.isStored } ?? false }
      lines.append("\(lines.count) \(name) \(names) \(found) \(manager.autoPersist) \(marks)")
    }
    note("empty")
    manager.writeToSecureStorage()
    note("stored")
    _ = try? store.write(tokens, for: .legacy)
    _ = try? store.write(tokens, for: StorageKey(older: "other"))
    note("stored by others")
    manager.clear()
    note("cleared")
    manager.writeToSecureStorage()
    _ = try? OktaAuthStateManager.clearAll(environment: seams)
    note("all cleared")
    for (number, error) in FailingStore.errors.enumerated() {
      let seams = environment(store: FailingStore(error: error))
      let failing = OktaAuthStateManager(
        authState: OktaAuthState(tokens), configuration: configuration, environment: seams)
      let steps: [@Sendable () throws -> Void] = [
        { try failing.writeToSecureStorageOrThrow() }, { try failing.removeFromSecureStorage() },
        { try OktaAuthStateManager.clearAll(environment: seams) },
        { _ = try OktaAuthStateManager.readFromSecureStorageOrThrow(for: configuration, environment: seams) },
      ]
      let ends = steps.map { step in
        do {
          try step()
          return "done"
        } catch {
          return "\(error)"
        }
      }
      lines.append("failing \(number) \(ends) \(failing.autoPersist)")
    }
    // A flow that was begun before its call is used only once.
    let ready = ReadySession()
    let client = OIDCClient(configuration, seams)
    let session = client.begin()
    ready.keep(session)
    lines.append("ready \(ready.take() === session) \(ready.take() == nil)")
    return Set(lines)
  }
}
