// What a configuration sets in code has its effect (oidc §1.2, §10).

import EventStore
import FlowRecording
import FlowTestKit
import Foundation
import OIDC
import Replay
import Scenarios
import Testing

@Suite struct OptionTests {
  /// An entry point like the rig's whose configuration a test changes.
  private func auth(
    _ rig: OIDCRig, _ values: [String: String] = [:], _ change: (inout OktaAuthConfig) -> Void
  ) throws -> OktaAppAuth {
    var configuration = rig.auth.configuration
    if !values.isEmpty { configuration = configuration.configuration(withAdditionalParams: values) }
    change(&configuration)
    return try OktaAppAuth(configuration: configuration, environment: rig.environment)
  }

  // MARK: Time-outs and rate limits

  /// A transport that never answers, and ends when it is cancelled.
  private final class SilentTransport: Transport {
    let isCancelled = Locked(false)
    func send(
      _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
    ) -> any TransportTask {
      Task(isCancelled: isCancelled, completion: completion)
    }
    private struct Task: TransportTask {
      let isCancelled: Locked<Bool>
      let completion: @Sendable (Result<HTTPResponse, TransportError>) -> Void
      func cancel() {
        isCancelled.withLock { $0 = true }
        completion(.failure(TransportError(.cancelled, "It was given up.")))
      }
    }
  }

  @Test func `a request times out after the configured time`() async throws {
    let time = VirtualTime(start: OIDCRig.start)
    let rig = try OIDCRig(time: time)
    let silent = SilentTransport()
    var environment = rig.environment
    environment.transport = silent
    var configuration = rig.auth.configuration
    configuration.options.httpTimeout = 7
    let auth = try OktaAppAuth(configuration: configuration, environment: environment)
    let signIn = Task { await failure { try await auth.authenticate(withSessionToken: "session-canary") } }
    await time.waitForTimers()
    #expect(time.untilNextTimer == 7_000)
    time.advance(milliseconds: 7_000)
    let error = await signIn.value
    #expect(error?.failure?.isRetryable == true, "\(error as Any)")
    #expect(silent.isCancelled.withLock { $0 })
    try rig.expectReplay()
  }

  @Test func `an answer in time stops the clock`() async throws {
    let time = VirtualTime(start: OIDCRig.start)
    let rig = try OIDCRig(time: time)
    let auth = try auth(rig) { $0.options.httpTimeout = 7 }
    #expect(try await auth.authenticate(withSessionToken: "session-canary").accessToken == "access-canary-1")
    #expect(time.pending == 0)
    try rig.expectReplay()
  }

  /// A provider that answers the first requests to a path with 429.
  private static func limited(_ path: String, _ times: Int, _ headers: [HTTPField]) -> TinyProvider {
    let left = Locked(times)
    return TinyProvider { request, response in
      guard URLParts(request.url)?.path.hasSuffix(path) == true,
        left.withLock({ left in
          left -= 1
          return left >= 0
        })
      else { return }
      response = .json(["errorCode": "E0000047"], status: 429)
      response.headers += headers
    }
  }

  private static let window = [
    HTTPField("Date", "Thu, 15 Jan 2026 09:00:00 GMT"), HTTPField("X-Rate-Limit-Limit", "20"),
    HTTPField("X-Rate-Limit-Reset", "1768467612"), HTTPField("X-Okta-Request-Id", "first-1"),
  ]

  @Test(arguments: ["/openid-configuration", "/authorize", "/token"])
  func `a rate limit is waited for, and the request marked when it is sent again`(path: String) async throws {
    let rig = try OIDCRig(Self.limited(path, 2, Self.window))
    #expect(try await rig.signIn().accessToken != nil)
    let sent = rig.provider.requests.filter { URLParts($0.url)?.path.hasSuffix(path) == true }
    #expect(sent.count == 3)
    func marks(_ index: Int) -> [String] {
      sent[index].headers.filter { $0.name.hasPrefix("X-Okta-Retry") }.map { "\($0.name): \($0.value)" }
    }
    #expect(marks(0) == [])
    #expect(marks(1) == ["X-Okta-Retry-For: first-1", "X-Okta-Retry-Count: 1"])
    #expect(marks(2) == ["X-Okta-Retry-For: first-1", "X-Okta-Retry-Count: 2"])
    #expect(sent[1].body == sent[0].body && sent[1].url == sent[0].url)
    let waits = rig.flows[0].records.compactMap { record -> Int? in
      if case .timerSet(let timer) = record.event { timer.milliseconds } else { nil }
    }
    #expect(waits == [12_000, 12_000])
    // Requests of other steps carry no marks.
    #expect(rig.provider.requests.flatMap(\.headers).count { $0.name == "X-Okta-Retry-Count" } == 2)
    try rig.expectReplay()
  }

