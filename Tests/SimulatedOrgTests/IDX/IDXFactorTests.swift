// Second factors (idx.md §14): select, challenge, answer, for each kind.

import Foundation
import Testing

@testable import SimulatedOrg

@Suite struct IDXFactorTests {
  private let phone = OrgFactor.sms(phone: "+1 415-555-0199")
  private let secret = "JBSWY3DPEHPK3PXP"

  private func user(_ factors: OrgFactor...) -> OrgUser { People.user(factors: factors) }

  @Test("several factors are offered, the chosen one is asked, the code lets in")
  func select() async throws {
    let user = user(phone, .email(address: "cat@acme.example"))
    try await withWalk(policy("two-factors"), [user]) { walk in
      try await walk.password(user)
      #expect(walk.offered == ["select-authenticator-authenticate"])
      #expect(walk.reply.count("authenticatorEnrollments.value") == 2)
      try await walk.choose("Phone", method: "sms")
      #expect(walk.offered == ["challenge-authenticator", "select-authenticator-authenticate"])
      #expect(try walk.reply.text("currentAuthenticatorEnrollment.value.profile.phoneNumber") == "+1 XXX-XXX-0199")
      #expect(walk.org.outbox.last?.channel == .sms)
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": "000000x"]])
      #expect(walk.reply.status == 401)
      #expect(walk.messages == ["api.authn.error.PASSCODE_INVALID"])
      let first = walk.code
      try await walk.send("resend")
      #expect(walk.org.outbox.count == 2)
      #expect(walk.code != first)
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": first]])
      #expect(!walk.isDone)
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": walk.code]])
      #expect(walk.isDone)
    }
  }

  @Test(
    "a phone alone is confirmed first, by text or by call",
    arguments: [("sms", OutboxMessage.Channel.sms), ("voice", .call)])
  func confirm(method: String, channel: OutboxMessage.Channel) async throws {
    let user = user(phone)
    try await withWalk(policy("two-factors"), [user]) { walk in
      try await walk.password(user)
      #expect(walk.offered.first == "authenticator-verification-data")
      #expect(walk.org.outbox.isEmpty)
      let id = try walk.reply.text("remediation.value.0.value.0.form.value.0.value")
      try await walk.send("authenticator-verification-data", ["authenticator": ["id": id, "methodType": "fax"]])
      #expect(walk.reply.status == 400)
      try await walk.send("authenticator-verification-data", ["authenticator": ["id": id, "methodType": method]])
      #expect(walk.org.outbox.last?.channel == channel)
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": walk.code]])
      #expect(walk.isDone)
    }
  }

  @Test("a mail's code lets in, and a policy may leave the link out")
  func mailCode() async throws {
    let user = user(.email(address: "cat@acme.example"))
    try await withWalk(policy("codes-only"), [user]) { walk in
      try await walk.password(user)
      #expect(walk.org.outbox.last?.link == nil)
      #expect(walk.reply.value("currentAuthenticatorEnrollment.value.poll") == nil)
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": walk.code]])
      #expect(walk.isDone)
    }
  }

  @Test("a magic link followed elsewhere is seen by the poll; it works once")
  func magicLink() async throws {
    let user = user(.email(address: "cat@acme.example"))
    try await withWalk(policy("standard"), [user]) { walk in
      try await walk.password(user)
      let id = try walk.reply.text("remediation.value.0.value.0.form.value.0.value")
      try await walk.send("authenticator-verification-data", ["authenticator": ["id": id, "methodType": "email"]])
      #expect(walk.reply.number("currentAuthenticatorEnrollment.value.poll.refresh") == 4000)
      try await walk.send("poll")
      #expect(walk.offered.first == "challenge-authenticator")
      let link = try #require(walk.org.outbox.last?.link)
      walk.wire.headers = [("Accept", "text/html")]
      let page = try await walk.wire.get(link)
      #expect(page.bodyText.contains("original tab"))
      #expect(!walk.org.openMagicLink(for: user.login))
      try await walk.send("poll")
      #expect(walk.isDone)
    }
  }

  @Test("a link of an earlier mail is stale, and one that is too old has expired")
  func staleLink() async throws {
    let user = user(.email(address: "cat@acme.example"))
    try await withWalk(policy("codes-only").with { $0.emailMagicLink = true }, [user]) { walk in
      try await walk.password(user)
      let first = try #require(walk.org.outbox.last?.link)
      try await walk.send("resend")
      walk.wire.headers = [("Accept", "application/ion+json")]
      #expect(IonCheck.messages(try await walk.wire.get(first)) == ["idx.return.stale"])
      #expect(IonCheck.messages(try await walk.wire.get(first)) == ["idx.return.link.expired"])
      try await walk.send("poll")
      #expect(!walk.isDone)
      #expect(walk.org.openMagicLink(for: user.login))
      try await walk.send("poll")
      #expect(walk.isDone)
    }
  }

