import Authn
import Foundation
import SimulatedOrg
import Testing

/// Programs about factors, at work.
@Suite(.timeLimit(.minutes(1))) struct FactorRuns {
  @Test("an application polls a push by itself", arguments: [PushAnswer.approve, .reject])
  func pushFactorHandler(answer: PushAnswer) async throws {
    let bench = try await Bench(.push(device: "Ann's phone"))
    bench.org.answerPush(for: Bench.login, answer, afterPolls: 2)
    let end = await bench.outcome { outcome in
      let program = PollingSignIn()
      program.finished = {
        outcome.settle($0)
        _ = program
      }
      program.signIn(url: bench.url, username: Bench.login, password: Bench.password)
    }
    #expect(end == (answer == .approve ? "SUCCESS after 2" : "stopped: REJECTED"))
    await bench.org.stop()
  }

  @Test("a question is chosen from the list and answered")
  func question() async throws {
    let bench = try await Bench(offers: [.init(.question, required: true)]) { $0.mfaRequired = true }
    let status = try await bench.status(as: OktaAuthStatusFactorEnroll.self)
    let end = await bench.outcome { outcome in
      QuestionEnrolment(status: status) { outcome.settle($0) }.start(answer: "cooked spinach")
    }
    #expect(end == "disliked_food: SUCCESS")
    await bench.org.stop()
  }

  @Test("a YubiKey is verified with a request of the application's own")
  func yubiKey() async throws {
    let code = "cccccceukngdfgkukfctkcvfidnet"
    let bench = try await Bench(.token(provider: "YUBICO", credentialId: "000004102994", passCode: code))
    let required = try await bench.status(as: OktaAuthStatusFactorRequired.self)
    let factor = try #require(required.availableFactors.first as? OktaFactorOther)
    let end = await bench.outcome { outcome in
      YubiKeyFactor.verifyFactor(
        factor, stateToken: required.stateToken, passCode: code,
        onStatusChange: { outcome.settle($0.statusType.rawValue) }, onError: { outcome.settle($0.description) })
    }
    #expect(end == "SUCCESS")
    await bench.org.stop()
  }

  @Test("phones are set up, by text message and by call", arguments: [true, false])
  func phones(isText: Bool) async throws {
    let bench = try await Bench(offers: [.init(isText ? .sms : .call, required: true)]) { $0.mfaRequired = true }
    let status = try await bench.status(as: OktaAuthStatusFactorEnroll.self)
    let end = await bench.outcome { outcome in
      let program = PhoneEnrolment(code: { bench.lastCode }, finished: { outcome.settle($0) })
      if isText {
        program.textMessage(status, phone: "+1-555-415-1337")
      } else {
        program.call(status, phone: "+1-555-415-1337")
      }
    }
    #expect(end == (isText ? "+1-XXX-XXX-1337 SUCCESS" : "SUCCESS"))
    await bench.org.stop()
  }

  @Test("a token and an app are set up")
  func tokens() async throws {
    let rsa = try await Bench(offers: [.init(.token(provider: "RSA"), required: true)]) { $0.mfaRequired = true }
    let token = try await rsa.status(as: OktaAuthStatusFactorEnroll.self)
    let end = await rsa.outcome { outcome in
      TokenEnrolment { outcome.settle($0) }.token(token, credentialId: "ann-rsa", passCode: "123456")
    }
    #expect(end == "SUCCESS")
    await rsa.org.stop()
    let okta = try await Bench(offers: [.init(.totp(provider: "OKTA"), required: true)]) { $0.mfaRequired = true }
    let app = try await okta.status(as: OktaAuthStatusFactorEnroll.self)
    let set = await okta.outcome { outcome in
      TokenEnrolment { outcome.settle($0) }.app(app) { okta.org.timeCode(secret: $0) ?? "" }
    }
    #expect(set == "SUCCESS")
    await okta.org.stop()
  }

  @Test("activation links are sent while the activation goes on")
  func activationLinks() async throws {
    let bench = try await Bench(offers: [.init(.push, required: true)]) { $0.mfaRequired = true }
    let status = try await bench.status(as: OktaAuthStatusFactorEnroll.self)
    let end = await bench.outcome { outcome in
      PushEnrolment { outcome.settle($0) }.start(status, phone: "+1-555-415-1337") {
        bench.org.answerPush(for: Bench.login, .approve)
      }
    }
    #expect(end == "mail sms WAITING SUCCESS")
    await bench.org.stop()
  }

  static let factors: [(OrgFactor, String)] = [
    (.sms(phone: Bench.phone), "outbox"), (.call(phone: Bench.phone), "outbox"),
    (.totp(secret: Bench.secret), "time"),
    (.question(key: "disliked_food", answer: "cooked spinach"), "cooked spinach"),
    (.token(provider: "RSA", credentialId: "ann-rsa", passCode: "1234567890"), "1234567890"),
    (.push(device: "Ann's phone"), ""),
  ]

  @Test("each factor by its own class", arguments: factors, [true, false])
  func classes(factor: (OrgFactor, String), inOneStep: Bool) async throws {
    let bench = try await Bench(factor.0)
    bench.org.answerPush(for: Bench.login, .approve, afterPolls: 2)
    let required = try await bench.status(as: OktaAuthStatusFactorRequired.self)
    let code: @Sendable () -> String = {
      switch factor.1 {
      case "outbox": bench.lastCode
      case "time": bench.timeCode
      default: factor.1
      }
    }
    let end = await bench.outcome { outcome in
      let program = FactorsByClass(code: code, finished: { outcome.settle($0) })
      if inOneStep { program.select(required) } else { program.selectThenVerify(required) }
    }
    #expect(end == "SUCCESS")
    await bench.org.stop()
  }

  @Test("a factor that is held weakly lives as long as its status")
  func weakFactors() async throws {
    let bench = try await Bench(.totp(secret: Bench.secret))
    var kept: WeakFactors?
    let end = await bench.outcome { outcome in
      let program = WeakFactors { outcome.settle($0) }
      kept = program
      let ready = Held(program)
      program.begin(bench.url, Bench.login, Bench.password) { ready.value.codeTyped(bench.timeCode) }
    }
    #expect(end == "SUCCESS")
    withExtendedLifetime(kept) {}
    await bench.org.stop()
  }

  @Test("optional factors are left for later, required ones are not", arguments: [true, false])
  func optional(isRequired: Bool) async throws {
    let bench = try await Bench(offers: [.init(.sms, required: isRequired)]) { $0.mfaRequired = isRequired }
    let status = try await bench.status(as: OktaAuthStatusFactorEnroll.self)
    let end = await bench.outcome { outcome in
      status.leaveForLater { result in
        switch result {
        case .success(let status): outcome.settle(status.statusType.rawValue)
        case .failure(let error): outcome.settle(error.description)
        }
      }
    }
    #expect(end == (isRequired ? "1 must be set up" : "SUCCESS"))
    await bench.org.stop()
  }
}

/// Carries a program into a closure of its own.
struct Held<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
