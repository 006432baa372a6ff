// What binds redirects, codes and tokens to a sign-in is random: the tests take it from the wire and look for it in the log.

import EventStore
import FlowRecording
import OIDC
import Replay
import Scenarios
import Testing

@Suite struct OIDCCanaryTests {
  private static let secrets = [
    "state", "nonce", "sessionToken", "id_token_hint", "code_verifier", "code", "refresh_token", "token",
    "client_secret", "device_code", "request_uri",
  ]

  /// The values of the secret members of a query or a form.
  private static func values(_ members: [String: String]) -> [String] {
    secrets.compactMap { members[$0] }.filter { $0.utf8.count > 5 }
  }

  @Test(arguments: [false, true])
  func `no record has what went over the wire in secret, the browser's address as logged included`(isPushed: Bool)
    async throws
  {
    let pushed = Locked<[String: String]>([:])
    let provider = TinyProvider(
      metadata: isPushed
        ? [("pushed_authorization_request_endpoint", .string(TinyProvider.home + "/par"))] : []
    ) { request, _ in
      if request.url.hasSuffix("/par") { pushed.withLock { $0 = TinyProvider.form(request) } }
    }
    let browser = ScriptedBrowser(listeningOn: "http://127.0.0.1:4711") { url in
      let state = TinyProvider.query(url)["state"] ?? pushed.withLock { $0["state"] ?? "" }
      let path = url.contains("/logout") ? "goodbye" : "callback"
      return .success("http://127.0.0.1:4711/\(path)?code=code-of-the-test&state=\(state)")
    }
    let rig = try OIDCRig(
      provider, browser: browser,
      values: ["redirectUri": "http://127.0.0.1/callback", "logoutRedirectUri": "http://127.0.0.1/goodbye"],
      secret: "secret-canary:%")
    var state = try await rig.auth.signInWithBrowser().authState
    state.tokens.idToken = "e30.eyJzdWIiOiJzdWJqZWN0LWNhbmFyeSJ9.canary"
    let manager = OktaAuthStateManager(
      authState: state, configuration: rig.auth.configuration, environment: rig.environment)
    _ = try await rig.signIn()
    try manager.writeToSecureStorageOrThrow()
    try await manager.renew()
    _ = try await manager.introspect(token: manager.refreshToken)
    #expect(await rig.auth.signOut(manager, options: .allOptions) == [])

    var found = Set(browser.pages.flatMap { Self.values(TinyProvider.query($0)) })
    for request in rig.provider.requests {
      found.formUnion(Self.values(TinyProvider.query(request.url)))
      found.formUnion(Self.values(TinyProvider.form(request)))
      found.formUnion(request.headers.filter { $0.name == "Authorization" }.map(\.value))
    }
    // Three authorizations or sign-outs with a state, two verifiers, and the tokens.
    #expect(found.count >= 10, "\(found.count)")
    let log = rig.flows.flatMap(\.records).map { String(decoding: EventCoding.encode($0.event).data, as: UTF8.self) }
    for secret in found {
      let encoded = Base64URL.encode(secret.utf8)
      let hits = log.filter { $0.contains(secret) || $0.contains(encoded.dropLast(2)) }
      #expect(hits == [], "\(secret)")
    }
    // What is public though it looks secret is there.
    let challenge = TinyProvider.query(rig.provider.requests.last { $0.url.contains("/authorize") }?.url ?? "")
    #expect(log.contains { $0.contains(challenge["code_challenge"] ?? "none") })
    try rig.expectReplay()
  }

  @Test func `no error has a secret that the server quotes, whatever prints it`() async throws {
    let rig = try OIDCRig(
      TinyProvider { request, response in
        guard let token = TinyProvider.form(request)["refresh_token"] else { return }
        response = .json(
          ["error": "invalid_grant", "error_description": .string("no \(token), no \(Base64URL.encode(token.utf8))")],
          status: 400)
      })
    let manager = try await rig.signIn()
    let error = try #require(await failure { try await manager.renew() })
    #expect(error.oauthCode == "invalid_grant")
    #expect(error.failure?.oauthDescription?.hasPrefix("no $secret.") == true)
    let texts = [error.description, error.errorDescription ?? "", String(reflecting: error)]
    for text in texts {
      #expect(!text.contains("canary") && !text.contains(Base64URL.encode("refresh-canary-1".utf8)), "\(text)")
    }
    try rig.expectReplay()
  }
}
