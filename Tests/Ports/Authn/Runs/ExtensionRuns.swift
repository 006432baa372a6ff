import Authn
import Foundation
import SimulatedOrg
import Testing

/// Programs that extend the SDK, at work.
@Suite(.timeLimit(.minutes(1))) struct ExtensionRuns {
  @Test("a handler hands over a subclass")
  func handler() async throws {
    let bench = try await Bench(.sms(phone: Bench.phone), .totp(secret: Bench.secret))
    let end = await bench.outcome { outcome in
      FavouriteSignIn(url: bench.url).signIn(Bench.login, Bench.password) { outcome.settle($0) }
    }
    #expect(end == "MFA_REQUIRED, favourite token:software:totp")
    await bench.org.stop()
  }

  @Test("an answer written down beforehand is read; a status of its own it is not, since no log has it")
  func mocked() async throws {
    let bench = try await Bench()
    let model = try MockedUnauthenticated.response(for: "dade@acme.example")
    let texts = ExpiredPasswordTexts(model)
    #expect(texts.greeting == "Dade Murphy" && texts.rule == "at least 8" && texts.changed != nil && texts.canChange)
    #expect(model.rawData?.isEmpty == false)
    let end = await bench.outcome { outcome in
      MockedUnauthenticated(oktaDomain: bench.url).authenticate(
        username: "dade@acme.example", password: "any",
        onStatusChange: { outcome.settle($0.statusType.rawValue) }, onError: { outcome.settle($0.description) })
    }
    #expect(end == "UNAUTHENTICATED")
    #expect(bench.org.requests.isEmpty)
    await bench.org.stop()
  }

  @Test("overrides with the documented signatures are called, by closures")
  func overridesByClosures() async throws {
    let bench = try await Bench(.sms(phone: Bench.phone))
    let log = CallLog()
    let end = await bench.outcome { outcome in
      let start: OktaAuthStatusUnauthenticated = LoggedUnauthenticated.make(url: bench.url, log: log)
      let fail: (OktaError) -> Void = { outcome.settle($0.description) }
      start.authenticate(
        username: Bench.login, password: Bench.password,
        onStatusChange: { status in
          guard let required = status as? OktaAuthStatusFactorRequired else { return outcome.settle("no factors") }
          required.selectFactor(
            required.availableFactors[0],
            onStatusChange: { status in
              guard let challenge = status as? OktaAuthStatusFactorChallenge else { return outcome.settle("none") }
              challenge.verifyFactor(
                passCode: bench.lastCode, answerToSecurityQuestion: nil,
                onStatusChange: { outcome.settle($0.statusType.rawValue) }, onError: fail)
            }, onError: fail)
        }, onError: fail)
    }
    #expect(end == "SUCCESS")
    #expect(log.all == ["authenticate", "selectFactor", "verifyFactor"])
    await bench.org.stop()
  }

  @Test("the async forms are methods of their own: overrides of the closure forms are not called by them")
  func overridesByAsyncForms() async throws {
    let bench = try await Bench(.sms(phone: Bench.phone))
    let log = CallLog()
    let start: OktaAuthStatusUnauthenticated = bench.environment.run {
      LoggedUnauthenticated.make(url: bench.url, log: log)
    }
    let required = try #require(
      try await start.authenticate(username: Bench.login, password: Bench.password) as? OktaAuthStatusFactorRequired)
    let challenge = try #require(
      try await required.selectFactor(required.availableFactors[0]) as? OktaAuthStatusFactorChallenge)
    let resent = try #require(try await challenge.resendFactor() as? OktaAuthStatusFactorChallenge)
    let back = try await resent.returnToPreviousStatus()
    try await back.cancel()
    #expect(log.all == [])
    await bench.org.stop()
  }

  @Test("methods as values")
  func methodReferences() async throws {
    let bench = try await Bench(.sms(phone: Bench.phone))
    let end = await bench.outcome { outcome in
      MethodReferences().signIn(bench.url, Bench.login, Bench.password) { outcome.settle($0) }
    }
    #expect(end == "cancelled at MFA_CHALLENGE")
    let required = try await bench.status(as: OktaAuthStatusFactorRequired.self)
    #expect(Actions.all(of: required) == ["cancel": true, "return": false, "poll": false])
    await bench.org.stop()
  }

  @Test("closures out of properties")
  func storedClosures() async throws {
    let bench = try await Bench(.push(device: "Ann's phone"))
    bench.org.answerPush(for: Bench.login, .approve, afterPolls: 2)
    let challenge = try #require(
      try await bench.status(as: OktaAuthStatusFactorRequired.self).selectFirst() as? OktaAuthStatusFactorChallenge)
    let updates = Notes()
    let end = await bench.outcome { outcome in
      let callbacks = AuthCallbacks(
        onStatusChange: { outcome.settle($0.statusType.rawValue) }, onError: { outcome.settle($0.description) },
        onFactorStatusUpdate: { updates.add($0.rawValue) })
      AuthManager(url: bench.url, callbacks: callbacks).verify(challenge, code: nil)
    }
    #expect(end == "SUCCESS")
    #expect(updates.all.first == "WAITING")
    let required = await bench.outcome { outcome in
      let callbacks = AuthCallbacks(
        onStatusChange: { outcome.settle($0.statusType.rawValue) }, onError: { outcome.settle($0.description) })
      AuthManager(url: bench.url, callbacks: callbacks).login(username: Bench.login, password: Bench.password)
    }
    #expect(required == "MFA_REQUIRED")
    await bench.org.stop()
  }

  @Test("a handler of the application's own receives each poll, and has an interval that can be set")
  func pollingHandler() async throws {
    let bench = try await Bench(.push(device: "Ann's phone"))
    bench.org.answerPush(for: Bench.login, .approve, afterPolls: 3)
    var kept: PolledSignIn?
    let end = await bench.outcome { outcome in
      let program = PolledSignIn { outcome.settle($0) }
      kept = program
      program.signIn(bench.url, Bench.login, Bench.password)
    }
    #expect(end == "SUCCESS every 1 s")
    #expect(kept?.handler.answers.first == "MFA_REQUIRED" && kept?.handler.answers.last == "SUCCESS")
    #expect((kept?.handler.answers.filter { $0 == "WAITING" }.count ?? 0) >= 2)
    #expect(kept?.handler.isStopped == true)
    await bench.org.stop()
  }
}

extension OktaAuthStatusFactorRequired {
  func selectFirst() async throws -> OktaAuthStatus { try await selectFactor(availableFactors[0]) }
}
