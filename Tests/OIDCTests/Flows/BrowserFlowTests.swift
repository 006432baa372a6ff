import EventStore
import FlowRecording
import Foundation
import OIDC
import Scenarios
import Testing

@Suite struct BrowserFlowTests {
  private static let loopback = [
    "redirectUri": "http://127.0.0.1/callback", "logoutRedirectUri": "http://127.0.0.1/bye",
  ]

  /// A person who allows it: the browser is sent back with a code.
  private static func allowing(_ url: String) -> Result<String, DrawFailure> {
    let query = TinyProvider.query(url)
    let back = query["redirect_uri"] ?? query["post_logout_redirect_uri"] ?? ""
    return .success("\(back)?code=code-of-the-test&state=\(query["state"] ?? "")")
  }

  @Test func `the browser signs in by a listener, and the port that it has is the redirect URI of both requests`()
    async throws
  {
    let browser = ScriptedBrowser(listeningOn: "http://127.0.0.1:4711") { Self.allowing($0) }
    let rig = try OIDCRig(browser: browser, values: Self.loopback)
    let manager = try await rig.auth.signInWithBrowser(additionalParameters: ["prompt": "login", "nonce": "mine"])
    #expect(manager.accessToken == "access-canary-1")
    let query = TinyProvider.query(browser.pages[0])
    #expect(query["redirect_uri"] == "http://127.0.0.1:4711/callback" && query["prompt"] == "login")
    #expect(query["nonce"] != "mine" && query["sessionToken"] == nil)
    #expect(TinyProvider.form(rig.provider.requests[1])["redirect_uri"] == "http://127.0.0.1:4711/callback")
    #expect(!rig.auth.hasActiveBrowserSession())
    try rig.expectReplay()
  }

  @Test func `an application with a scheme of its own hands the redirect in, once`() async throws {
    let browser = ScriptedBrowser { _ in .failure(DrawFailure(.missing)) }
    let time = VirtualTime(start: OIDCRig.start)
    let rig = try OIDCRig(browser: browser, time: time)
    #expect(!rig.auth.resume(try #require(URL(string: OIDCRig.redirectURI + "?code=c"))))
    let signIn = Task { try await rig.auth.signInWithBrowser() }
    await time.waitForTimers()
    let state = TinyProvider.query(browser.pages[0])["state"] ?? ""
    #expect(!rig.auth.resume(try #require(URL(string: "com.other:/callback?code=c&state=\(state)"))))
    let redirect = try #require(URL(string: "\(OIDCRig.redirectURI)?code=code-of-the-test&state=\(state)"))
    #expect(rig.auth.resume(redirect))
    #expect(try await signIn.value.accessToken == "access-canary-1")
    #expect(!rig.auth.resume(redirect))
    #expect(!rig.auth.resume(url: redirect, options: ["from": "elsewhere"]))
    try rig.expectReplay()
  }

  @Test func `a redirect that never comes is a timeout`() async throws {
    let rig = try OIDCRig(browser: ScriptedBrowser { _ in .failure(DrawFailure(.missing)) })
    #expect(await failure { try await rig.auth.signInWithBrowser() } == .timeout)
    try rig.expectReplay()
  }

