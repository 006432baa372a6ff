import Authn
import Foundation
import SimulatedOrg
import Testing

/// Programs about accounts, passwords and transactions, at work.
@Suite(.timeLimit(.minutes(1))) struct AccountRuns {
  @Test("an account is unlocked from the first screen", arguments: [OktaRecoveryFactors.sms, .call, .email])
  func unlock(factor: OktaRecoveryFactors) async throws {
    let bench = try await Bench { user in
      user.lockedOut = true
      user.recoveryPhone = Bench.phone
    }
    let end = await bench.outcome { outcome in
      AccountUnlock { outcome.settle($0) }.unlock(url: bench.url, username: Bench.login, by: factor) { bench.lastCode }
    }
    #expect(end == (factor == .email ? "email WAITING" : "UNLOCK SUCCESS"))
    await bench.org.stop()
  }

  @Test("an account is unlocked from where the sign-in ended")
  func lockedOut() async throws {
    let user = OrgUser(
      login: Bench.login, password: Bench.password, recoveryPhone: Bench.phone, lockedOut: true)
    let bench = try await Bench(OrgConfiguration(users: [user], showsLockout: true))
    let end = await bench.outcome { outcome in
      AccountUnlock { outcome.settle($0) }.signIn(url: bench.url, username: Bench.login, password: Bench.password) {
        bench.lastCode
      }
    }
    #expect(end == "UNLOCK SUCCESS")
    await bench.org.stop()
  }

  @Test("a forgotten password is replaced")
  func forgotten() async throws {
    let bench = try await Bench { user in
      user.recoveryPhone = Bench.phone
      user.recoveryQuestion = ("What is the food you least liked as a child?", "cooked spinach")
    }
    var kept: ForgottenPassword?
    let end = await bench.outcome { outcome in
      let program = ForgottenPassword(code: { bench.lastCode }, finished: { outcome.settle($0) })
      kept = program
      program.start(url: bench.url, username: Bench.login, factor: .sms)
    }
    #expect(
      end == "Recovery Challenge, Recovery Challenge, Recovery, What is the food you least liked as a child?, "
        + "Password Reset, Success")
    #expect(kept != nil && bench.org.outbox.count == 2)
    await bench.org.stop()
  }

  @Test("a recovery begins at a status object", arguments: [true, false])
  func fromStatus(isLocked: Bool) async throws {
    let bench = try await Bench { user in
      user.recoveryPhone = Bench.phone
      user.lockedOut = isLocked
    }
    let end = await bench.outcome { outcome in
      ForgottenPassword(code: { bench.lastCode }, finished: { outcome.settle($0) })
        .start(OktaAuthStatusUnauthenticated(oktaDomain: bench.url), username: Bench.login, isLocked: isLocked)
    }
    #expect(end.hasSuffix("Success"))
    await bench.org.stop()
  }

  @Test("a transaction is restored by its state token")
  func restored() async throws {
    let bench = try await Bench(.sms(phone: Bench.phone))
    let program = bench.environment.run { RestoredTransaction(url: bench.url) }
    let begun = await bench.outcome { outcome in
      program.begin(username: Bench.login, password: Bench.password) { outcome.settle($0) }
    }
    #expect(begun == "kept")
    let end = await bench.outcome { outcome in program.restore { outcome.settle($0) } }
    #expect(end == "\(Bench.login) at MFA_REQUIRED")
    await bench.org.stop()
  }

  @Test("back to the factors and forth with another one")
  func backAndForth() async throws {
    let bench = try await Bench(.sms(phone: Bench.phone), .call(phone: Bench.phone))
    let end = await bench.outcome { outcome in
      BackAndForth { outcome.settle($0) }.start(bench.url, Bench.login, Bench.password)
    }
    #expect(end == "MFA_REQUIRED MFA_CHALLENGE MFA_REQUIRED MFA_CHALLENGE call")
    await bench.org.stop()
  }

  @Test(
    "passwords that expire soon or have expired", arguments: [(3, nil), (3, "Another-Horse-8"), (0, "Another-Horse-8")])
  func passwords(days: Int, newPassword: String?) async throws {
    let bench = try await Bench { $0.passwordExpiresIn = days }
    let end = await bench.outcome { outcome in
      PasswordScreens(newPassword: newPassword) { outcome.settle($0) }.signIn(bench.url, Bench.login, Bench.password)
    }
    #expect(end == "SUCCESS")
    await bench.org.stop()
  }

  @Test("each error has its text")
  func errors() async throws {
    let bench = try await Bench()
    let wrong = await bench.outcome { outcome in ErrorTexts.provoke(bench.url, "Wrong-Horse-9") { outcome.settle($0) } }
    #expect(wrong == "Authentication failed [E0000004]")
    let twice = await bench.outcome { outcome in
      ErrorTexts.provoke(bench.url, Bench.password, twice: true) { outcome.settle($0) }
    }
    #expect(twice == "One at a time")
    await bench.org.stop()
  }

  @Test("answers that say nothing have their texts")
  func faults() async throws {
    let bench = try await Bench()
    bench.org.inject(Fault(.emptyBody))
    let empty = await bench.outcome { outcome in ErrorTexts.provoke(bench.url, Bench.password) { outcome.settle($0) } }
    #expect(empty == "The server is confused")
    bench.org.inject(Fault(.htmlPage))
    let page = await bench.outcome { outcome in ErrorTexts.provoke(bench.url, Bench.password) { outcome.settle($0) } }
    #expect(page.contains("bytes: "))
    await bench.org.stop()
    let gone = await bench.outcome { outcome in ErrorTexts.provoke(bench.url, Bench.password) { outcome.settle($0) } }
    #expect(gone.hasPrefix("Offline: "))
  }

  @Test("names go to the wire, to people and to files, and come back")
  func names() throws {
    #expect(StatusNames.isRoundTrip)
    #expect(StatusNames.onTheWire.contains("PASSWORD_WARN") && StatusNames.onTheWire.contains("token:software:totp"))
    #expect(StatusNames.onTheWire.contains("PENDING_ACTIVATION") && StatusNames.onTheWire.contains("NEW_ONE"))
    #expect(
      StatusNames.forPeople.contains("MFA Enroll Activate") && StatusNames.forPeople.contains("Push Notification"))
    let state = KeptState(status: .MFAChallenge, factor: .push, provider: .okta, result: .waiting, recovery: .unlock)
    let saved = try StatusNames.saved(state)
    #expect(
      saved.text
        == #"{"factor":"push","provider":"OKTA","recovery":"UNLOCK","result":"WAITING","status":"MFA_CHALLENGE"}"#)
    #expect(saved.again == state)
    #expect(StatusNames.channel(.sms) == .sms && StatusNames.channel(.call) == .call)
  }

  @Test("a report of a transaction")
  func report() async throws {
    let bench = try await Bench(.sms(phone: Bench.phone), .question(key: "disliked_food", answer: "cooked spinach"))
    let required = try await bench.status(as: OktaAuthStatusFactorRequired.self)
    let first = TransactionReport(required).lines
    #expect(first.contains("user \(Bench.login) Ann en"))
    #expect(first.contains("sms OKTA +1 XXX-XXX-0199"))
    #expect(first.contains("question OKTA What is the food you least liked as a child?"))
    #expect(first.contains("remember true") && first.contains("cancel cancel"))
    let challenge = try await required.selectFirst()
    let second = TransactionReport(challenge).lines
    #expect(second.contains { $0.hasPrefix("next verify /api/v1/authn/factors/") && $0.hasSuffix("POST") })
    #expect(second.contains("resend sms") && second.contains("prev true skip false"))
    await bench.org.stop()
  }

  static let switches: [(String, String)] = [
    ("plain", "success true"), ("sms", "required 1"), ("expired", "expired true"), ("warning", "warning true"),
    ("offer", "enroll 1"), ("locked", "locked true"),
  ]

  @Test("every status with its cast", arguments: switches)
  func statusTypes(kind: String, expected: String) async throws {
    var user = OrgUser(
      login: Bench.login, password: Bench.password, factors: kind == "sms" ? [.sms(phone: Bench.phone)] : [])
    switch kind {
    case "expired": user.passwordExpiresIn = 0
    case "warning": user.passwordExpiresIn = 3
    case "offer": user.offers = [.init(.sms)]
    case "locked": user.lockedOut = true
    default: break
    }
    let bench = try await Bench(OrgConfiguration(users: [user], showsLockout: true))
    let end = await bench.outcome { outcome in
      StatusTypeSwitch().lead(bench.url, Bench.login, Bench.password) { outcome.settle($0) }
    }
    #expect(end == "unauthenticated false, \(expected)")
    await bench.org.stop()
  }
}
