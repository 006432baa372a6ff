import EventStore
import FlowRecording
import Foundation
import OIDC
import Replay
import Scenarios
import SimulatedOrg
import Testing

@testable import IDX

/// The usage examples of the seed document, as an application writes them; adapted only where the document's own code
/// does not compile (`if let` on values that are no optionals, a stray brace).
@Suite struct SeedUsageTests {
  enum Failure: Error { case notOffered }

  /// «Get new tokens using username & password».
  func signIn(_ flow: InteractionCodeFlow, username: String, password: String) async throws -> Token? {
    var response = try await flow.start()
    guard let remediation = response.remediations[.identify],
      let usernameField = remediation["identifier"],
      let passwordField = remediation["credentials.passcode"]
    else {
      return nil
    }
    usernameField.value = username
    passwordField.value = password
    response = try await remediation.proceed()
    guard response.isLoginSuccessful
    else {
      return nil
    }
    return try await response.exchangeCode()
  }

  @Test("username and password, and a transaction started again")
  func passwords() async throws {
    let user = OrgUser(login: Scenario.login, password: Scenario.password)
    let stage = try await IDXStage(
      OrgConfiguration(users: [user], policy: OrgPolicy.named("password-one-page") ?? .standard))
    let token = try await signIn(stage.begin(), username: Scenario.login, password: Scenario.password)
    #expect(token != nil)
    let flow = stage.begin()
    let response = try await flow.start()
    let again = try await response.cancel()
    #expect(again.remediations[.identify] != nil)
    await stage.org.stop()
  }

  @Test("«Create the flow», from parts, from a client, and with closures")
  func creating() async throws {
    let script = IDXScript(ION.identify)
    let flow = script.environment.run {
      InteractionCodeFlow(
        issuer: "https://acme.example/oauth2/default", clientId: "0oa1client",
        scopes: ["openid", "email", "offline_access"], redirectUri: "com.example.app:/callback")
    }
    #expect(flow.client.scopes == "openid email offline_access")
    let first: Response = try await withCheckedThrowingContinuation { continuation in
      flow.start { result in
        switch result {
        case .success(let response):
          continuation.resume(returning: response)
        case .failure(let error):
          continuation.resume(throwing: error)
        }
      }
    }
    #expect(!first.remediations.isEmpty)
    let made = script.environment.run { flow.client.interactionCodeFlow(redirectUri: flow.redirectUri) }
    #expect(made.client == flow.client)
  }

