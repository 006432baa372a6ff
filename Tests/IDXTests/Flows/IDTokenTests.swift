import EventStore
import FlowRecording
import FlowTestKit
import Foundation
import OIDC
import Replay
import Scenarios
import SimulatedOrg
import Testing

@testable import IDX

/// The ID token that an interaction code brings is checked before the application gets anything of the tokens, as that of any
/// sign-in (oidc §8).
@Suite struct IDTokenTests {
  private static let configuration = OrgConfiguration(
    users: [OrgUser(login: Scenario.login, password: Scenario.password)])
  private static let nonce = "nonce-canary-of-the-test"

  // MARK: Against an org that signs

  /// A sign-in up to its interaction code.
  private struct SignedIn {
    let recorder = MemoryRecorder()
    let stage: IDXStage
    let flow: InteractionCodeFlow
    let response: Response

    init(_ options: [InteractionCodeFlow.Option: Any] = [.nonce: IDTokenTests.nonce]) async throws {
      stage = try await IDXStage(IDTokenTests.configuration, recorder: recorder)
      flow = stage.begin()
      var response = try await flow.start(options: options)
      while !response.isLoginSuccessful {
        let remediation = try #require(response.remediations.first)
        response = try await IDXScenario.step(remediation, of: response, on: stage)
      }
      self.response = response
    }

    var records: [FlowRecord] { recorder.records(of: flow.flowID) }

    /// The flow folds to what is live and replays, and no record has a secret of its tokens.
    func expectWhole(without secrets: [String?] = [], sourceLocation: SourceLocation = #_sourceLocation) async throws {
      let records = await recordsAtRest(of: flow, in: recorder, sourceLocation: sourceLocation)
      let recording = Recording(name: "id-token", flows: [RecordedFlow(stream: flow.flowID, records: records)])
      #expect(try Replay.replay(recording).map(\.message) == [], sourceLocation: sourceLocation)
      let log = records.map { $0.event.data.text }.joined()
      for secret in secrets.compactMap({ $0 }) + [IDTokenTests.nonce] {
        #expect(!log.contains(secret), sourceLocation: sourceLocation)
      }
    }
  }

