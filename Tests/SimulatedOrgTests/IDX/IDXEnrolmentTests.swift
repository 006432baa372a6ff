// Setting authenticators up, registering (idx.md §14, Enrolment, Registration).

import Foundation
import Testing

@testable import SimulatedOrg

@Suite struct IDXEnrolmentTests {
  private let enrol = "select-authenticator-enroll"

  @Test("phone, question and Google Authenticator are set up one after the other, then they are factors")
  func required() async throws {
    try await withWalk(policy("enrol-required"), [People.ann]) { walk in
      try await walk.password(People.ann)
      #expect(walk.offered == [enrol])
      try await walk.choose("Phone", in: enrol)
      #expect(walk.offered.first == "authenticator-enrollment-data")
      let phone = try walk.reply.text("currentAuthenticator.value.id")
      for number in ["", "123", "nonsense"] {
        try await walk.send(
          "authenticator-enrollment-data",
          ["authenticator": ["id": phone, "methodType": "sms", "phoneNumber": number]])
        #expect(walk.reply.status == 400)
        #expect(walk.offered.first == "authenticator-enrollment-data")
      }
      #expect(walk.messages == ["api.factors.error.sms.invalid_phone"])
      try await walk.send(
        "authenticator-enrollment-data",
        ["authenticator": ["id": phone, "methodType": "voice", "phoneNumber": "+15551234567"]])
      #expect(walk.org.outbox.last?.channel == .call)
      try await walk.send("enroll-authenticator", ["credentials": ["passcode": "1"]])
      #expect(walk.messages == ["api.authn.error.PASSCODE_INVALID"])
      try await walk.send("enroll-authenticator", ["credentials": ["passcode": walk.code]])
      try await question(walk)
      try await walk.choose("Google Authenticator", in: enrol)
      let secret = try walk.reply.text("currentAuthenticator.value.contextualData.sharedSecret")
      #expect(
        try walk.reply.text("currentAuthenticator.value.contextualData.qrcode.href").hasPrefix("data:image/png;base64,")
      )
      #expect(try walk.reply.text("enrollmentAuthenticator.value.key") == "google_otp")
      let code = try #require(walk.org.timeCode(secret: secret))
      try await walk.send("enroll-authenticator", ["credentials": ["passcode": code]])
      #expect(walk.isDone)
      let again = try await IDXWalker(walk.org, walk.wire)
      try await again.password(People.ann)
      #expect(again.reply.count("authenticatorEnrollments.value") == 3)
    }
  }

  private func question(_ walk: IDXWalker) async throws {
    try await walk.choose("Security Question", in: enrol)
    #expect(walk.reply.count("currentAuthenticator.value.contextualData.questions") == 8)
    try await walk.send("enroll-authenticator", ["credentials": ["questionKey": "favorite_toy", "answer": "abc"]])
    #expect(walk.messages == ["securityQuestion.answer.tooShort.arg"])
    try await walk.send("enroll-authenticator", ["credentials": ["questionKey": "none", "answer": "abcdef"]])
    #expect(walk.reply.status == 400)
    try await walk.send(
      "enroll-authenticator", ["credentials": ["questionKey": "custom", "question": "Why?", "answer": "because"]])
    #expect(walk.reply.status == 200)
  }

  @Test("what is optional can be skipped, at once or later")
  func optional() async throws {
    try await withWalk(policy("enrol-optional"), [People.ann]) { walk in
      try await walk.password(People.ann)
      #expect(walk.offered == [enrol, "skip"])
      #expect(walk.reply.count("authenticators.value") == 7)
      try await walk.choose("Email", in: enrol)
      try await walk.send("enroll-authenticator", ["credentials": ["passcode": walk.code]])
      #expect(walk.reply.count("authenticators.value") == 6)
      try await walk.send("skip")
      #expect(walk.isDone)
    }
  }

  @Test("Okta Verify by QR code: the poll ends when the phone has scanned")
  func oktaVerify() async throws {
    try await withWalk(policy("enrol-optional"), [People.ann]) { walk in
      try await walk.password(People.ann)
      try await walk.choose("Okta Verify", in: enrol)
      #expect(walk.offered.prefix(2) == ["enroll-poll", "select-enrollment-channel"])
      #expect(try walk.reply.text("currentAuthenticator.value.contextualData.selectedChannel") == "qrcode")
      try await walk.send("enroll-poll")
      #expect(walk.offered.first == "enroll-poll")
      walk.org.answerPush(for: People.ann.login, .approve)
      try await walk.send("enroll-poll")
      #expect(walk.option("Okta Verify", in: enrol) == nil)
    }
  }

  @Test(
    "Okta Verify by a link in a mail or a text", arguments: [("email", "ann@acme.example"), ("sms", "+15551234567")])
  func channels(channel: String, address: String) async throws {
    let field = channel == "email" ? "email" : "phoneNumber"
    try await withWalk(policy("enrol-optional"), [People.ann]) { walk in
      try await walk.password(People.ann)
      try await walk.choose("Okta Verify", in: enrol)
      let id = try walk.reply.text("currentAuthenticator.value.id")
      try await walk.send("select-enrollment-channel", ["authenticator": ["id": id, "channel": "pigeon"]])
      #expect(walk.reply.status == 400)
      try await walk.send("select-enrollment-channel", ["authenticator": ["id": id, "channel": channel]])
      #expect(walk.offered.first == "enrollment-channel-data")
      try await walk.send("enrollment-channel-data", [field: "?"])
      #expect(walk.reply.status == 400)
      try await walk.send("enrollment-channel-data", [field: address])
      #expect(walk.offered.first == "enroll-poll")
      #expect(walk.org.outbox.last?.to == address)
      if channel == "email" {
        #expect(walk.org.openMagicLink(for: People.ann.login))
      } else {
        walk.org.answerPush(for: People.ann.login, .approve)
      }
      try await walk.send("enroll-poll")
      #expect(walk.offered.first == enrol)
      #expect(walk.option("Okta Verify", in: enrol) == nil)
    }
  }

  @Test("Duo, and an e-mail whose link is followed elsewhere")
  func others() async throws {
    try await withWalk(policy("enrol-optional"), [People.ann]) { walk in
      try await walk.password(People.ann)
      try await walk.choose("Duo Security", in: enrol)
      let token = try walk.reply.text("currentAuthenticator.value.contextualData.signedToken")
      try await walk.send(
        "enroll-authenticator", ["credentials": ["signatureData": SimulatedOrg.duoSignature(for: token)]])
      try await walk.choose("Email", in: enrol)
      walk.org.openMagicLink(for: People.ann.login)
      try await walk.send("poll")
      #expect(walk.reply.count("authenticators.value") == 5)
    }
  }

  @Test("a user with too few factors has to set one up, if the policy insists")
  func tooFew() async throws {
    try await withWalk(policy("two-factors"), [People.ann]) { walk in
      try await walk.password(People.ann)
      #expect(walk.offered == [enrol])
      try await question(walk)
      #expect(walk.isDone)
    }
  }

  @Test("registration: profile, mail, password, and one may skip the phone")
  func registration() async throws {
    try await withWalk(policy("registration"), [People.ann]) { walk in
      try await walk.send("select-enroll-profile")
      #expect(walk.offered == ["enroll-profile", "select-identify"])
      try await walk.send("enroll-profile", ["userProfile": ["firstName": "New", "email": "no address"]])
      #expect(walk.reply.status == 400)
      #expect(walk.messages == ["model.validation.field.blank", "registration.error.invalidLoginEmail"])
      var profile = ["firstName": "New", "lastName": "Body", "email": "ann@acme.example"]
      try await walk.send("enroll-profile", ["userProfile": profile])
      #expect(walk.messages == ["registration.error.notUniqueWithinOrg"])
      profile["email"] = "new@acme.example"
      try await walk.send("enroll-profile", ["userProfile": profile])
      try await walk.choose("Email", in: enrol)
      try await walk.send("enroll-authenticator", ["credentials": ["passcode": walk.code]])
      try await walk.choose("Password", in: enrol)
      try await walk.send("enroll-authenticator", ["credentials": ["passcode": "x"]])
      #expect(walk.messages == ["password.passwordRequirementsNotMet"])
      try await walk.send("enroll-authenticator", ["credentials": ["passcode": "Fresh-start-9"]])
      #expect(walk.offered == [enrol, "skip"])
      try await walk.send("skip")
      #expect(walk.isDone)
      #expect(try await walk.tokens().status == 200)
    }
  }

  @Test("registration with the password on the same page")
  func registrationWithPassword() async throws {
    try await withWalk(policy("registration-with-password"), []) { walk in
      try await walk.send("select-enroll-profile")
      let profile = ["firstName": "New", "lastName": "Body", "email": "new@acme.example"]
      try await walk.send("enroll-profile", ["userProfile": profile, "credentials": ["passcode": "x"]])
      #expect(walk.messages == ["password.passwordRequirementsNotMet"])
      try await walk.send("enroll-profile", ["userProfile": profile, "credentials": ["passcode": "Fresh-start-9"]])
      #expect(walk.isDone)
      let again = try await IDXWalker(walk.org, walk.wire)
      try await again.send("identify", ["identifier": "new@acme.example"])
      try await again.send("challenge-authenticator", ["credentials": ["passcode": "Fresh-start-9"]])
      #expect(again.isDone)
    }
  }

  @Test("from registration back to the first page")
  func back() async throws {
    try await withWalk(policy("registration")) { walk in
      try await walk.send("select-enroll-profile")
      try await walk.send("select-identify")
      #expect(walk.offered.first == "identify")
    }
  }
}
