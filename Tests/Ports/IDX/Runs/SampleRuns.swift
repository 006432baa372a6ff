import Foundation
import IDX
import SimulatedOrg
import Testing

/// The samples that Okta publishes, at work.
@Suite(.timeLimit(.minutes(1))) struct SampleRuns {
  private func text(_ result: Result<Token, MultifactorLogin.LoginError>) -> String {
    switch result {
    case .success(let token): token.tokenType
    case .failure(let error): "\(error)"
    }
  }

  /// Lets the sample ask: a factor by its kind, its method, and codes from the outbox.
  private func lead(
    _ bench: Bench, choosing kind: Authenticator.Kind?, password: String = "Another-Horse-8",
    begin: (MultifactorLogin, @escaping (String) -> Void) -> Void
  ) async -> String {
    await bench.outcome { outcome in
      let box = Box<MultifactorLogin>()
      let login = MultifactorLogin(
        issuer: bench.issuer, clientId: Bench.clientId, scopes: "openid profile", redirectUri: bench.redirectUri
      ) { step in
        switch step {
        case .chooseFactor(let factors):
          if let kind, kind == .phone, factors.contains(.phone) {
            box.value?.select(factor: .phone, method: .sms, phoneNumber: "+15551234567")
          } else {
            box.value?.select(factor: kind.flatMap { factors.contains($0) ? $0 : nil })
          }
        case .chooseMethod: box.value?.select(factor: kind)
        case .verifyCode(let factor): box.value?.verify(code: factor == .password ? password : bench.lastCode)
        }
      }
      box.value = login
      begin(login) { text in
        outcome.settle(text)
        box.value = nil
      }
    }
  }

  @Test("the multifactor sample signs in with a code by mail, and with a text message", arguments: [true, false])
  func multifactor(byMail: Bool) async throws {
    let bench = try await Bench(.email(address: Bench.login), .sms(phone: Bench.phone), policy: "codes-only")
    let end = await lead(bench, choosing: byMail ? .email : .phone) { login, done in
      login.login(username: Bench.login, password: Bench.password) { done(text($0)) }
    }
    #expect(end == "Bearer")
    #expect(bench.org.outbox.last?.channel == (byMail ? .mail : .sms))
    await bench.org.stop()
  }

  @Test("the multifactor sample reports a wrong password")
  func wrongPassword() async throws {
    let bench = try await Bench(policy: "password")
    let end = await lead(bench, choosing: nil) { login, done in
      login.login(username: Bench.login, password: "Wrong-Horse-9") { done(text($0)) }
    }
    #expect(end.hasPrefix("message("))
    await bench.org.stop()
  }

  @Test("the multifactor sample registers a new user")
  func register() async throws {
    let bench = try await Bench(
      OrgConfiguration(
        policy: #require(OrgPolicy.named("registration")).with { $0.enrolments = [.init(.email), .init(.password)] }))
    let end = await lead(bench, choosing: .email) { login, done in
      login.register(
        username: "mary@acme.example", password: "Correct-Horse-7", profile: [.firstName: "Mary", .lastName: "Smith"]
      ) { done(text($0)) }
    }
    #expect(end == "Bearer")
    await bench.org.stop()
  }

  @Test("the multifactor sample resets a password")
  func reset() async throws {
    let policy = try #require(OrgPolicy.named("password-one-page")).with {
      ($0.confirmsSending, $0.emailMagicLink) = (false, false)
    }
    let user = OrgUser(login: Bench.login, password: Bench.password, factors: [.email(address: Bench.login)])
    let bench = try await Bench(OrgConfiguration(users: [user], policy: policy))
    let end = await lead(bench, choosing: .email) { login, done in
      login.resetPassword(username: Bench.login) { done(text($0)) }
    }
    #expect(end == "Bearer")
    await bench.org.stop()
  }

  @Test("the basic sample signs in", arguments: ["password", "password-one-page"])
  func basic(policy: String) async throws {
    let bench = try await Bench(policy: policy)
    let end = await bench.outcome { outcome in
      let box = Box<BasicLogin>()
      let login = BasicLogin(
        issuer: bench.issuer, clientId: Bench.clientId, scopes: "openid profile", redirectUri: bench.redirectUri,
        username: Bench.login, password: Bench.password)
      box.value = login
      login.login { result in
        switch result {
        case .success(let token): outcome.settle(token.tokenType)
        case .failure(let error): outcome.settle("\(error)")
        }
        box.value = nil
      }
    }
    #expect(end == "Bearer")
    await bench.org.stop()
  }

  @Test("the social sample signs in with Google, and is refused by Apple")
  func social() async throws {
    let bench = try await Bench(policy: "social")
    for (service, expected) in [(Capability.SocialIDP.Service.google, "Bearer"), (.apple, "cannotProceed")] {
      let end = await bench.outcome { outcome in
        let box = Box<SocialLogin>()
        let login = SocialLogin(flow: bench.flow()) { bench.org.visitProvider($0) }
        box.value = login
        login.login(service: service) { result in
          switch result {
          case .success(let token): outcome.settle(token.tokenType)
          case .failure(let error): outcome.settle("\(error)")
          }
          box.value = nil
        }
      }
      #expect(end == expected)
    }
    await bench.org.stop()
  }

  /// Leads the embedded sample: what is done on each screen.
  @MainActor
  private func leadEmbedded(
    _ bench: Bench, _ act: @escaping (RemediationScreen) -> Void
  ) async -> (end: String, screens: [RemediationScreen]) {
    var kept: Signin?
    var screens: [RemediationScreen] = []
    let end = await bench.outcome { outcome in
      let signin = Signin(using: bench.flow()) { bench.org.visitProvider($0) }
      kept = signin
      signin.arrived = { screen in
        screens.append(screen)
        act(screen)
      }
      signin.signin { token, error in outcome.settle(token?.tokenType ?? "\(error.map { "\($0)" } ?? "nothing")") }
    }
    withExtendedLifetime(kept) {}
    await bench.org.stop()
    return (end, screens)
  }

  @MainActor
  @Test("the embedded sample draws each page, and signs in with a code by mail that it sends again")
  func embedded() async throws {
    let bench = try await Bench(.email(address: Bench.login), policy: "codes-only")
    var isResent = false
    let led = await leadEmbedded(bench) { screen in
      let option = screen.response.remediations.first
      for row in screen.rows {
        guard case .text(let field) = row.kind else { continue }
        switch (option?.type, option?.authenticators.first?.type) {
        case (.identify, _): field.value = Bench.login
        case (_, .password): field.value = Bench.password
        default: field.value = bench.lastCode
        }
      }
      if !isResent, option?.type == .challengeAuthenticator, option?.authenticators.first?.type == .email {
        isResent = true
        return screen.enrollment(action: .resend)
      }
      screen.proceed(to: option)
    }
    #expect(led.end == "Bearer")
    #expect(bench.org.outbox.count == 2)
    let first = try #require(led.screens.first)
    #expect(first.title == "Sample App" && first.shouldShowNavigationBar)
    let identify = try #require(first.response.remediations.first)
    #expect(first.rows.first == Signin.Row(.title(remediationOption: identify)))
    #expect(first.rows.contains(Signin.Row(.button(remediationOption: identify))))
    #expect(Set(first.rows).count == first.rows.count)
    #expect(identify.title == "Sign In")
  }

  @MainActor
  @Test("the embedded sample polls for a magic link, goes to a provider, starts again and recovers")
  func embeddedMore() async throws {
    let mail = try await Bench(.email(address: Bench.login))
    let polled = await leadEmbedded(mail) { screen in
      screen.response.remediations[.identify]?["identifier"]?.value = Bench.login
      let challenge = screen.response.remediations[.challengeAuthenticator]
      if challenge?.authenticators.first?.type == .email {
        mail.org.openMagicLink(for: Bench.login)
        return
      }
      challenge?["credentials.passcode"]?.value = Bench.password
      screen.proceed(to: screen.response.remediations.first)
    }
    #expect(polled.end == "Bearer")

    let social = try await Bench(policy: "social")
    let led = await leadEmbedded(social) { screen in
      screen.proceed(to: screen.response.remediations.first { $0.socialIdp?.service == .google })
    }
    #expect(led.end == "Bearer")

    let again = try await Bench(policy: "password")
    var restarts = 0
    let restarted = await leadEmbedded(again) { screen in
      screen.response.remediations[.identify]?["identifier"]?.value = Bench.login
      if let challenge = screen.response.remediations[.challengeAuthenticator] {
        restarts += 1
        if restarts == 1 { return screen.cancelAction() }
        challenge["credentials.passcode"]?.value = Bench.password
      }
      screen.proceed(to: screen.response.remediations.first)
    }
    #expect(restarted.end == "Bearer" && restarts == 2)
    let signin = Signin(using: again.flow())
    #expect(signin.buttonTitle(for: nil) == "Restart")
    #expect(
      signin.buttonTitle(for: led.screens[0].response.remediations.first { $0.type == .redirectIdp })
        == "Login with Google")
    #expect(signin.buttonTitle(for: led.screens[0].response.remediations.first) == "Sign In")

    let forgotten = try await Bench(.email(address: Bench.login), policy: "password-one-page")
    let recovering = await leadEmbedded(forgotten) { screen in
      guard screen.response.remediations[.identifyRecovery] == nil else {
        return screen.proceed(to: nil as Remediation? ?? screen.response.remediations[.cancel])
      }
      if screen.response.remediations[.identify] != nil, restarts == 2 {
        restarts += 1
        return screen.enrollment(action: .recover)
      }
      screen.response.remediations[.identify]?["identifier"]?.value = Bench.login
      screen.response.remediations[.identify]?["credentials.passcode"]?.value = Bench.password
      screen.proceed(to: screen.response.remediations.first)
    }
    #expect(recovering.end == "Bearer")
    #expect(recovering.screens.contains { $0.response.remediations[.identifyRecovery] != nil })
  }
}

/// Keeps a program until it has ended: delegates are held weakly.
final class Box<Value>: @unchecked Sendable {
  var value: Value?
}