  @Test("each way to write issuer and scopes takes what the longest form takes")
  func allForms() throws {
    let script = IDXScript(ION.identify)
    let (issuer, redirect) = (IDXScript.issuer, IDXScript.redirect)
    let (issuerURL, redirectURL) = (try #require(URL(string: issuer)), try #require(URL(string: redirect)))
    let (parameters, origins) = (["prompt": "login"], ["https://login.acme.example"])
    let device = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    let environment = script.environment
    let flows = [
      InteractionCodeFlow(
        issuer: issuerURL, clientId: "c", scopes: "openid email", redirectUri: redirectURL,
        additionalParameters: parameters, deviceIdentifier: device, clientSecret: "client-secret-1", context: nil,
        allowedOrigins: origins, environment: environment),
      InteractionCodeFlow(
        issuer: issuerURL, clientId: "c", scopes: ["openid", "email"], redirectUri: redirectURL,
        additionalParameters: parameters, deviceIdentifier: device, clientSecret: "client-secret-1", context: nil,
        allowedOrigins: origins, environment: environment),
      InteractionCodeFlow(
        issuer: issuer, clientId: "c", scopes: "openid email", redirectUri: redirect,
        additionalParameters: parameters, deviceIdentifier: device, clientSecret: "client-secret-1", context: nil,
        allowedOrigins: origins, environment: environment),
      InteractionCodeFlow(
        issuer: issuer, clientId: "c", scopes: ["openid", "email"], redirectUri: redirect,
        additionalParameters: parameters, deviceIdentifier: device, clientSecret: "client-secret-1", context: nil,
        allowedOrigins: origins, environment: environment),
    ]
    let settings = flows.map { script.recorder.records(of: $0.flowID).first?.event.data["settings"] ?? .null }
    for one in settings {
      #expect(one == settings[0] && one["scope"] == "openid email" && one["clientSecret"] != nil)
    }
    #expect(flows.allSatisfy { $0.deviceIdentifier == device && $0.additionalParameters == parameters })
    let short = script.environment.run {
      InteractionCodeFlow(issuer: issuer, clientId: "c", scopes: "openid email", redirectUri: redirect)
    }
    #expect(short.client.scopes == "openid email" && short.redirectUri == redirectURL)
  }

  @Test("selecting an authenticator, a security question, a phone")
  func enrolling() async throws {
    let user = OrgUser(login: Scenario.login, password: Scenario.password)
    let stage = try await IDXStage(
      OrgConfiguration(users: [user], policy: OrgPolicy.named("enrol-required") ?? .standard))
    let flow = stage.begin()
    var response = try await flow.start()
    response.remediations[.identify]?.identifier?.value = Scenario.login
    response = try await #require(response.remediations[.identify]).proceed()
    response.remediations[.challengeAuthenticator]?["credentials.passcode"]?.value = Scenario.password
    response = try await #require(response.remediations[.challengeAuthenticator]).proceed()

    var shown: [String?] = []
    if let remediation = response.remediations[.selectAuthenticatorEnroll],
      let authenticatorOptions = remediation["authenticator"]?.options
    {
      for option in authenticatorOptions {
        guard option.authenticator != nil else { continue }
        shown.append(option.label)
      }
    }
    #expect(shown.contains("Security Question"))

    let selectedChoice = "Security Question"
    if let remediation = response.remediations[.selectAuthenticatorEnroll],
      let authenticator = remediation["authenticator"],
      let option = authenticator.options?.first(where: { field -> Bool in
        field.label == selectedChoice
      })
    {
      authenticator.selectedOption = option
      response = try await remediation.proceed()
    }

    guard let remediation = response.remediations[.enrollAuthenticator],
      let credentials = remediation["credentials"],
      let createQuestionOption = credentials.options?.first(where: { option in
        option.label == "Create my own security question"
      }),
      let questionField = createQuestionOption["question"],
      let answerField = createQuestionOption["answer"]
    else { throw Failure.notOffered }
    credentials.selectedOption = createQuestionOption
    questionField.value = "What is Trillian's real name?"
    answerField.value = "Tricia MacMillan"
    response = try await remediation.proceed()

    guard let remediation = response.remediations[.selectAuthenticatorEnroll],
      let authenticatorField = remediation["authenticator"],
      let phoneOption = authenticatorField.options?.first(where: { option in
        option.label == "Phone"
      }),
      let phoneNumberField = phoneOption["phoneNumber"],
      let methodTypeField = phoneOption["methodType"],
      let smsMethod = methodTypeField.options?.first(where: { option in
        option.label == "SMS"
      })
    else { throw Failure.notOffered }
    authenticatorField.selectedOption = phoneOption
    methodTypeField.selectedOption = smsMethod
    phoneNumberField.value = "+15551234567"
    response = try await remediation.proceed()
    #expect(stage.org.outbox.last?.channel == .sms)
    await stage.org.stop()
  }

  @Test("recovery, the mail's link, messages and terminal states")
  func recovering() async throws {
    let script = IDXScript(ION.polled(), ION.success())
    let flow = script.flow()
    let response = try await flow.start()
    guard let remediation = response.remediations[.challengeAuthenticator],
      let authenticator = remediation.authenticators[.email]
    else { throw Failure.notOffered }
    let firing = script.firing()
    if let pollable = authenticator.pollable {
      let response = try await pollable.startPolling()
      #expect(response.isLoginSuccessful)
    }
    firing.cancel()
    if let recoverable = response.authenticators.current?.recoverable { _ = recoverable }
    var shown: [String] = []
    response.messages.allMessages.forEach { message in shown.append(message.message) }
    response.messages.forEach { message in shown.append(message.message) }
    remediation.form.forEach { formField in shown.append(formField.name ?? "") }
    #expect(shown == ["credentials"])
    #expect(remediation["credentials"]?.form?["passcode"] === remediation["credentials.passcode"])
    #expect(response.remediations.first(where: { $0.name == "challenge-authenticator" }) === remediation)
    #expect(!response.remediations.isEmpty)
    #expect(response.authenticators.current?.type == .email)
  }

  /// «Password recovery», its second piece: names the user, and asks for recovery once more.
  private func nameUser(
    in response: Response?, recoverable: Capability.Recoverable
  ) async throws -> (remediation: Remediation, newResponse: Response) {
    guard let response = response,
      let remediation = response.remediations[.identifyRecovery],
      let identifierField = remediation["identifier"]
    else {
      throw Failure.notOffered
    }

    identifierField.value = "mary.smith@example.com"

    let newResponse = try await recoverable.recover()
    return (remediation, newResponse)
  }

  @Test("«Password recovery»: the user is named on the page that recovery brings, as the document has it, and goes on")
  func identifyRecovery() async throws {
    let user = OrgUser(
      login: "mary.smith@example.com", password: Scenario.password, factors: [.email(address: "mary.smith@example.com")]
    )
    let recorder = MemoryRecorder()
    let stage = try await IDXStage(
      OrgConfiguration(users: [user], policy: OrgPolicy.named("password-one-page") ?? .standard), recorder: recorder)
    let flow = stage.begin()
    let response = try await flow.start()
    guard let recoverable = response.authenticators.current?.recoverable else { throw Failure.notOffered }
    let newResponse = try await recoverable.recover()
    let named = try await nameUser(in: newResponse, recoverable: recoverable)
    // The document's second `recover` brings the same page again; what was filled in is sent by `proceed`.
    #expect(named.newResponse.remediations[.identifyRecovery] != nil)
    #expect(stage.org.requests.filter { $0.target.hasSuffix("/recover") }.count == 2)
    let next = try await named.remediation.proceed()
    #expect(stage.org.requests.last?.text.contains(#""identifier":"mary.smith@example.com""#) == true)
    #expect(next.remediations[.identifyRecovery] == nil && !next.isTerminal)
    let records = await recordsAtRest(of: flow, in: recorder)
    #expect(
      try Replay.replay(Recording(name: "seed", flows: [RecordedFlow(stream: flow.flowID, records: records)])) == [])
    await stage.org.stop()
  }