  @Test func `a rate limit that lasts, is too long or has no end is an error that a retry can help`() async throws {
    for (times, headers, count) in [
      (9, Self.window, 4), (1, [HTTPField("Retry-After", "61")], 1), (1, [], 1),
      (9, [HTTPField("Retry-After", "30")], 3),
    ] {
      let rig = try OIDCRig(Self.limited("/token", times, headers))
      let error = await failure { try await rig.signIn() }
      #expect(error?.httpStatus == 429 && error?.isRetryable == true, "\(error as Any)")
      #expect(rig.provider.paths.filter { $0 == "/op/token" }.count == count)
      try rig.expectReplay()
    }
  }

  @Test(arguments: [3, 4])
  func `from a limit on concurrency a request backs off, three times at most`(times: Int) async throws {
    // The end of the window says nothing then.
    let headers = Self.window.map { $0.name == "X-Rate-Limit-Limit" ? HTTPField($0.name, "0") : $0 }
    let rig = try OIDCRig(Self.limited("/token", times, headers + [HTTPField("X-Rate-Limit-Remaining", "0")]))
    let error = await failure { try await rig.signIn() }
    #expect(error?.httpStatus == (times == 3 ? nil : 429))
    let waits = rig.flows[0].records.compactMap { record -> Int? in
      if case .timerSet(let timer) = record.event { timer.milliseconds } else { nil }
    }
    #expect(waits.map { $0 / 1_000 } == [1, 2, 4], "\(waits)")
    #expect(rig.provider.paths.filter { $0 == "/op/token" }.count == 4)
    try rig.expectReplay()
  }

  @Test func `tokens end by the time at which they came, however long their check takes`() async throws {
    let isFirst = Locked(true)
    let time = HurriedTime(start: OIDCRig.start)
    let provider = SigningProvider { Int(time.now().microseconds / 1_000_000) }
    let rig = try OIDCRig(
      provider.transport { request, response in
        guard request.url.hasSuffix("/jwks"),
          isFirst.withLock({ isFirst in
            defer { isFirst = false }
            return isFirst
          })
        else { return }
        response = HTTPResponse(status: 429, headers: [HTTPField("Retry-After", "30")], body: [])
      }, time: time)
    let tokens = try await rig.signIn().authState.tokens
    let start = OIDCRig.start.microseconds
    #expect(time.now().microseconds == start + 30_000_000)
    #expect(tokens.issued == start && tokens.expiry == start + 3_600_000_000)
    try rig.expectReplay()
  }

  @Test func `a sign-in that waits for a rate limit can be cancelled`() async throws {
    let time = VirtualTime(start: OIDCRig.start)
    let rig = try OIDCRig(Self.limited("/token", 9, Self.window), time: time)
    let signIn = Task { await failure { try await rig.signIn() } }
    await time.waitForTimers()
    signIn.cancel()
    #expect(await signIn.value == .userCancelledAuthorizationFlow)
    #expect(time.pending == 0 && rig.provider.paths.filter { $0 == "/op/token" }.count == 1)
    try rig.expectReplay()
  }

  // MARK: The browser

