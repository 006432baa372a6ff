import FlowRecording
import Foundation
import IDX
import Scenarios
import SimulatedOrg
import Testing

/// Programs written for okta-idx-swift use these members; nothing here needs more than `import IDX`.
@Suite struct SourceCompatibilityTests {
  private func stage(_ policy: OrgPolicy?, _ factors: [OrgFactor] = []) async throws -> IDXStage {
    try await IDXStage(
      OrgConfiguration(
        users: [OrgUser(login: Scenario.login, password: Scenario.password, factors: factors)],
        policy: policy ?? .standard))
  }

  @Test("remediations, authenticators, messages and fields are collections with positions")
  func collections() async throws {
    let stage = try await stage(OrgPolicy.named("password-one-page"))
    let response = try await stage.begin().start()

    let remediations: RemediationCollection = response.remediations
    let remediation = try #require(remediations.first)
    #expect(remediation.type == .identify && remediations.firstIndex(of: remediation) == 0)
    #expect(remediations[0] == remediation && remediations[0].name == "identify")
    let second = remediations[1]
    #expect(second.name == remediations.dropFirst().first?.name)
    #expect(remediations.last?.type == .cancel && remediations.indices.count == remediations.count)
    #expect(remediations[99] == nil && remediations[-1]?.name == nil)
    if let first = remediations[0] { #expect(first == remediation) }
    #expect(Set(remediations).count == remediations.count && remediations.reversed().last == remediation)

    #expect(remediation.form[0]?.name == "identifier" && remediation.form[99] == nil)
    #expect(remediation.form.first == remediation["identifier"] && !remediation.form.isEmpty)
    #expect(remediation.form.firstIndex(where: { $0.name == "credentials" }) == 1)
    #expect(remediation.form.flatMap { $0.form?.fields ?? [] }.map(\.name) == ["passcode"])

    let authenticators: AuthenticatorCollection = response.authenticators
    #expect(authenticators.first?.type == .password && authenticators[0].key == "okta_password")
    #expect(remediation.authenticators.firstIndex(where: { $0.type == .password }) == 0)

    remediation.identifier?.value = Scenario.login
    remediation.credentials?.passcode?.value = "wrong"
    let refused = try await remediation.proceed()
    let messages: MessageCollection = refused.messages
    #expect(messages.first?.type == .error && messages[0].localizationKey == "errors.E0000004")
    #expect(messages.first == messages.allMessages.first && messages[7] == nil)
    await stage.org.stop()
  }

  @Test("objects of a response are equal to themselves, authenticators to what they describe")
  func equality() async throws {
    let stage = try await stage(OrgPolicy.named("password-one-page"))
    let flow = stage.begin()
    let response = try await flow.start()
    let again = try await flow.resume()
    #expect(response == response && response != again && Set([response, again]).count == 2)
    #expect(response.remediations == response.remediations && response.remediations != again.remediations)
    let (first, second) = (response.remediations[.identify], again.remediations[.identify])
    #expect(first == response.remediations["identify"] && first != second)
    #expect(first?["identifier"] == first?.form.first && first?["identifier"] != second?["identifier"])
    #expect(first?.form == first?.form && first?.form != second?.form)
    #expect(response.authenticators == again.authenticators)
    #expect(response.authenticators.current == again.authenticators.current)
    #expect(response.messages == again.messages)
    let recoverable = try #require(response.authenticators.current?.recoverable)
    #expect(recoverable == response.authenticators.current?.recoverable)
    #expect(recoverable != again.authenticators.current?.recoverable)
    await stage.org.stop()
  }

  @Test("words that this SDK does not know are `.unknown`, and keep their text")
  func unknowns() async throws {
    #expect(Remediation.RemediationType(string: "brand-new") == .unknown)
    #expect(Remediation.RemediationType(string: "brand-new") == .unknown("brand-new"))
    #expect(Remediation.RemediationType(string: "identify") != .unknown)
    #expect(Authenticator.Kind(string: "tac") == .unknown && Authenticator.Kind(string: "email") == .email)
    #expect(Authenticator.Kind(string: "security_question").stringValue == "securityQuestion")
    #expect(
      [Authenticator.Kind.email, .unknown("tac")].contains(.unknown) && ![Authenticator.Kind.email].contains(.unknown))
    #expect(Authenticator.Method(string: "webauthn").stringValue == "webAuthN")
    #expect(
      Authenticator.Method(string: "signed_nonce") == .signedNonce && Authenticator.Method(string: "x") == .unknown)
    #expect(Response.Intent(string: "LOGIN") == .login && Response.Intent(string: nil) == .unknown)
    #expect(Response.Message.Severity(string: "INFO") == .info)
    #expect(Capability.SocialIDP.Service(string: "GOOGLE") == .google)
    let type: Remediation.RemediationType? = nil
    #expect(!(type == .unknown) && type != .unknown)
    switch Authenticator.Kind(string: "tac") {
    case .unknown: break
    default: Issue.record("not unknown")
    }
  }

  /// A controller that keeps closures by their names, and leaves the outcome to its delegate where it has none.
  final class Controller: InteractionCodeFlowDelegate {
    let flow: InteractionCodeFlow
    let heard: (String) -> Void

    init(_ flow: InteractionCodeFlow, heard: @escaping (String) -> Void) {
      self.flow = flow
      self.heard = heard
      flow.add(delegate: self)
    }

    func begin() { flow.start(completion: nil) }
    func look() { flow.resume() }
    func look(completion: InteractionCodeFlow.ResponseResult? = nil) { flow.resume(completion: completion) }
    func exchange(_ url: URL) { flow.exchangeCode(redirect: url) }
    func exchange(_ url: URL, completion: InteractionCodeFlow.TokenResult?) {
      flow.exchangeCode(redirect: url, completion: completion)
    }

    func authentication<Flow>(flow: Flow, received response: Response) where Flow: InteractionCodeFlow {
      heard("response")
    }
    func authentication<Flow>(flow: Flow, received error: InteractionCodeFlowError) where Flow: InteractionCodeFlow {
      heard("\(error)")
    }
    func authentication<Flow>(flow: Flow, received token: Token) where Flow: InteractionCodeFlow { heard("token") }
  }

  @Test("calls without a closure report to the delegate alone")
  func optionalCompletions() async throws {
    let stage = try await stage(OrgPolicy.named("password-one-page"))
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let controller = Controller(stage.begin()) { continuation.yield($0) }
    var words = stream.makeAsyncIterator()
    controller.begin()
    #expect(await words.next() == "response")
    controller.look()
    #expect(await words.next() == "response")
    let url = try #require(URL(string: "com.example.app:/callback?error=interaction_required"))
    controller.exchange(url)
    #expect(await words.next() == "invalidContext")
    controller.look { result in if case .success = result { continuation.yield("closure") } }
    #expect(await words.next() == "response")
    #expect(await words.next() == "closure")
    controller.exchange(url) { result in if case .failure(let error) = result { continuation.yield("closure \(error)") }
    }
    #expect(await words.next() == "invalidContext")
    #expect(await words.next() == "closure invalidContext")
    await stage.org.stop()
  }

  @Test("a flow is made of a client, has its options, and its context has PKCE")
  func making() async throws {
    let stage = try await stage(OrgPolicy.named("password-one-page"))
    let made = stage.begin()
    let flow = stage.environment.run {
      InteractionCodeFlow(
        redirectUri: made.redirectUri,
        client: OAuth2Client(
          baseURL: made.client.baseURL, clientId: made.client.configuration.clientId, scopes: "openid"))
    }
    #expect(flow.options == nil && flow.context == nil)
    let wanted: [InteractionCodeFlow.Option: Any] = [.state: "state-1", .omitDeviceToken: true]
    _ = try await flow.start(options: wanted)
    #expect(flow.options?[.state] as? String == "state-1" && flow.options?[.omitDeviceToken] as? Bool == true)
    let pkce = try #require(flow.context?.pkce)
    #expect(pkce.codeVerifier.count == 43 && pkce.codeChallenge.count == 43 && pkce.method == .sha256)
    #expect("\(pkce)" == "PKCE(S256)")
    let begun = try #require(flow.context)
    flow.reset()
    #expect(flow.options == nil)
    // A context that is taken over has none of the options of the sign-in before.
    flow.context = begun
    #expect(flow.options?.keys.sorted { $0.rawValue < $1.rawValue } == [.state])
    _ = try await flow.start(options: wanted)
    #expect(flow.options?.count == 2)
    flow.context = begun
    #expect(flow.options?.keys.sorted { $0.rawValue < $1.rawValue } == [.state])
    flow.reset()
    #expect(flow.options == nil)

    _ = try await flow.start(with: .init(state: "state-2", maxAge: 900, acrValues: ["urn:okta:loa:2fa:any"]))
    #expect(flow.context?.state == "state-2")
    let interact = try #require(stage.org.requests.last { $0.target.hasSuffix("/interact") }?.text)
    #expect(interact.contains("max_age=900") && interact.contains("acr_values=urn%3Aokta%3Aloa%3A2fa%3Aany"))
    await #expect(throws: InteractionCodeFlowError.invalidParameterValue(name: "state", type: "string")) {
      try await flow.start(options: [.state: Date()])
    }
    await stage.org.stop()
  }

  @Test("pollables are objects, and capabilities are found by their types")
  func capabilities() async throws {
    let stage = try await stage(.standard, [.email(address: Scenario.login)])
    var response = try await stage.begin().start()
    for _ in 0..<4 where response.authenticators.current?.pollable == nil {
      guard let remediation = response.remediations[0] else { break }
      response = try await IDXScenario.step(
        remediation, of: response, on: stage, as: IDXPerson(choices: ["Email"]))
    }
    let current = try #require(response.authenticators.current)
    let pollable = current.pollable
    let isPolling = { [weak pollable] in pollable?.isPolling }
    #expect(pollable === current.capability(Capability.Pollable.self) && isPolling() == false)
    #expect(current.profile == current.capability(Capability.Profile.self))
    #expect(current.profile == current.capability(ProfileCapability.self))
    #expect(pollable === current.capability(PollCapability.self))
    #expect(current.context?["useEmailMagicLink"] as? Bool == true)
    #expect(current.allowedFor == nil || current.allowedFor == .any)
    await stage.org.stop()
  }

  @Test("credentials are found by id, by tag and as the default")
  func credentials() throws {
    let token = Token(accessToken: "source-compatibility-1", scope: "openid")
    let credential = try Credential.store(token, tags: ["account": "one"])
    defer { try? credential.remove() }
    #expect(try Credential.store(token) == credential && credential.tags == ["account": "one"])
    #expect(Credential.allIDs.contains(credential.id))
    #expect(try Credential.with(id: credential.id)?.token.accessToken == "source-compatibility-1")
    #expect(try Credential.find { $0.tags["account"] == "one" } == [credential])
    #expect(try Credential.find(where: { $0.scope == "nothing" }).isEmpty)
    credential.tags["account"] = "two"
    #expect(try Credential.find { $0.tags["account"] == "two" } == [credential])
    Credential.default = credential
    try credential.remove()
    #expect(try Credential.with(id: credential.id) == nil)
    let next = try Credential.store(Token(accessToken: "source-compatibility-2"))
    defer { try? next.remove() }
    #expect(Credential.default != nil && Credential.default != credential, "the next one is the default")
  }
}
