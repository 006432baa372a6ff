import EventStore
import FlowRecording
import Foundation
import OIDC
import Testing

@testable import IDX

/// The way from start to tokens, and what is sent on it.
@Suite struct SignInTests {
  @Test("a sign-in from start to tokens: what is sent, what is recorded, and that it folds and replays")
  func signIn() async throws {
    let script = IDXScript(ION.identify, ION.challenge, ION.success(), ION.token, ION.metadata, ION.keys)
    let flow = script.flow()
    var response = try await flow.start()
    #expect(flow.isAuthenticating)
    #expect(response.intent == .login)
    #expect(response.remediations.map(\.name) == ["identify", "cancel"])
    let identify = try #require(response.remediations[.identify])
    identify["identifier"]?.value = "ann@acme.example"
    response = try await identify.proceed()
    let challenge = try #require(response.remediations[.challengeAuthenticator])
    challenge["credentials.passcode"]?.value = "Correct-Horse-7"
    response = try await challenge.proceed()
    #expect(response.isLoginSuccessful)
    let token = try await response.exchangeCode()
    #expect(token.accessToken == "access-token-1")
    #expect(token.idToken == ScriptedIDToken.good)
    #expect(token.expiresIn == 3600)
    #expect(!flow.isAuthenticating)
    #expect(flow.context == nil)
    try await script.expectWhole(flow)

    let requests = script.transport.requests
    #expect(
      requests.map(\.url) == [
        "https://acme.example/oauth2/default/v1/interact", "https://acme.example/idp/idx/introspect",
        "https://acme.example/idp/idx/identify", "https://acme.example/idp/idx/challenge/answer",
        "https://acme.example/oauth2/default/v1/token",
        "https://acme.example/oauth2/default/.well-known/openid-configuration",
        "https://acme.example/oauth2/default/v1/keys",
      ])
    let interact = IDXScript.form(requests[0])
    #expect(interact["client_id"] == "0oa1client")
    #expect(interact["scope"] == "openid profile")
    #expect(interact["redirect_uri"] == IDXScript.redirect)
    #expect(interact["code_challenge_method"] == "S256")
    #expect(interact["state"]?.utf8.count == 36)
    let exchange = IDXScript.form(requests[4])
    #expect(exchange["interaction_code"] == "interaction-code-1")
    #expect(exchange["grant_type"] == "interaction_code")
    #expect(exchange["code"] == nil)
    let verifier = try #require(exchange["code_verifier"])
    #expect(verifier.utf8.count == 43)
    #expect(PKCECheck.challenge(of: verifier) == interact["code_challenge"])
    #expect(try JSON(parsing: requests[1].body ?? [])["interactionHandle"] == .string(IDXScript.interactionHandle))
    #expect(
      try JSON(parsing: requests[2].body ?? []).sorted
        == ["identifier": "ann@acme.example", "stateHandle": .string(ION.stateHandle)])
    #expect(requests[2].headers.first { $0.name == "Accept" }?.value == "application/ion+json; okta-version=1.0.0")
    #expect(requests[2].headers.first { $0.name == "Content-Type" }?.value == "application/json; okta-version=1.0.0")
    #expect(requests[0].headers.first { $0.name == "Cookie" }?.value == "DT=ABEiM0RVZneImaq7zN3u/w==")

    let written = script.events(of: flow).map(\.data.text).joined(separator: "\n")
    for secret in [
      "Correct-Horse-7", ION.stateHandle, IDXScript.interactionHandle, "interaction-code-1", "access-token-1",
      ScriptedIDToken.good, ScriptedIDToken.subject, "refresh-token-1", verifier, interact["state"] ?? "",
      "ABEiM0RVZneImaq7zN3u/w==",
    ] {
      #expect(!written.contains(secret), "\(secret) was written")
    }
    let changes = script.events(of: flow).compactMap { event -> RemediationChanged? in
      if case .domain(let event) = event { RemediationChanged(event) } else { nil }
    }
    #expect(
      changes.map(\.offered) == [["identify", "cancel"], ["challenge-authenticator", "cancel"], ["cancel", "issue"]])
    #expect(changes.map(\.chosen) == [nil, "identify", "challenge-authenticator"])
    #expect(changes.map(\.filled) == [[], ["identifier"], ["credentials.passcode"]])
    #expect(script.events(of: flow).last == .flowEnded(FlowEnded(outcome: "success")))
  }

  @Test("the closure forms call back, with a result or with two values")
  func closures() async throws {
    let script = IDXScript(ION.identify, ION.challenge)
    let flow = script.flow()
    let first: Response = try await withCheckedThrowingContinuation { continuation in
      flow.start { result in continuation.resume(with: result) }
    }
    let identify = try #require(first.remediations[.identify])
    identify.identifier?.value = "ann"
    let second: Response = try await withCheckedThrowingContinuation { continuation in
      identify.proceed { response, error in
        if let response {
          continuation.resume(returning: response)
        } else {
          continuation.resume(throwing: error ?? InteractionCodeFlowError.invalidFlow)
        }
      }
    }
    #expect(second.remediations["challenge-authenticator"]?.type == .challengeAuthenticator)
    try await script.expectWhole(flow)
  }

  @Test("an issuer of the org's own has its interact endpoint below /oauth2/v1")
  func orgIssuer() async throws {
    let script = IDXScript(ION.identify)
    let flow = script.flow(issuer: "https://acme.example/")
    _ = try await flow.start()
    #expect(script.transport.requests.map(\.url).first == "https://acme.example/oauth2/v1/interact")
  }

  @Test("options of start go to interact; omitDeviceToken stays here")
  func options() async throws {
    let script = IDXScript(ION.identify)
    let flow = script.flow()
    _ = try await flow.start(options: [.state: "my-own-state", .recoveryToken: "recover-me", .omitDeviceToken: true])
    let sent = IDXScript.form(script.transport.requests.first)
    #expect(sent["state"] == "my-own-state")
    #expect(sent["recovery_token"] == "recover-me")
    #expect(sent["omitDeviceToken"] == nil)
    #expect(!script.transport.requests.contains { request in request.headers.contains { $0.name == "Cookie" } })
    #expect(flow.context?.state == "my-own-state")
    try await script.expectWhole(flow)
    let written = script.events(of: flow).map(\.data.text).joined()
    #expect(!written.contains("my-own-state") && !written.contains("recover-me"))
  }

  @Test("a client id in the success form that is not ours is refused before anything is sent")
  func foreignClient() async throws {
    let script = IDXScript(ION.success(clientID: "0oa2other"))
    let flow = script.flow()
    let response = try await flow.start()
    let error = try await idxFailure { try await response.exchangeCode() }
    #expect(error == .invalidParameter(name: "client_id"))
    #expect(script.transport.requests.count == 2)
    let early = IDXScript(ION.identify)
    let other = early.flow()
    let identify = try await other.start()
    #expect(try await idxFailure { try await identify.exchangeCode() } == .successResponseMissing)
  }

  @Test("a redirect: its state and address are checked, its code goes under its own name")
  func redirect() async throws {
    let script = IDXScript(ION.identify, ION.metadata, ION.token, ION.keys)
    let flow = script.flow()
    func url(_ query: String, _ base: String = IDXScript.redirect) throws -> URL {
      try #require(URL(string: base + query))
    }
    #expect(flow.redirectResult(for: try url("?state=x&interaction_code=y")) == .invalidContext)
    _ = try await flow.start(options: [.state: "s 1"])
    #expect(flow.redirectResult(for: try url("?state=s+1&interaction_code=code-from-redirect#_=_")) == .authenticated)
    #expect(flow.redirectResult(for: try url("?state=s%201&error=interaction_required")) == .remediationRequired)
    #expect(flow.redirectResult(for: try url("?state=other&interaction_code=y")) == .invalidContext)
    #expect(flow.redirectResult(for: try url("?state=s+1&error=access_denied")) == .invalidContext)
    #expect(flow.redirectResult(for: try url("?state=s+1", "com.example.app:/other")) == .invalidRedirectUrl)
    #expect(
      flow.redirectResult(for: try url("?state=s+1&interaction_code=c", "com.example.app:///callback"))
        == .authenticated)
    let wrong = try url("?state=other&interaction_code=y")
    #expect(try await idxFailure { try await flow.exchangeCode(redirect: wrong) } == .invalidContext)
    let denied = try url("?state=s+1&error=access_denied&error_description=not+you")
    #expect(
      try await idxFailure { try await flow.exchangeCode(redirect: denied) }
        == .oauthError(summary: "not you", code: "access_denied", errorId: nil))
    #expect(script.transport.requests.count == 2)
    let token = try await flow.exchangeCode(redirect: try url("?state=s+1&interaction_code=code-from-redirect"))
    #expect(token.accessToken == "access-token-1")
    let exchange = IDXScript.form(script.transport.requests.first { $0.url.hasSuffix("/v1/token") })
    #expect(exchange["interaction_code"] == "code-from-redirect")
    #expect(exchange["code"] == nil)
    try await script.expectWhole(flow)
    #expect(!script.events(of: flow).map(\.data.text).joined().contains("code-from-redirect"))
  }

  @Test("a context is kept and set on another flow, which resumes the sign-in and names the first")
  func context() async throws {
    let script = IDXScript(ION.identify, ION.challenge)
    let first = script.flow()
    _ = try await first.start()
    let saved = try JSONEncoder().encode(try #require(first.context))
    let context = try JSONDecoder().decode(InteractionCodeFlow.Context.self, from: saved)
    let second = InteractionCodeFlow(
      issuer: first.client.issuer, clientId: "0oa1client", scopes: "openid", redirectUri: first.redirectUri,
      context: context, environment: script.environment)
    let response = try await second.resume()
    #expect(response.remediations[.challengeAuthenticator] != nil)
    #expect(try script.lastBody["interactionHandle"] == .string(IDXScript.interactionHandle))
    try await script.expectWhole(second)
    if case .flowStarted(let started)? = script.events(of: second).first { #expect(started.resumes == first.flowID) }
    let empty = script.flow()
    #expect(try await idxFailure { try await empty.resume() } == .invalidContext)
    #expect("\(context)".contains(IDXScript.interactionHandle) == false)
  }

  @Test("reset forgets the sign-in, and what was under way is not delivered")
  func reset() async throws {
    let hold = ScriptedTransport.Hold()
    let script = IDXScript(ION.identify)
    let flow = script.flow()
    let response = try await flow.start()
    script.add(ION.challenge, hold: hold)
    response.remediations[.identify]?.identifier?.value = "ann"
    let identify = try #require(response.remediations[.identify])
    let late = Task { try await identify.proceed() }
    _ = await script.transport.requests(atLeast: 3)
    flow.cancel()
    #expect(!flow.isAuthenticating)
    hold.release()
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(try await idxFailure { try await flow.resume() } == .invalidContext)
    try await script.expectWhole(flow)
  }

  @Test("a failed interact ends the flow, with the error of the server")
  func interactFails() async throws {
    let script = IDXScript([
      IDXScript.answer(
        ["error": "invalid_request", "error_description": "PKCE code challenge is required"], status: 400)
    ])
    let flow = script.flow()
    let error = try await idxFailure { try await flow.start() }
    #expect(
      error == .oauthError(summary: "PKCE code challenge is required", code: "invalid_request", errorId: nil))
    #expect(!flow.isAuthenticating)
    try await script.expectWhole(flow)
    #expect(script.events(of: flow).last == .flowEnded(FlowEnded(outcome: "failed")))
  }
}
