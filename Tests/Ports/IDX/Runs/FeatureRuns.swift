import Foundation
import IDX
import SimulatedOrg
import Testing

/// Programs about single features, at work.
@Suite(.timeLimit(.minutes(1))) struct FeatureRuns {
  @Test("a sign-in goes on in another process")
  func keptContext() async throws {
    let bench = try await Bench(policy: "password")
    let program = KeptContext(issuer: bench.issuer, clientId: Bench.clientId, redirectUri: bench.redirectUri)
    let begun = try await bench.environment.run { try await program.begin(username: Bench.login) }
    #expect(begun.page == "challenge-authenticator")
    let context = try JSONDecoder().decode(InteractionCodeFlow.Context.self, from: begun.data)
    #expect(KeptContext.describe(context) == "\(context.state), a handle, true")
    let token = try await bench.environment.run { try await program.goOn(begun.data, password: Bench.password) }
    #expect(token.tokenType == "Bearer")
    await bench.org.stop()
  }

  @MainActor
  @Test(
    "a redirect comes back",
    arguments: [("social", "signed in, Bearer"), ("social-two-factors", "select-authenticator-authenticate")])
  func redirect(policy: String, expected: String) async throws {
    let bench = try await Bench(.email(address: Bench.login), .sms(phone: Bench.phone), policy: policy)
    let program = RedirectBack(flow: bench.flow())
    let providers = try await program.providers()
    #expect(providers.keys.sorted() == ["Acme SSO", "Apple", "Google"])
    let google = try #require(providers["Google"])
    let url = try #require(bench.org.visitProvider(google))
    #expect(try await program.open(#require(URL(string: "other:/callback?state=1"))) == "not ours")
    #expect(try await program.open(#require(URL(string: "com.example.app:/callback?state=1"))) == "of another sign-in")
    #expect(try await program.open(url) == expected)
    await bench.org.stop()
  }

  /// A key ring of one key.
  struct OneKey: KeyRing {
    let origin: String

    private func text(_ data: Data) -> String {
      data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
    }

    private func data(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }

    func create(challenge: Data, relyingParty: String, user: Data) -> (attestation: Data, clientData: Data) {
      let made = SoftwareAuthenticator(name: "Ann's key").register(challenge: text(challenge), origin: origin)
      return (data(made.attestation), data(made.clientData))
    }

    func sign(challenge: Data, relyingParty: String) -> (authenticatorData: Data, clientData: Data, signature: Data) {
      let made = SoftwareAuthenticator(name: "Ann's key").sign(challenge: text(challenge), origin: origin)
      return (data(made.authenticatorData), data(made.clientData), data(made.signatureData))
    }
  }

  @Test("a security key signs, and is registered", arguments: [true, false])
  func securityKey(isRegistered: Bool) async throws {
    let policy = try #require(OrgPolicy.named(isRegistered ? "two-factors" : "password")).with {
      if !isRegistered { $0.enrolments = [.init(.webauthn)] }
    }
    let user = OrgUser(
      login: Bench.login, password: Bench.password, factors: isRegistered ? [.webauthn(name: "Ann's key")] : [])
    let bench = try await Bench(OrgConfiguration(users: [user], policy: policy))
    let flow = bench.flow()
    var page = try await bench.behindPassword(flow)
    if let select = page.remediations[.selectAuthenticatorEnroll] {
      select["authenticator"]?.selectedOption = select["authenticator"]?.options?.first
      page = try await select.proceed()
    }
    let program = SecurityKey(ring: OneKey(origin: bench.url.absoluteString))
    let done = try await isRegistered ? program.sign(page) : program.register(page)
    #expect(done?.isLoginSuccessful == true)
    await bench.org.stop()
  }

  @MainActor
  @Test("a push shows a number", arguments: [true, false])
  func pushWithNumber(isRight: Bool) async throws {
    let bench = try await Bench(.push(device: "Ann's phone"), policy: "number-challenge")
    let flow = bench.flow()
    let page = try await bench.behindPassword(flow)
    let program = PushWithNumber()
    let end = await bench.outcome { outcome in
      program.wait(page) { number in
        bench.org.pickNumber((Int(number) ?? 0) + (isRight ? 0 : 1), for: Bench.login)
      } then: {
        outcome.settle($0)
      }
    }
    #expect(program.number != nil)
    #expect((end == "approved") == isRight)
    await bench.org.stop()
  }

  @Test("options of a start")
  func options() async throws {
    let bench = try await Bench(.email(address: Bench.login), policy: "password")
    let program = StartOptions(flow: bench.flow())
    #expect(try await program.withState("my-state") == "my-state")
    let left = program.forget()
    // What the flow receives on other threads meanwhile comes first.
    while left.isAuthenticating && program.flow.isAuthenticating { await Task.yield() }
    #expect(program.flow.context == nil)
    let token = try #require(bench.org.beginRecovery(for: Bench.login))
    let response = try await program.withRecoveryToken(token)
    #expect(response.remediations[.identify] == nil && !response.remediations.isEmpty)
    await bench.org.stop()
  }

  @Test("tokens are used and kept")
  func tokens() async throws {
    let bench = try await Bench(policy: "password-one-page")
    let token = try #require(
      try await PasswordSignIn(flow: bench.flow()).signIn(username: Bench.login, password: Bench.password))
    let program = TokenKeeper()
    #expect(program.header(token) == "Bearer …")
    #expect(program.scopes(token).contains("openid") && program.canRefresh(token))
    let kept = try program.keep(token)
    #expect(kept.token == token)
    try kept.remove()
    await bench.org.stop()
  }

  @Test("each error has its text")
  func errors() async throws {
    let bench = try await Bench(policy: "password")
    let flow = bench.flow()
    let response = try await flow.start()
    #expect(await FlowErrors.tooEarly(response) == "not yet")
    let identify = try #require(response.remediations[.identify])
    #expect(await FlowErrors.unfilled(identify) == "identifier is missing")
    identify.identifier?.value = Bench.login
    bench.org.inject(Fault(.connectionReset, times: 10))
    #expect(await FlowErrors.unfilled(identify).hasPrefix("network: "))
    await bench.org.stop()
  }

  @Test("names of kinds and methods")
  func names() async throws {
    #expect(KindNames.isRoundTrip)
    #expect(KindNames.method("sms") == .sms && KindNames.kind("security_key") == .securityKey)
    #expect(KindNames.icon(.email) == "envelope" && KindNames.icon(KindNames.kind("carrier_pigeon")) == "unknown")
    let bench = try await Bench(policy: "password")
    let flow = bench.flow()
    let response = try await flow.start()
    #expect(KindNames.isKnown(try #require(response.remediations.first)) && KindNames.isSignIn(response))
    await bench.org.stop()
  }

  @Test("scopes are allowed one by one")
  func consent() async throws {
    let bench = try await Bench(policy: "granular-consent")
    let flow = InteractionCodeFlow(
      issuer: bench.issuer, clientId: Bench.clientId, scopes: "openid profile email", redirectUri: bench.redirectUri,
      environment: bench.environment)
    let page = try await bench.behindPassword(flow)
    let program = ScopesConsent()
    #expect(program.fields(page).contains("email") || program.fields(page).contains("profile"))
    let done = try await program.allow(page, only: ["openid", "email"])
    #expect(done?.isLoginSuccessful == true)
    await bench.org.stop()
  }

  @Test("flows are made in all ways")
  func factory() async throws {
    let bench = try await Bench(policy: "password")
    let text = bench.environment.run {
      FlowFactory.fromText(bench.issuer.absoluteString, Bench.clientId, Bench.redirect)
    }
    #expect(try await text.start().remediations[.identify] != nil)
    #expect(FlowFactory.describe(text) == "com.example.app - true")
    let made = bench.environment.run { FlowFactory.fromClient(bench.issuer, Bench.clientId, bench.redirectUri) }
    #expect(made.map(FlowFactory.describe).last == "com.example.app ann false")
    #expect(try await made[0].start().remediations[.identify] != nil)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ports-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let list = folder.appendingPathComponent("Okta.plist")
    let values = [
      "issuer": bench.issuer.absoluteString, "clientId": Bench.clientId, "scopes": "openid",
      "redirectUri": Bench.redirect,
    ]
    try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0).write(to: list)
    #expect(try FlowFactory.fromList(list).redirectUri == bench.redirectUri)
    #expect(FlowFactory.fromStandardList() == nil)
    try FileManager.default.removeItem(at: folder)
    await bench.org.stop()
  }

  @Test("Duo's prompt is answered")
  func duo() async throws {
    let bench = try await Bench(.duo, policy: "two-factors")
    let flow = bench.flow()
    let page = try await bench.behindPassword(flow)
    let done = try await DuoPrompt().answer(page) { _, token, script in
      script.isEmpty ? "" : SimulatedOrg.duoSignature(for: token)
    }
    #expect(done?.isLoginSuccessful == true)
    await bench.org.stop()
  }

  @Test("a locked account is unlocked")
  func unlock() async throws {
    let bench = try await Bench { $0.lockedOut = true }
    let box = Box<AccountUnlocking>()
    let end = await bench.outcome { outcome in
      let program = AccountUnlocking(flow: bench.flow(), code: { bench.lastCode }, finished: { outcome.settle($0) })
      box.value = program
      program.unlock(Bench.login)
    }
    #expect(end.lowercased().contains("unlocked"))
    await bench.org.stop()
  }

  @Test("a page says everything of itself")
  func inspector() async throws {
    let bench = try await Bench(.email(address: Bench.login), policy: "codes-only")
    let flow = bench.flow()
    let page = try await bench.behindPassword(flow)
    let lines = PageInspector(page, of: flow).lines
    #expect(lines.contains("client \(Bench.clientId), device -"))
    #expect(lines.contains { $0.hasPrefix("app ") && $0.contains("Sample App") })
    #expect(lines.contains("user \(Bench.login)"))
    #expect(lines.contains { $0.hasPrefix("authenticator okta_email email ") && $0.contains(" email ") })
    #expect(lines.contains { $0.hasPrefix("  can ") && $0.contains("Resendable") })
    await bench.org.stop()
  }

  @Test("what may be set up is skipped")
  func enrolLater() async throws {
    let bench = try await Bench(policy: "enrol-optional")
    let pages = try await EnrolLater().signIn(bench.flow(), Bench.login, Bench.password)
    #expect(pages.first?.hasPrefix("Response(identify") == true)
    #expect(pages.last?.hasPrefix("Bearer") == true)
    await bench.org.stop()
  }
}
