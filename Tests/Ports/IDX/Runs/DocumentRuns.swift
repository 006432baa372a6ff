import Foundation
import IDX
import SimulatedOrg
import Testing

/// Programs out of the seed document's sections, at work.
@Suite(.timeLimit(.minutes(1))) struct DocumentRuns {
  @Test("user name and password; a transaction started again")
  func passwords() async throws {
    let bench = try await Bench(policy: "password-one-page")
    let program = PasswordSignIn(flow: bench.flow())
    #expect(try await program.signIn(username: Bench.login, password: Bench.password) != nil)
    #expect(try await program.signIn(username: Bench.login, password: "Wrong-Horse-9") == nil)
    #expect(try await program.restart().remediations[.identify] != nil)
    await bench.org.stop()
  }

  @Test("an authenticator is chosen by its label, a question of one's own is set, a phone is set up")
  func enrolling() async throws {
    let bench = try await Bench(policy: "enrol-required")
    let flow = bench.flow()
    let page = try await bench.behindPassword(flow)
    let choice = AuthenticatorChoice()
    choice.show(page)
    #expect(choice.choices.contains("Security Question") && choice.choices.contains("Phone"))
    #expect(try await choice.choose("Carrier Pigeon", in: page) == nil)
    let asked = try #require(try await choice.choose("Security Question", in: page))
    let answered = try await OwnQuestion.enroll(
      asked, question: "What is Trillian's real name?", answer: "Tricia MacMillan")
    let sent = try await PhoneSetup().send(answered, number: "+15551234567", by: "SMS")
    #expect(bench.org.outbox.last?.channel == .sms)
    let verified = try await PhoneSetup().verify(sent, code: bench.lastCode)
    #expect(verified.messages.isEmpty)
    // Google Authenticator is left: chosen, or already asked for.
    let app = AppSetup()
    let shown: Response
    if app.shown(verified) == nil {
      shown = try #require(try await choice.choose("Google Authenticator", in: verified))
    } else {
      shown = verified
    }
    let code = try #require(app.shown(shown))
    #expect(code.mimeType == "image/png" && code.isImage)
    let done = try await app.enter(bench.org.timeCode(secret: code.secret ?? "") ?? "", shown)
    #expect(done.isLoginSuccessful)
    await bench.org.stop()
  }

  @Test("a code by mail, sent again")
  func mailedCode() async throws {
    let bench = try await Bench(.email(address: Bench.login), policy: "codes-only")
    let flow = bench.flow()
    let page = try await bench.behindPassword(flow)
    let program = MailedCode()
    #expect(program.hint(page)?.hasSuffix("@acme.example") == true)
    let again = try await program.sendAgain(page)
    #expect(bench.org.outbox.count == 2)
    let done = try await program.enter(bench.lastCode, into: again)
    #expect(done.isLoginSuccessful)
    await bench.org.stop()
  }

  @Test("a new user registers")
  func registration() async throws {
    let bench = try await Bench(OrgConfiguration(policy: #require(OrgPolicy.named("registration"))))
    let profile = ["email": "mary@acme.example", "firstName": "Mary", "lastName": "Smith"]
    let token = try await Registration(profile: profile, password: "Correct-Horse-7")
      .register(bench.flow()) { bench.lastCode }
    #expect(token.tokenType == "Bearer")
    await #expect(throws: Registration.Failure.missingProfile(field: "lastName")) {
      _ = try await Registration(profile: ["email": "x@acme.example", "firstName": "X"], password: "Correct-Horse-7")
        .register(bench.flow()) { bench.lastCode }
    }
    await bench.org.stop()
  }

  @Test("a forgotten password is replaced by its rules")
  func recovery() async throws {
    let bench = try await Bench(.email(address: Bench.login), policy: "password-one-page")
    let program = PasswordRecovery()
    let token = try await program.recover(bench.flow(), login: Bench.login, newPassword: "Another-Horse-8") {
      bench.lastCode
    }
    #expect(token.tokenType == "Bearer")
    #expect(program.rules == "8 characters, 1 digits")
    await bench.org.stop()
  }

  @Test("a magic link is opened elsewhere")
  func magicLink() async throws {
    let bench = try await Bench(.email(address: Bench.login), policy: "passwordless")
    let flow = bench.flow()
    var response = try await flow.start()
    for _ in 0..<3 where response.remediations[.challengeAuthenticator] == nil {
      response.remediations[.identify]?.identifier?.value = Bench.login
      if let select = response.remediations[.selectAuthenticatorAuthenticate] {
        select["authenticator"]?.selectedOption = select["authenticator"]?.options?.first {
          $0.authenticator?.type == .email
        }
      }
      response = try await #require(response.remediations.first).proceed()
    }
    let page = response
    let program = MagicLink()
    let opened = try await program.wait(page) { bench.org.openMagicLink(for: Bench.login) }
    #expect(opened?.isLoginSuccessful == true)
    await bench.org.stop()
  }

  @Test("polling stops when the person types")
  func stopPolling() async throws {
    let bench = try await Bench(.email(address: Bench.login), policy: "two-factors")
    let flow = bench.flow()
    var page = try await bench.behindPassword(flow)
    if let data = page.remediations[.authenticatorVerificationData] { page = try await data.proceed() }
    let program = MagicLink()
    let heard = Notes()
    program.begin(page) { _ in heard.add("polled") }
    program.giveUp()
    #expect(program.stopped)
    let done = try await MailedCode().enter(bench.lastCode, into: page)
    #expect(done.isLoginSuccessful && heard.all.isEmpty)
    await bench.org.stop()
  }

  @Test("remediations and authenticators are found in every way")
  func lookup() async throws {
    let bench = try await Bench(policy: "password-one-page")
    let flow = bench.flow()
    let response = try await flow.start()
    let found = RemediationLookup.everyWay(response, "identify", .identify)
    #expect(found.count == 4)
    #expect(found.allSatisfy { $0 === response.remediations[.identify] })
    #expect(RemediationLookup.names(response).hasSuffix("cancel last"))
    let identify = try #require(response.remediations[.identify])
    #expect(RemediationLookup.position(of: identify, in: response) == 0)
    #expect(RemediationLookup.set(response).count == response.remediations.count)
    #expect(RemediationLookup.authenticators(response).first == "Password")
    await bench.org.stop()
  }

  @Test("fields are found in every way, and take values of every type")
  func forms() async throws {
    let bench = try await Bench(policy: "password-one-page")
    let flow = bench.flow()
    let response = try await flow.start()
    let identify = try #require(response.remediations[.identify])
    let lines = FormWalk.lines(identify.form)
    #expect(lines.contains("identifier required") && lines.contains("  passcode required secret"))
    let passcode = FormWalk.passcode(identify)
    #expect(passcode.allSatisfy { $0 != nil && $0 === passcode[0] })
    let field = try #require(FormWalk.first(identify.form))
    #expect(FormWalk.values(field) == ["text", "true", "42", "one+two", "nothing"])
    #expect(FormWalk.isIn(field, identify.form))
    await bench.org.stop()
  }

  @Test("messages of the response, of a field, and of the end")
  func messages() async throws {
    let bench = try await Bench(policy: "password")
    let flow = bench.flow()
    var response = try await flow.start()
    #expect(MessageTexts.all(response).isEmpty && MessageTexts.ofField("identifier", in: response) == nil)
    response.remediations[.identify]?.identifier?.value = Bench.login
    response = try await #require(response.remediations[.identify]).proceed()
    response.remediations[.challengeAuthenticator]?["credentials.passcode"]?.value = "Wrong-Horse-9"
    response = try await #require(response.remediations[.challengeAuthenticator]).proceed()
    #expect(MessageTexts.all(response).first?.isEmpty == false)
    #expect(MessageTexts.top(response).first?.hasPrefix("error ") == true || MessageTexts.top(response).isEmpty)
    #expect(!MessageTexts.isOver(response))
    await bench.org.stop()
  }

  @Test("a delegate leads a whole sign-in")
  func delegate() async throws {
    let bench = try await Bench(policy: "password")
    let end = await bench.outcome { outcome in
      let box = Box<LoginManager>()
      let manager = LoginManager(flow: bench.flow(), username: Bench.login, password: Bench.password)
      box.value = manager
      manager.finished = {
        outcome.settle($0)
        box.value = nil
      }
      manager.start()
    }
    #expect(
      end == "started identify challenge-authenticator issue stored finished"
        || end == "started identify challenge-authenticator cancel stored finished"
        || end == "started identify challenge-authenticator success stored finished")
    await bench.org.stop()
  }
}