  @Test("a push is polled until the phone answers")
  func push() async throws {
    let user = user(.push(device: "Cat's phone"), phone)
    try await withWalk(policy("two-factors"), [user]) { walk in
      try await walk.password(user)
      try await walk.choose("Okta Verify")
      #expect(walk.offered.first == "challenge-poll")
      walk.org.answerPush(for: user.login, .approve, afterPolls: 3)
      for _ in 1...2 {
        try await walk.send("challenge-poll")
        #expect(walk.offered.first == "challenge-poll")
      }
      try await walk.send("challenge-poll")
      #expect(walk.isDone)
    }
  }

  @Test(
    "a push that is refused says why and can be sent again",
    arguments: [
      (PushAnswer.reject, "api.authn.poll.error.push_rejected"),
      (.timeOut, "authfactor.challenge.okta_verify_push.timed_out"),
      (.cancel, "idx.operation.cancelled.on.other.device"),
    ])
  func refused(answer: PushAnswer, key: String) async throws {
    let user = user(.push(device: "Cat's phone"))
    try await withWalk(policy("codes-only"), [user]) { walk in
      walk.org.answerPush(for: user.login, answer)
      walk.org.answerPush(for: user.login, .approve)
      try await walk.password(user)
      try await walk.send("challenge-poll", ["autoChallenge": true])
      #expect(walk.reply.status == 400)
      #expect(walk.messages == [key])
      #expect(walk.offered == ["resend", "select-authenticator-authenticate"])
      let id = try walk.reply.text("currentAuthenticator.value.id")
      try await walk.send("resend", ["authenticator": ["id": id, "methodType": "push"]])
      try await walk.send("challenge-poll")
      #expect(walk.isDone)
    }
  }

  @Test("the right number approves the push, another rejects it", arguments: [true, false])
  func number(isRight: Bool) async throws {
    let user = user(.push(device: "Cat's phone"))
    try await withWalk(policy("number-challenge"), [user]) { walk in
      #expect(!walk.org.pickNumber(1, for: user.login))
      try await walk.password(user)
      let shown = try walk.reply.text("currentAuthenticator.value.contextualData.correctAnswer")
      let number = try #require(Int(shown))
      #expect(walk.org.pickNumber(isRight ? number : number + 1, for: user.login) == isRight)
      try await walk.send("challenge-poll")
      #expect(walk.isDone == isRight)
    }
  }

  @Test("giving up on a push leads back to the choice")
  func cancelPolling() async throws {
    let user = user(.push(device: "Cat's phone"), phone)
    try await withWalk(policy("two-factors"), [user]) { walk in
      try await walk.password(user)
      try await walk.choose("Okta Verify")
      try await walk.send("cancel-polling")
      #expect(walk.offered == ["select-authenticator-authenticate"])
    }
  }

  @Test("codes of Okta Verify and of Google Authenticator, each once", arguments: ["OKTA", "GOOGLE"])
  func timeCodes(provider: String) async throws {
    let user = user(.totp(secret: secret, provider: provider))
    let field = provider == "OKTA" ? "totp" : "passcode"
    try await withWalk(policy("codes-only"), [user]) { walk in
      try await walk.password(user)
      let code = try #require(walk.org.timeCode(secret: secret))
      try await walk.send("challenge-authenticator", ["credentials": [field: "12345"]])
      #expect(walk.messages == ["authfactor.challenge.soft_token.invalid_passcode"])
      try await walk.send("challenge-authenticator", ["credentials": [field: code]])
      #expect(walk.isDone)
      try await walk.send("cancel")
      try await walk.password(user)
      try await walk.send("challenge-authenticator", ["credentials": [field: code]])
      #expect(walk.messages == ["authfactor.challenge.soft_token.used_passcode"])
      walk.org.advanceClock(by: 30)
      let next = try #require(walk.org.timeCode(secret: secret))
      try await walk.send("challenge-authenticator", ["credentials": [field: next]])
      #expect(walk.isDone)
    }
  }