  @Test func `without single sign-on the person is asked again, unless another prompt is given`() async throws {
    for (values, given, expected) in [
      ([:], [:], "login"), (["prompt": "consent"], [:], "consent"), ([:], ["prompt": "none"], "none"),
    ] as [([String: String], [String: String], String)] {
      let browser = ScriptedBrowser(listeningOn: "http://127.0.0.1:4711") { .success(OIDCStage.allowing($0)) }
      let rig = try OIDCRig(browser: browser, values: ["redirectUri": "http://127.0.0.1/callback"])
      let auth = try auth(rig, values) { $0.noSSO = true }
      _ = try await auth.signInWithBrowser(additionalParameters: given)
      #expect(TinyProvider.query(browser.pages[0])["prompt"] == expected)
      _ = try await auth.authenticate(withSessionToken: "session-canary")
      let url = rig.provider.requests.last { $0.url.contains("/authorize") }?.url ?? ""
      #expect(TinyProvider.query(url)["prompt"] == values["prompt"])
      try rig.expectReplay()
    }
  }

  /// Opens the redirect of a page as a browser would, over a real connection.
  private final class PersonAtThePage: URLPresenter {
    let answer = Locked<HTTPResponse?>(nil)
    let page = Locked("")
    let came = AsyncStream.makeStream(of: Void.self)
    func show(_ url: URL) {
      page.withLock { $0 = url.absoluteString }
      let request = HTTPRequest(
        method: "GET", url: OIDCStage.allowing(url.absoluteString), headers: [HTTPField("Accept", "text/html")])
      _ = CurlTransport.standard.send(request) { [answer, came] result in
        answer.withLock { $0 = try? result.get() }
        came.continuation.finish()
      }
    }
  }

  @Test func `the browser ends at the configured page, or at one of the program's own`() async throws {
    for page in ["https://acme.example/welcome", nil] {
      let rig = try OIDCRig(values: ["redirectUri": "http://127.0.0.1/callback"])
      let auth = try auth(rig) { $0.options.finishedPage = page.flatMap { URL(string: $0) } }
      let person = PersonAtThePage()
      #expect(try await auth.signInWithBrowser(from: person).accessToken == "access-canary-1")
      for await _ in person.came.stream {}
      let answer = person.answer.withLock { $0 }
      #expect(answer?.status == (page == nil ? 200 : 302))
      #expect(answer?.headers.first { $0.name.lowercased() == "location" }?.value == page)
      try rig.expectReplay()
    }
  }

  /// Two ports that are free, below those that the system gives to who asks for any: such a one is not taken meanwhile by chance.
  private static func freePorts() async throws -> [Int] {
    var ports: [Int] = []
    var next = 20_000 + Int(ProcessInfo.processInfo.processIdentifier) % 10_000
    while ports.count < 2, next < 32_000 {
      if case .success = await SystemBrowser(port: next).listen(path: "/") { ports.append(next) }
      next += 1
    }
    return try #require(ports.count == 2 ? ports : nil)
  }

  @Test func `a sign-in and a sign-out listen on the port that the redirect URI of each has`() async throws {
    let ports = try await Self.freePorts()
    let callback = "http://127.0.0.1:\(ports[0])/callback"
    for (logout, isFixed) in [("http://127.0.0.1:\(ports[1])/bye", true), ("http://127.0.0.1/bye", false)] {
      let rig = try OIDCRig(values: ["redirectUri": callback, "logoutRedirectUri": logout])
      let person = PersonAtThePage()
      var state = try await rig.auth.signInWithBrowser(from: person).authState
      #expect(TinyProvider.query(person.page.withLock { $0 })["redirect_uri"] == callback)
      state.tokens.idToken = "e30.e30.x"
      let manager = OktaAuthStateManager(
        authState: state, configuration: rig.auth.configuration, environment: rig.environment)
      let leaving = PersonAtThePage()
      try await rig.auth.signOutOfOkta(manager, from: leaving)
      let redirect = TinyProvider.query(leaving.page.withLock { $0 })["post_logout_redirect_uri"] ?? ""
      let port = URL(string: redirect)?.port
      #expect(isFixed ? redirect == logout : redirect.hasSuffix("/bye") && port != nil && port != ports[0])
      try rig.expectReplay()
    }
  }

  // MARK: Requests

  @Test func `requests say of the client what the configuration says, without what cannot stand in a header`()
    async throws
  {
    let rig = try OIDCRig()
    let auth = try auth(rig) { $0.setUserAgent(value: "acme-app/2\r\nX-Evil: 1") }
    let manager = try await auth.authenticate(withSessionToken: "session-canary")
    _ = try await manager.introspect(token: manager.accessToken)
    let agents = Set(rig.provider.requests.flatMap(\.headers).filter { $0.name == "User-Agent" }.map(\.value))
    #expect(agents == ["acme-app/2X-Evil: 1"])
    try rig.expectReplay()
  }