  @Test func `tokens are handed out once their ID token is checked, and the log has the verdict`() async throws {
    let signedIn = try await SignedIn()
    let token = try await signedIn.response.exchangeCode()
    let types = signedIn.records.suffix(12).map { "\($0.event.type) \($0.event.data["kind"]?.string ?? "")" }
    #expect(
      types == [
        "draw.made oidc.known", "draw.made oidc.keys", "request.sent ", "response.received ", "draw.made oidc.remember",
        "request.sent ", "response.received ", "draw.asked oidc.validate", "draw.made oidc.validate", "token.issued ",
        "call.returned ", "flow.ended ",
      ])
    guard case .domain(let event)? = signedIn.records.map(\.event).last(where: { $0.type == TokenIssued.type }) else {
      return #expect(Bool(false))
    }
    #expect(event.data["claims"]?["aud"] == [.string(OrgClient.sample.id)])
    #expect(event.data["claims"]?["sub"]?.string?.hasPrefix("$secret.") == true)
    try await signedIn.expectWhole(without: [token.accessToken, token.idToken, token.refreshToken])
    await signedIn.stage.org.stop()
  }

  @Test(arguments: [
    ("nonce", OrgTokenDefect.idToken(.claim("nonce", "other"))), ("nonce", .idToken(.claim("nonce", nil))),
    ("aud", .idToken(.claim("aud", "other"))), ("azp", .idToken(.claim("azp", "other"))),
    ("signature", .idToken(.wrongSignature)), ("signature", .idToken(.otherKey)), ("kid", .idToken(.unknownKey)),
    ("alg", .idToken(.unsigned)), ("alg", .idToken(.sharedSecret)), ("exp", .idToken(.expired(seconds: 3_600))),
    ("iat", .idToken(.early(seconds: 3_600))), ("exp", .skewed(seconds: -8_000)), ("iat", .skewed(seconds: -400)),
    ("crit", .idToken(.header("crit", ["b64"]))), ("token", .member("id_token", "no token")),
    ("iss", .idToken(.claim("iss", "https://evil.example"))), ("sub", .idToken(.claim("sub", nil))),
    ("at_hash", .idToken(.claim("at_hash", "AAAAAAAAAAAAAAAAAAAAAA"))), ("iat", .skewed(seconds: 4_000)),
    ("id_token", .member("id_token", nil)), ("id_token", .member("id_token", "")),
  ])
  func `an ID token that is not right is refused, and nothing of the tokens is handed out`(
    claim: String, defect: OrgTokenDefect
  ) async throws {
    let signedIn = try await SignedIn()
    signedIn.stage.org.spoilTokens(defect)
    let error = try await idxFailure { try await signedIn.response.exchangeCode() }
    guard case .idTokenRefused(let failure) = error else {
      return #expect(Bool(false), "\(claim) is not refused: \(error)")
    }
    #expect(failure.claim == claim)
    let values: [String: (String?, String?)] = [
      "aud": (OrgClient.sample.id, "other"), "azp": (OrgClient.sample.id, "other"),
      "iss": (Stage.orgURL + "/oauth2/default", "https://evil.example"),
    ]
    if let (expected, actual) = values[claim] {
      #expect(failure.expected == expected && failure.actual == actual)
      #expect(error.errorDescription?.contains(actual ?? "") == true)
    }
    if claim == "alg" { #expect(failure.actual == "none" || failure.actual == "HS256") }
    if claim == "exp" || claim == "iat" { #expect(failure.expected != nil && failure.actual != nil) }
    let types = signedIn.records.map(\.event.type)
    #expect(types.filter { $0.hasPrefix("token.") } == ["token.refused"] && types.last == "flow.ended")
    #expect(signedIn.flow.session.flow.core.token == nil && signedIn.flow.session.flow.core.check == nil)
    #expect(!signedIn.flow.isAuthenticating)
    // The code is spent, and the sign-in is over.
    #expect(try await idxFailure { try await signedIn.response.exchangeCode() } == .invalidContext)
    try await signedIn.expectWhole()
    await signedIn.stage.org.stop()
  }

  /// Notes what a sign-in ends with.
  private final class Ear: InteractionCodeFlowDelegate, Sendable {
    let heard = Locked<[String]>([])

    func authenticationFinished<Flow>(flow: Flow) where Flow: InteractionCodeFlow {
      heard.withLock { $0.append("finished") }
    }

    func authentication<Flow>(
      flow: Flow, received error: InteractionCodeFlowError
    ) where Flow: InteractionCodeFlow {
      heard.withLock { $0.append("error") }
    }
  }

  @Test func `delegates learn that the sign-in is over once its ID token is refused`() async throws {
    let signedIn = try await SignedIn()
    signedIn.stage.org.spoilTokens(.idToken(.claim("aud", "other")))
    let ear = Ear()
    signedIn.flow.add(delegate: ear)
    let error = try await idxFailure { try await signedIn.response.exchangeCode() }
    guard case .idTokenRefused = error else { return #expect(Bool(false), "it is not refused: \(error)") }
    #expect(ear.heard.withLock { $0 } == ["error", "finished"] && !signedIn.flow.isAuthenticating)
    try await signedIn.expectWhole()
    await signedIn.stage.org.stop()
  }

  @Test(
    arguments: [
      ([:], nil, nil), ([.maxAge: 3_600], nil, nil),
      ([.maxAge: 3_600], OrgTokenDefect.idToken(.claim("auth_time", nil)), "auth_time missing"),
      ([.maxAge: 3_600], .idToken(.claim("auth_time", 1_000_000_000)), "auth_time tooOld"),
      ([:], .idToken(.claim("auth_time", 1_000_000_000)), nil), ([:], .idToken(.claim("nonce", "any")), nil),
    ] as [([InteractionCodeFlow.Option: Int], OrgTokenDefect?, String?)])
  func `what the sign-in was started with counts, and nothing else`(
    options: [InteractionCodeFlow.Option: Int], defect: OrgTokenDefect?, expected: String?
  ) async throws {
    let signedIn = try await SignedIn(options)
    if let defect { signedIn.stage.org.spoilTokens(defect) }
    #expect(await outcome { try await signedIn.response.exchangeCode() } == expected ?? "tokens")
    try await signedIn.expectWhole()
    await signedIn.stage.org.stop()
  }

  @Test func `a sign-in that goes on in another process compares the nonce of its beginning`() async throws {
    for defect in [nil, OrgTokenDefect.idToken(.claim("nonce", "other"))] {
      let stage = try await IDXStage(Self.configuration)
      let first = stage.begin()
      _ = try await first.start(options: [.nonce: Self.nonce])
      let saved = try JSONEncoder().encode(try #require(first.context))
      let second = stage.begin()
      second.context = try JSONDecoder().decode(InteractionCodeFlow.Context.self, from: saved)
      var response = try await second.resume()
      while !response.isLoginSuccessful {
        response = try await IDXScenario.step(try #require(response.remediations.first), of: response, on: stage)
      }
      if let defect { stage.org.spoilTokens(defect) }
      let (last, said) = (response, defect == nil ? "tokens" : "nonce mismatch")
      #expect(await outcome { try await last.exchangeCode() } == said)
      await stage.org.stop()
    }
  }

  /// `tokens`, or why there are none.
  private func outcome(_ operation: () async throws -> Token) async -> String {
    do {
      _ = try await operation()
      return "tokens"
    } catch InteractionCodeFlowError.idTokenRefused(let failure) {
      return "\(failure.claim) \(failure.rule.rawValue)"
    } catch {
      return "\(error)"
    }
  }

  // MARK: Against a script

  private func exchanged(_ script: IDXScript) async throws -> (InteractionCodeFlow, Response) {
    let flow = script.flow()
    let response = try await flow.start()
    return (flow, response)
  }

  private func paths(_ script: IDXScript) -> [String] {
    script.transport.requests.dropFirst(2).compactMap { $0.url.split(separator: "/").last.map(String.init) }
  }

  @Test func `metadata and keys that are remembered are not fetched again, unless the key is another`() async throws {
    let script = IDXScript(ION.success(), ION.token, ION.metadata, ION.keys)
    _ = try await exchanged(script).1.exchangeCode()
    #expect(paths(script) == ["token", "openid-configuration", "keys"])
    let handle: JSON = ["interaction_handle": .string(IDXScript.interactionHandle)]
    for answer in [handle, ION.success(), ION.token] { script.add(answer) }
    let (again, response) = try await exchanged(script)
    _ = try await response.exchangeCode()
    #expect(paths(script).count == 6 && paths(script).last == "token")
    try await script.expectWhole(again)
    // The server has another key now.
    let rotated = ScriptedIDToken.token([], kid: "key-2")
    let keys: JSON = ["keys": [ScriptedIDToken.jwk("key-2")]]
    for answer in [handle, ION.success(), ION.tokens(rotated), keys] { script.add(answer) }
    let (last, lastResponse) = try await exchanged(script)
    #expect(try await lastResponse.exchangeCode().idToken == rotated)
    #expect(paths(script).suffix(2) == ["token", "keys"])
    try await script.expectWhole(last)
  }

  @Test(arguments: ["metadata", "metadata of another", "no keys", "a lost connection", "no key set", "keys"])
  func `a check that cannot be made hands out nothing, and is made up for without the spent code`(
    fault: String
  ) async throws {
    let script = IDXScript(ION.success(), ION.token)
    switch fault {
    case "metadata": script.add([:], status: 503)
    case "metadata of another": script.add(["issuer": "https://evil.example", "jwks_uri": "https://evil.example/keys"])
    case "no keys": script.add(["issuer": .string(IDXScript.issuer)])
    case "a lost connection":
      script.add(ION.metadata)
      script.fail(.connectionLost)
    case "no key set":
      script.add(ION.metadata)
      script.add(["keys": "none"])
    case _:
      script.add(ION.metadata)
      script.add([:], status: 404)
    }
    let (flow, response) = try await exchanged(script)
    let error = try await idxFailure { try await response.exchangeCode() }
    if case .idTokenRefused = error { Issue.record("there is no verdict yet") }
    #expect(script.events(of: flow).allSatisfy { !$0.type.hasPrefix("token.") })
    #expect(flow.session.flow.core.token == nil && flow.isAuthenticating)
    guard fault != "no keys" else { return try await script.expectWhole(flow) }
    if fault.hasPrefix("metadata") { script.add(ION.metadata) }
    script.add(ION.keys)
    #expect(try await response.exchangeCode().idToken == ScriptedIDToken.good)
    #expect(paths(script).count { $0 == "token" } == 1)
    #expect(!flow.isAuthenticating)
    try await script.expectWhole(flow)
  }

  @Test func `a call that is cancelled in the middle of the check hands out nothing, and another one goes on`()
    async throws
  {
    let hold = ScriptedTransport.Hold()
    let script = IDXScript(ION.success(), ION.token, ION.metadata)
    script.add(ION.keys, hold: hold)
    let (flow, response) = try await exchanged(script)
    let first = Task { try await response.exchangeCode() }
    _ = await script.transport.requests(atLeast: 5)
    guard case .internalMessage = try await idxFailure({ try await response.exchangeCode() }) else {
      return #expect(Bool(false), "two exchanges at a time")
    }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    hold.release()
    script.add(ION.keys)
    #expect(try await response.exchangeCode().idToken == ScriptedIDToken.good)
    #expect(paths(script).count { $0 == "token" } == 1)
    try await script.expectWhole(flow)
  }

  @Test func `a redirect's code is checked alike, and another redirect does not get at its tokens`() async throws {
    let script = IDXScript(ION.identify, ION.metadata, ION.token)
    script.fail(.connectionLost)
    let flow = script.flow()
    _ = try await flow.start(options: [.state: "state-1"])
    func url(_ state: String) throws -> URL {
      try #require(URL(string: IDXScript.redirect + "?state=\(state)&interaction_code=code-1"))
    }
    let (right, wrong) = (try url("state-1"), try url("state-2"))
    guard case .internalError = try await idxFailure({ try await flow.exchangeCode(redirect: right) }) else {
      return #expect(Bool(false))
    }
    #expect(try await idxFailure { try await flow.exchangeCode(redirect: wrong) } == .invalidContext)
    script.add(ION.keys)
    #expect(try await flow.exchangeCode(redirect: right).idToken == ScriptedIDToken.good)
    #expect(paths(script) == ["openid-configuration", "token", "keys", "keys"])
    try await script.expectWhole(flow)
    let forged = IDXScript(ION.identify, ION.metadata, ION.tokens(ScriptedIDToken.token(signed: false)), ION.keys)
    let other = forged.flow()
    _ = try await other.start(options: [.state: "state-1"])
    guard case .idTokenRefused(let failure) = try await idxFailure({ try await other.exchangeCode(redirect: right) })
    else { return #expect(Bool(false)) }
    #expect(failure.claim == "signature")
    try await forged.expectWhole(other)
  }

  @Test func `tokens that wait for their check are those of their code alone`() async throws {
    let script = IDXScript(ION.success(), ION.token)
    script.fail(.connectionLost)
    let (flow, response) = try await exchanged(script)
    _ = try await idxFailure { try await response.exchangeCode() }
    // The org has another person's code now.
    script.add(ION.success(code: "interaction-code-2"))
    let other = try await flow.resume()
    script.add(ION.tokens(ScriptedIDToken.good, accessToken: "access-token-2"))
    script.add(ION.metadata)
    script.add(ION.keys)
    #expect(try await other.exchangeCode().accessToken == "access-token-2")
    let codes = script.transport.requests.filter { $0.url.hasSuffix("/token") }.map {
      IDXScript.form($0)["interaction_code"]
    }
    #expect(codes == ["interaction-code-1", "interaction-code-2"])
    try await script.expectWhole(flow)
  }

  @Test func `tokens of a redirect that wait for their check are not those of another redirect`() async throws {
    let script = IDXScript(ION.identify, ION.metadata, ION.token)
    script.fail(.connectionLost)
    let flow = script.flow()
    _ = try await flow.start(options: [.state: "state-1"])
    func url(_ code: String) throws -> URL {
      try #require(URL(string: IDXScript.redirect + "?state=state-1&interaction_code=\(code)"))
    }
    let (first, second) = (try url("code-1"), try url("code-2"))
    _ = try await idxFailure { try await flow.exchangeCode(redirect: first) }
    script.add(ION.metadata)
    script.add(ION.tokens(ScriptedIDToken.good, accessToken: "access-token-2"))
    script.add(ION.keys)
    #expect(try await flow.exchangeCode(redirect: second).accessToken == "access-token-2")
    let codes = script.transport.requests.filter { $0.url.hasSuffix("/token") }.map {
      IDXScript.form($0)["interaction_code"]
    }
    #expect(codes == ["code-1", "code-2"])
    try await script.expectWhole(flow)
  }

  @Test(arguments: ["https://keys.example/keys", IDXScript.issuer + "/v1/keys"])
  func `the clock is that of the org alone, and not of an answer out of a cache`(keys: String) async throws {
    let metadata: JSON = [
      "issuer": .string(IDXScript.issuer), "token_endpoint": .string(IDXScript.issuer + "/v1/token"),
      "jwks_uri": .string(keys),
    ]
    let age = keys.hasPrefix(IDXScript.issuer) ? [HTTPField("Age", "3600")] : []
    let script = IDXScript(ION.success(), ION.token, metadata)
    script.add(ION.keys, headers: [HTTPField("Date", "Thu, 15 Jan 2026 08:00:00 GMT")] + age)
    let (flow, response) = try await exchanged(script)
    #expect(try await response.exchangeCode().idToken == ScriptedIDToken.good)
    try await script.expectWhole(flow)
  }

  @Test func `algorithms are those of the application that the server names, and clocks may differ by so much`()
    async throws
  {
    func outcome(_ algorithms: [String], skew: Int, age: Int) async throws -> String {
      let old = ScriptedIDToken.token([("iat", .int(ScriptedIDToken.now - age))])
      let script = IDXScript(ION.success(), ION.tokens(old), ION.metadata, ION.keys)
      let flow = InteractionCodeFlow(
        issuer: try #require(URL(string: IDXScript.issuer)), clientId: "0oa1client", scopes: "openid",
        redirectUri: try #require(URL(string: IDXScript.redirect)), idTokenAlgorithms: algorithms,
        allowedClockSkew: skew, environment: script.environment)
      let response = try await flow.start()
      let said = await self.outcome { try await response.exchangeCode() }
      try await script.expectWhole(flow)
      return said
    }
    #expect(try await outcome(["RS256"], skew: 300, age: 0) == "alg algorithm")
    #expect(try await outcome(["ES384", "ES256"], skew: 300, age: 300) == "tokens")
    #expect(try await outcome(["ES256"], skew: 60, age: 61) == "iat skewed")
  }

  @Test func `a password in the name of an algorithm changes no verdict`() async throws {
    let script = IDXScript(ION.challenge, ION.success(), ION.token, ION.metadata, ION.keys)
    let flow = script.flow()
    let challenge = try #require(try await flow.start().remediations[.challengeAuthenticator])
    challenge["credentials.passcode"]?.value = "ES256"
    #expect(try await challenge.proceed().exchangeCode().idToken == ScriptedIDToken.good)
    try await script.expectWhole(flow)
  }

  @Test func `scopes without openid need no ID token, and one that comes is checked all the same`() async throws {
    let forged = ScriptedIDToken.token(signed: false)
    for (idToken, expected) in [(nil, "tokens"), (forged, "signature signature")] as [(String?, String)] {
      let script = IDXScript(ION.success(), ION.tokens(idToken), ION.metadata, ION.keys)
      let flow = InteractionCodeFlow(
        issuer: IDXScript.issuer, clientId: "0oa1client", scopes: ["profile"], redirectUri: IDXScript.redirect,
        environment: script.environment)
      let response = try await flow.start()
      #expect(await outcome { try await response.exchangeCode() } == expected)
      try await script.expectWhole(flow)
    }
  }

  @Test func `a sign-in that an older version recorded is not checked`() {
    var stage = CoreStage<IDXCore>(settings: [
      "issuer": "https://id.example", "clientId": "c", "scope": "openid", "redirectUri": "com.acme.app:/callback",
    ])
    stage.take(.callMade(CallMade(call: "start", arguments: [:])))
    #expect(stage.core.settings.idToken == nil && !stage.core.requiresIDToken)
  }
}
