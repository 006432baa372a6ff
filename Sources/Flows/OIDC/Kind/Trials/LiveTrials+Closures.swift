// What the forms with a closure deliver, after an answer and after an error, for calls that need neither a person nor
// the check of an ID token.

import EventStore
import FlowRecording

extension LiveTrials {
  private typealias Form = (name: String, make: @Sendable (FlowStage, OktaAuthStateManager) -> Void)

  private static func hear(_ stage: FlowStage, _ values: [String: Any]?, _ error: OktaError?) {
    stage.say("\(values.map { shown($0) } ?? "no values") and \(error.map { "\($0)" } ?? "no error")")
  }

  private static func hear(_ stage: FlowStage, _ manager: OktaAuthStateManager?, _ error: OktaError?) {
    stage.say("\(manager?.accessToken ?? "no tokens") and \(error.map { "\($0)" } ?? "no error")")
  }

  private static let forms: [Form] = [
    (
      "introspect",
      { stage, manager in manager.introspect(token: "access-1") { values, error in hear(stage, values, error) } }
    ),
    (
      "introspect nothing",
      { stage, manager in manager.introspect(token: nil) { values, error in hear(stage, values, error) } }
    ),
    (
      "revoke",
      { stage, manager in
        manager.revoke("refresh-1") { isDone, error in
          stage.say("\(isDone.map { "\($0)" } ?? "-") and \(error.map { "\($0)" } ?? "no error")")
        }
      }
    ),
    ("user", { stage, manager in manager.getUser { values, error in hear(stage, values, error) } }),
    (
      "renew",
      { stage, manager in
        manager.renew { renewed, error in
          hear(stage, renewed, error)
          stage.say("\(renewed === manager)")
        }
      }
    ),
    (
      "renew twice",
      { stage, manager in
        for number in 1...2 {
          manager.renew { renewed, error in
            stage.say("\(number)")
            hear(stage, renewed, error)
          }
        }
      }
    ),
  ]

  /// Answers, each of them right for some of the calls.
  private static let answers: [(status: Int, body: JSON)] = [
    (200, ["active": true, "exp": 5, "sub": "00u-1", "access_token": "access-2", "expires_in": 60]),
    (200, ["active": false, "sub": "00u-2"]), (400, ["error": "invalid_grant"]), (401, [:]),
  ]

  /// A flow whose records are observed.
  static func world(
    _ answers: [(status: Int, body: JSON)], configure: (inout FlowEnvironment) -> Void = { _ in }
  ) -> FlowStage {
    FlowStage(answers.map { .success(HTTPResponse(status: $0.status, body: $0.body.bytes)) }) { environment in
      environment[TokenStoreSeam.self] = MemoryTokenStore()
      environment[KeyCacheSeam.self] = KeyCache()
      environment[MetadataCacheSeam.self] = MetadataCache()
      environment[TokenLeaseSeam.self] = TokenLease()
      _ = environment[MetadataCacheSeam.self].keep(
        CoreTrials.with([], in: CoreTrials.metadata), of: CoreTrials.issuer, maxAge: nil, at: TrialWorld.at(0))
      configure(&environment)
    }
  }

  /// One line per call and answer, and one per call of a client that ends without tokens.
  static var delivered: Set<String> {
    var lines = forms.flatMap { name, make in
      answers.enumerated().map { number, answer in
        let stage = world([answer])
        let manager = OktaAuthStateManager(authState: OktaAuthState(tokens), environment: stage.environment)
        let heard = stage.run { make(stage, manager) }
        return "\(name) \(number) \(heard) \(manager.authState.tokens.json.text)"
      }
    }
    let values = [
      "issuer": CoreTrials.issuer, "clientId": "client-1", "redirectUri": "com.acme:/cb", "scopes": "openid",
    ]
    guard let configuration = try? OktaAuthConfig(with: values) else { return Set(lines) }
    for (number, answer) in answers.enumerated() {
      let stage = world([answer])
      let heard = stage.run {
        guard let auth = try? OktaAppAuth(configuration: configuration, environment: stage.environment) else { return }
        auth.authenticate(withSessionToken: "session-1") { manager, error in hear(stage, manager, error) }
        auth.cancelBrowserSession { stage.say("cancelled") }
        auth.cancelBrowserSession()
        stage.say("\(auth.hasActiveBrowserSession())")
      }
      lines.append("session token \(number) \(heard)")
    }
    return Set(lines + shownCodes(configuration) + [signedOut(configuration)])
  }

  /// A sign-out that is refused gives the browser back.
  private static func signedOut(_ configuration: OktaAuthConfig) -> String {
    let stage = world([])
    return "signed out "
      + stage.run {
        var tokens = tokens
        tokens.idToken = nil
        guard let auth = try? OktaAppAuth(configuration: configuration, environment: stage.environment) else { return }
        let manager = OktaAuthStateManager(authState: OktaAuthState(tokens), environment: stage.environment)
        auth.signOutOfOkta(manager) { error in stage.say(error.map { "\($0)" } ?? "done") }
        stage.say("\(auth.hasActiveBrowserSession())")
      }
  }

  /// What a sign-in on another device shows, however it ends.
  private static func shownCodes(_ configuration: OktaAuthConfig) -> [String] {
    let code: CoreTrials.Members = [
      ("device_code", "device-code-1"), ("user_code", "WDJB-MJHT"),
      ("verification_uri", "https://acme.example/activate"),
      ("verification_uri_complete", "https://acme.example/activate?user_code=WDJB-MJHT"), ("expires_in", 600),
      ("interval", 5),
    ]
    let later: [(status: Int, body: JSON)] = [
      (400, ["error": "authorization_pending"]), (400, ["error": "slow_down"]), (400, ["error": "access_denied"]),
    ]
    return RuntimeTables.withEachLeftOut(of: code).enumerated().map { number, members in
      let first: [(status: Int, body: JSON)] = [(200, .members(members))]
      let stage = world(first + later)
      let heard = stage.run {
        do {
          let auth = try OktaAppAuth(configuration: configuration, environment: stage.environment)
          let manager = try await auth.signInOnDevice { code in
            let complete = code.verificationUriComplete ?? "-"
            stage.say("\(code.userCode) \(code.verificationUri) \(complete) \(code.expiresIn)")
          }
          stage.say(manager.accessToken ?? "no tokens")
        } catch {
          stage.say("\(error)")
        }
      }
      return "device \(number) \(heard)"
    }
  }
}