  /// «Responding to events using InteractionCodeFlowDelegate».
  final class LoginManager: InteractionCodeFlowDelegate {
    private let flow: InteractionCodeFlow
    let username: String
    let password: String
    private let done: (String) -> Void

    init(_ flow: InteractionCodeFlow, username: String, password: String, done: @escaping (String) -> Void) {
      self.flow = flow
      self.username = username
      self.password = password
      self.done = done
      flow.add(delegate: self)
    }

    func start() {
      flow.start { result in
        switch result {
        case .failure: break
        case .success(_): break
        }
      }
    }

    func authenticationStarted<Flow>(flow: Flow) where Flow: InteractionCodeFlow { done("started") }

    func authenticationFinished<Flow>(flow: Flow) where Flow: InteractionCodeFlow { done("finished") }

    func authentication<Flow>(flow: Flow, received response: Response) where Flow: InteractionCodeFlow {
      guard !response.isLoginSuccessful else {
        response.exchangeCode()
        return
      }
      if let remediation = response.remediations[.identify] {
        remediation["identifier"]?.value = username
        remediation["credentials.passcode"]?.value = password
        remediation.proceed()
      } else if let remediation = response.remediations[.challengeAuthenticator],
        response.authenticators.current?.type == .password
      {
        remediation["credentials.passcode"]?.value = password
        remediation.proceed()
      }
    }

    func authentication<Flow>(flow: Flow, received token: Token) where Flow: InteractionCodeFlow {
      do {
        try Credential.store(token)
        done("token")
      } catch {
        done("\(error)")
      }
    }

    func authentication<Flow>(flow: Flow, received error: OAuth2Error) { done("error") }
  }

  @Test("a delegate leads a whole sign-in", arguments: ["password", "password-one-page"])
  func delegates(policy: String) async throws {
    let user = OrgUser(login: Scenario.login, password: Scenario.password)
    let recorder = MemoryRecorder()
    let stage = try await IDXStage(
      OrgConfiguration(users: [user], policy: OrgPolicy.named(policy) ?? .standard), recorder: recorder)
    let flow = stage.begin()
    let heard = Locked<[String]>([])
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let manager = LoginManager(flow, username: Scenario.login, password: Scenario.password) { word in
      heard.withLock { $0.append(word) }
      continuation.yield(word)
    }
    manager.start()
    for await word in stream where word == "finished" || word == "error" { break }
    #expect(heard.withLock { $0 } == ["started", "token", "finished"])
    #expect(Credential.all.contains { $0.token.tokenType == "Bearer" })
    flow.remove(delegate: manager)
    await stage.org.stop()
  }
}