  @Test("a question is asked, and answered as a person would")
  func question() async throws {
    let user = user(.question(key: "favorite_toy", answer: "Teddy Bear"))
    try await withWalk(policy("two-factors"), [user]) { walk in
      try await walk.password(user)
      #expect(
        try walk.reply.text("currentAuthenticatorEnrollment.value.contextualData.enrolledQuestion.questionKey")
          == "favorite_toy")
      try await walk.send("challenge-authenticator", ["credentials": ["questionKey": "favorite_toy", "answer": "car"]])
      #expect(walk.messages == ["authfactor.challenge.question_factor.answer_invalid"])
      try await walk.send(
        "challenge-authenticator", ["credentials": ["questionKey": "favorite_toy", "answer": " teddy  BEAR"]])
      #expect(walk.isDone)
    }
  }

  @Test("tokens of other makers", arguments: ["SYMANTEC", "YUBICO", "RSA", "CUSTOM", "DEL_OATH"])
  func tokens(provider: String) async throws {
    let user = user(.token(provider: provider, credentialId: "c-1", passCode: "654321"))
    try await withWalk(policy("two-factors"), [user]) { walk in
      try await walk.password(user)
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": "111111"]])
      #expect(walk.reply.status == 401)
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": "654321"]])
      #expect(walk.isDone)
    }
  }

  @Test("Duo's signature is checked, and Duo may stay silent")
  func duo() async throws {
    let user = user(.duo)
    try await withWalk(policy("two-factors"), [user]) { walk in
      try await walk.password(user)
      let token = try walk.reply.text("currentAuthenticatorEnrollment.value.contextualData.signedToken")
      try await walk.send("challenge-authenticator", ["credentials": ["signatureData": "AUTH|forged"]])
      #expect(walk.messages == ["oie.authenticator.duo.method.duo.verification_failed"])
      try await walk.send("challenge-authenticator", ["credentials": ["signatureData": "timeout"]])
      #expect(walk.messages == ["oie.authenticator.duo.method.duo.verification_timeout"])
      let signature = SimulatedOrg.duoSignature(for: token)
      try await walk.send("challenge-authenticator", ["credentials": ["signatureData": signature]])
      #expect(walk.isDone)
    }
  }

  @Test("any two factors in any order, the password among them")
  func anyTwo() async throws {
    let user = user(phone, .question(key: "favorite_toy", answer: "Teddy"))
    try await withWalk(policy("any-two"), [user]) { walk in
      try await walk.send("identify", ["identifier": user.login])
      #expect(walk.reply.count("authenticatorEnrollments.value") == 3)
      try await walk.choose("Security Question")
      try await walk.send("challenge-authenticator", ["credentials": ["answer": "teddy"]])
      #expect(!walk.isDone)
      #expect(walk.option("Security Question", in: "select-authenticator-authenticate") == nil)
      try await walk.choose("Password")
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": People.password]])
      #expect(walk.isDone)
    }
  }

  @Test("three factors; one factor without a password")
  func counts() async throws {
    let user = user(phone, .question(key: "favorite_toy", answer: "Teddy"))
    try await withWalk(policy("three-factors"), [user]) { walk in
      try await walk.password(user)
      try await walk.choose("Security Question")
      try await walk.send("challenge-authenticator", ["credentials": ["answer": "teddy"]])
      #expect(walk.offered.first == "authenticator-verification-data")
      try await walk.choose("Phone", method: "sms")
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": walk.code]])
      #expect(walk.isDone)
    }
    try await withWalk(policy("passwordless"), [user]) { walk in
      try await walk.send("identify", ["identifier": user.login])
      try await walk.choose("Security Question")
      try await walk.send("challenge-authenticator", ["credentials": ["answer": "teddy"]])
      #expect(walk.isDone)
    }
  }

  @Test("too many wrong codes: 429 with a whole response, then the end")
  func tooMany() async throws {
    let user = user(phone)
    try await withWalk(policy("two-factors"), [user], { $0.wrongCodeLimit = 3 }) { walk in
      try await walk.password(user)
      let id = try walk.reply.text("remediation.value.0.value.0.form.value.0.value")
      try await walk.send("authenticator-verification-data", ["authenticator": ["id": id, "methodType": "sms"]])
      var statuses: [Int] = []
      for _ in 1...6 {
        try await walk.send("challenge-authenticator", ["credentials": ["passcode": "000000x"]])
        statuses.append(walk.reply.status)
        if walk.reply.status == 429 {
          #expect(walk.messages == ["tooManyRequests"])
          #expect(walk.offered.first == "challenge-authenticator")
        }
      }
      #expect(statuses == [401, 401, 429, 429, 429, 403])
      #expect(walk.messages == ["security.access_denied"])
      #expect(walk.offered.isEmpty)
    }
  }

  @Test("the sixth text in one sign-in is refused")
  func tooManyTexts() async throws {
    let user = user(phone, .question(key: "favorite_toy", answer: "Teddy"))
    try await withWalk(policy("two-factors"), [user]) { walk in
      try await walk.password(user)
      try await walk.choose("Phone", method: "sms")
      for _ in 1...4 { #expect(try await walk.send("resend").status == 200) }
      #expect(try await walk.send("resend").status == 429)
      #expect(walk.messages == ["errors.E0000150"])
      #expect(walk.org.outbox.count == 5)
    }
  }

  @Test("a remembered device is asked for one factor only")
  func remembered() async throws {
    let user = user(.question(key: "favorite_toy", answer: "Teddy"))
    try await withWalk(policy("two-factors"), [user]) { walk in
      walk.cookie = "DT=device-1"
      try await walk.send("identify", ["identifier": user.login, "rememberMe": true])
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": People.password]])
      try await walk.send("challenge-authenticator", ["credentials": ["answer": "teddy"]])
      #expect(walk.isDone)
      let again = try await IDXWalker(walk.org, walk.wire, cookie: "DT=device-1")
      try await again.password(user)
      #expect(again.isDone)
      let other = try await IDXWalker(walk.org, walk.wire, cookie: "DT=device-2")
      try await other.password(user)
      #expect(!other.isDone)
    }
  }
}