  private final class Watch: OktaNetworkRequestCustomizationDelegate {
    let answers = Locked<[Int]>([])
    func customizableURLRequest(_ request: HTTPRequest) -> HTTPRequest {
      var request = request
      request.headers.append(HTTPField("X-Acme", "header-canary"))
      return request
    }
    func didReceive(_ response: HTTPResponse) { answers.withLock { $0.append(response.status) } }
  }

  @Test func `a delegate sees requests and answers, and what it adds is a secret of the log`() async throws {
    let rig = try OIDCRig()
    let watch = Watch()
    let auth = try auth(rig) { $0.requestCustomizationDelegate = watch }
    let manager = try await auth.authenticate(withSessionToken: "session-canary")
    try await manager.renew()
    #expect(rig.provider.requests.allSatisfy { $0.headers.contains(HTTPField("X-Acme", "header-canary")) })
    #expect(watch.answers.withLock { $0 } == [200, 302, 200, 200])
    try rig.expectReplay()
  }

  // MARK: ID tokens

  @Test func `a sign-in that asked for an ID token and gets none is refused, and nothing is stored`() async throws {
    let rig = try OIDCRig(values: ["scopes": "openid offline_access"])
    guard case .JWTValidationError(let reason)? = await failure(of: { try await rig.signIn() }) else {
      return #expect(Bool(false), "it is not refused")
    }
    #expect(reason.message.contains("openid"))
    #expect(rig.tokenEvents.map(\.type) == ["token.refused"])
    #expect(try rig.store.keys().isEmpty)
    try rig.expectReplay()
    // One that asked for none, and to which the SDK added the scope, needs none.
    _ = try await OIDCRig(values: ["scopes": "offline_access"]).signIn()
  }

  @Test func `a refreshed ID token need not repeat the nonce, and must not have another one`() async throws {
    let provider = SigningProvider { Int(OIDCRig.start.microseconds / 1_000_000) }
    let rig = try OIDCRig(provider.transport())
    let manager = try await rig.signIn()
    provider.refresh(withNonce: "another-nonce")
    let error = await failure { try await manager.renew() }
    #expect(error?.failure?.idToken?.claim == "nonce", "\(error as Any)")
    #expect(manager.accessToken == "access-canary-1" && manager.refreshToken == "refresh-canary-1")
    provider.refresh(withNonce: provider.nonce)
    try await manager.renew()
    provider.refresh(withNonce: nil)
    try await manager.renew()
    #expect(manager.accessToken == "access-canary-4")
    try rig.expectReplay()
  }

  @Test(arguments: [("https://cdn.example/jwks", nil), (TinyProvider.home + "/jwks", "3600")] as [(String, String?)])
  func `the time is that of the server itself: not another origin's, and not that of a cached answer`(
    keys: String, age: String?
  ) async throws {
    let provider = SigningProvider { Int(OIDCRig.start.microseconds / 1_000_000) }
    let rig = try OIDCRig(
      provider.transport(metadata: [("jwks_uri", .string(keys))]) { request, response in
        guard request.url == keys else { return }
        response.headers.append(HTTPField("Date", "Thu, 15 Jan 2026 08:00:00 GMT"))
        if let age { response.headers.append(HTTPField("Age", age)) }
      })
    let manager = try await rig.signIn()
    #expect(manager.accessToken == "access-canary-1" && manager.authState.tokens.clockSkew == nil)
    try rig.expectReplay()
  }

  @Test func `a sign-in that an older version recorded needs no ID token`() {
    var stage = CoreStage<OIDCCore>(settings: [
      "issuer": "https://id.example", "clientId": "c", "scopes": "openid", "redirectUri": "com.acme.app:/callback",
    ])
    stage.take(.callMade(CallMade(call: "signInWithSessionToken", arguments: ["sessionToken": "s"])))
    #expect(!stage.core.settings.requiresIDToken)
  }
}