  /// A browser whose person does nothing, and whether its wait was cancelled.
  private static func idle() -> (browser: ScriptedBrowser, isCancelled: Locked<Bool>) {
    let gate = AsyncStream.makeStream(of: Void.self)
    let isCancelled = Locked(false)
    let browser = ScriptedBrowser { _ in
      for await _ in gate.stream {}
      isCancelled.withLock { $0 = Task.isCancelled }
      return .failure(DrawFailure(.cancelled))
    }
    return (browser, isCancelled)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a second sign-in is refused while the first has the browser, and a cancel ends the first`() async throws {
    let (browser, isCancelled) = Self.idle()
    let rig = try OIDCRig(browser: browser, values: Self.loopback)
    let first = Task { await failure { try await rig.auth.signInWithBrowser() } }
    while browser.pages.isEmpty { await Task.yield() }
    #expect(rig.auth.hasActiveBrowserSession())
    #expect(await failure { try await rig.auth.signInWithBrowser() } == .alreadyInProgress)
    #expect(rig.auth.hasActiveBrowserSession())
    await withCheckedContinuation { done in rig.auth.cancelBrowserSession { done.resume() } }
    #expect(await first.value == .userCancelledAuthorizationFlow)
    #expect(!rig.auth.hasActiveBrowserSession())
    // The task of the draw ends with the operation: a listener would be closed.
    while !isCancelled.withLock({ $0 }) { await Task.yield() }
    while rig.types.last != "draw.made" { await Task.yield() }
    try rig.expectReplay()
  }

  @Test(.timeLimit(.minutes(5)))
  func `if the log fails, the sign-in ends, and the browser is no longer waited for`() async throws {
    let (browser, isCancelled) = Self.idle()
    let rig = try OIDCRig(browser: browser, values: Self.loopback)
    let recorder = FillingRecorder()
    var environment = rig.environment
    environment.recorder = recorder
    let auth = try OktaAppAuth(configuration: rig.auth.configuration, environment: environment)
    let signIn = Task { await failure { try await auth.signInWithBrowser() } }
    while browser.pages.isEmpty { await Task.yield() }
    recorder.isFull.withLock { $0 = true }
    auth.cancelBrowserSession()
    #expect(await signIn.value == .internalError("The disk is full."))
    while !isCancelled.withLock({ $0 }) { await Task.yield() }
  }

  @Test @MainActor func `a cancel of nothing calls back too, and not before it has returned`() async throws {
    let rig = try OIDCRig()
    let order = Locked<[String]>([])
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      rig.auth.cancelBrowserSession {
        order.withLock { $0.append("called back") }
        done.resume()
      }
      order.withLock { $0.append("returned") }
    }
    #expect(order.withLock { $0 } == ["returned", "called back"])
    rig.auth.cancelBrowserSession()
    #expect(rig.flows.isEmpty)
  }

  @Test(arguments: [
    (DrawFailure(.missing, "there is no browser"), OktaError.unableToOpenBrowser),
    (DrawFailure(.cancelled), .userCancelledAuthorizationFlow),
    (DrawFailure(.timedOut, "whatever it says"), .timeout),
    (DrawFailure(.failed, "the page was not shown in time"), .APIError("the page was not shown in time")),
  ])
  func `a browser that brings no redirect fails by its reason`(reason: DrawFailure, expected: OktaError) async throws {
    let rig = try OIDCRig(browser: ScriptedBrowser { _ in .failure(reason) }, values: Self.loopback)
    #expect(await failure { try await rig.auth.signInWithBrowser() } == expected)
    try rig.expectReplay()
  }

  @Test func `parameters are sent ahead where the server takes them, and the page names them alone`() async throws {
    let pushed = Locked<[String: String]>([:])
    let provider = TinyProvider(
      metadata: [("pushed_authorization_request_endpoint", .string(TinyProvider.home + "/par"))]
    ) { request, _ in
      if request.url.hasSuffix("/par") { pushed.withLock { $0 = TinyProvider.form(request) } }
    }
    let browser = ScriptedBrowser { url in
      let state = pushed.withLock { $0["state"] ?? "" }
      return .success("http://127.0.0.1:1/callback?code=code-of-the-test&state=\(state)")
    }
    let rig = try OIDCRig(provider, browser: browser, values: Self.loopback)
    _ = try await rig.auth.signInWithBrowser()
    #expect(pushed.withLock { $0["client_id"] } == "client-7" && pushed.withLock { $0["code_challenge"] } != nil)
    let query = TinyProvider.query(browser.pages[0])
    #expect(query["request_uri"] == "urn:par:1234567890" && query["client_id"] == "client-7" && query["state"] == nil)
    try rig.expectReplay()
  }

  // MARK: Sign-out

  private func manager(_ rig: OIDCRig, idToken: String? = "e30.e30.x") async throws -> OktaAuthStateManager {
    var tokens = try await rig.signIn().authState
    tokens.tokens.idToken = idToken
    return OktaAuthStateManager(
      authState: tokens, configuration: rig.auth.configuration, environment: rig.environment)
  }

  @Test func `a sign-out sends the browser with the ID token, and back`() async throws {
    let browser = ScriptedBrowser(listeningOn: "http://127.0.0.1:4711") { Self.allowing($0) }
    let rig = try OIDCRig(browser: browser, values: Self.loopback)
    let manager = try await manager(rig)
    try await rig.auth.signOutOfOkta(manager)
    let query = TinyProvider.query(browser.pages[0])
    #expect(query["id_token_hint"] == "e30.e30.x" && query["post_logout_redirect_uri"] == "http://127.0.0.1:4711/bye")
    #expect(manager.accessToken != nil && !rig.provider.paths.contains("/op/revoke"))
    try rig.expectReplay()
  }

  @Test func `a sign-out without an ID token, and one without a place to come back to, asks no one`() async throws {
    let rig = try OIDCRig(browser: ScriptedBrowser { Self.allowing($0) }, values: Self.loopback)
    let manager = try await manager(rig, idToken: nil)
    let before = rig.provider.requests.count
    #expect(await failure { try await rig.auth.signOutOfOkta(manager) } == .missingIdToken)
    let homeless = try OIDCRig(values: ["logoutRedirectUri": ""])
    let other = try await self.manager(homeless)
    #expect(await failure { try await homeless.auth.signOutOfOkta(other) } == .missingConfigurationValues)
    #expect(rig.provider.requests.count == before)
    try rig.expectReplay()
  }

  @Test(arguments: [("http://127.0.0.1/bye", nil), ("", "e30.e30.x")] as [(String, String?)])
  func `a sign-out by parts does without the browser what it can, if the browser's part lacks something`(
    logout: String, idToken: String?
  ) async throws {
    let values = Self.loopback.merging(["logoutRedirectUri": logout]) { $1 }
    let browser = ScriptedBrowser { Self.allowing($0) }
    let rig = try OIDCRig(browser: browser, values: values)
    let manager = try await manager(rig, idToken: idToken)
    try manager.writeToSecureStorageOrThrow()
    #expect(await rig.auth.signOut(manager) == .signOutFromOkta)
    let hints = rig.provider.requests.filter { $0.url.hasSuffix("/revoke") }
      .map { TinyProvider.form($0)["token_type_hint"] }
    #expect(hints == ["access_token", "refresh_token"])
    #expect(browser.pages.isEmpty)
    #expect(try !rig.store.keys().isEmpty)
    try rig.expectReplay()
  }

  @Test func `a sign-out by parts revokes, leaves and clears in order; what is stored stays if a part failed`()
    async throws
  {
    for isBroken in [false, true] {
      let provider = TinyProvider { request, response in
        guard isBroken, request.url.hasSuffix("/revoke"),
          TinyProvider.form(request)["token_type_hint"] == "refresh_token"
        else { return }
        response = HTTPResponse(status: 500, headers: [], body: [])
      }
      let rig = try OIDCRig(provider, browser: ScriptedBrowser { Self.allowing($0) }, values: Self.loopback)
      let manager = try await manager(rig)
      try manager.writeToSecureStorageOrThrow()
      let failed = await rig.auth.signOut(manager)
      #expect(failed == (isBroken ? [.revokeRefreshToken] : []))
      #expect(try rig.store.keys().isEmpty == !isBroken)
      // A renewal does not bring back what was removed.
      #expect(manager.autoPersist == isBroken)
      let hints = rig.provider.requests.filter { $0.url.hasSuffix("/revoke") }
        .map { TinyProvider.form($0)["token_type_hint"] }
      #expect(hints == ["access_token", "refresh_token"])
      #expect(
        rig.tokenEvents.map(\.type)
          == ["token.issued", "token.stored", "token.revoked"]
          + (isBroken ? ["token.refused"] : ["token.revoked", "token.cleared"]))
      try rig.expectReplay()
    }
  }
}

/// A log on a disk that becomes full.
private struct FillingRecorder: Recorder, FlowJournal {
  let isFull = Locked(false)

  func journal(for stream: String) -> any FlowJournal { self }
  func append(_ entries: [JournalEntry]) throws(AuditError) {
    if isFull.withLock({ $0 }) { throw AuditError("The disk is full.") }
  }
  func barrier(resume: @escaping @Sendable (AuditError?) -> Void) -> JournalBarrier { .passed }
}
