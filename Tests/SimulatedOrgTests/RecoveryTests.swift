// Forgotten passwords, locked accounts (authn.md §2.4, §11).

import Foundation
import SimulatedOrg
import Testing

@Suite struct RecoveryTests {
  private static let new = "Brand-new-horse-2"
  private let plain = OrgUser(
    login: "eve@acme.example", password: People.password, recoveryPhone: "+1 415-555-0123")
  private let asked = OrgUser(
    login: "fay@acme.example", password: People.password, recoveryPhone: "+1 415-555-0124",
    recoveryQuestion: ("Where were you born?", "Oslo"))

  private func start(
    _ client: WireClient, _ path: String, _ user: OrgUser, _ factor: String?, _ more: [String: Any] = [:]
  ) async throws -> WireReply {
    var body = more
    body["username"] = user.login
    body["factorType"] = factor
    return try await client.post("/api/v1/authn/recovery/" + path, body)
  }

  @Test(arguments: [("sms", "SMS"), ("CALL", "CALL")])
  func `a code by phone leads to a new password`(factor: String, shown: String) async throws {
    try await withOrg(.init(users: [plain])) { org, client in
      let challenge = try await start(client, "password", plain, factor, ["relayState": "there"])
      #expect(challenge.statusText == "RECOVERY_CHALLENGE")
      #expect(try challenge.text("factorType") == shown)
      #expect(try challenge.text("recoveryType") == "PASSWORD")
      #expect(try challenge.text("_links.next.href").hasSuffix("/api/v1/authn/recovery/factors/\(shown)/verify"))
      #expect(challenge.value("_embedded") == nil)
      #expect(try await client.follow(challenge, "_links.next", ["passCode": "nope"]).errorCode == "E0000068")
      let reset = try await client.follow(challenge, "_links.next", ["passCode": org.outbox[0].code])
      #expect(reset.statusText == "PASSWORD_RESET")
      let done = try await client.follow(reset, "_links.next", ["newPassword": Self.new])
      #expect(done.statusText == "SUCCESS")
      #expect(try done.text("relayState") == "there")
      #expect(try await client.signIn(plain, password: Self.new).statusText == "SUCCESS")
    }
  }

  @Test func `a code is resent after thirty seconds`() async throws {
    try await withOrg(.init(users: [plain])) { org, client in
      let challenge = try await start(client, "password", plain, "SMS")
      #expect(try await client.follow(challenge, "_links.resend").errorCode == "E0000109")
      org.advanceClock(by: 30)
      #expect(try await client.follow(challenge, "_links.resend").statusText == "RECOVERY_CHALLENGE")
      #expect(org.outbox.count == 2)
    }
  }

  @Test func `the question is asked after the code`() async throws {
    try await withOrg(.init(users: [asked])) { org, client in
      let challenge = try await start(client, "password", asked, "SMS")
      let recovery = try await client.follow(challenge, "_links.next", ["passCode": org.outbox[0].code])
      #expect(recovery.statusText == "RECOVERY")
      #expect(try recovery.text("_embedded.user.recovery_question.question") == "Where were you born?")
      #expect(try recovery.text("_links.next.name") == "answer")
      #expect(try await client.follow(recovery, "_links.next", ["answer": "Rome"]).errorCode == "E0000087")
      let reset = try await client.follow(recovery, "_links.next", ["answer": "oslo"])
      #expect(reset.statusText == "PASSWORD_RESET")
    }
  }

  @Test func `a mail brings a token that is redeemed once`() async throws {
    try await withOrg(.init(users: [plain])) { org, client in
      let challenge = try await start(client, "password", plain, "email")
      #expect(
        challenge.bodyText
          == #"{"status":"RECOVERY_CHALLENGE","factorResult":"WAITING","factorType":"EMAIL","recoveryType":"PASSWORD"}"#
      )
      let mail = try #require(org.outbox.first)
      #expect(mail.channel == .mail)
      #expect(mail.to == "eve@acme.example")
      let path = "/api/v1/authn/recovery/token"
      #expect(try await client.post(path, ["recoveryToken": "other"]).errorCode == "E0000011")
      #expect(
        try await client.post(path, ["recoveryToken": mail.code, "stateToken": "x"]).errorCode == "E0000001")
      #expect(try await client.post(path, ["recoveryToken": mail.code]).statusText == "PASSWORD_RESET")
      #expect(try await client.post(path, ["recoveryToken": mail.code]).errorCode == "E0000105")
    }
  }

  @Test func `a recovery token grows old`() async throws {
    try await withOrg(.init(users: [plain])) { org, client in
      _ = try await start(client, "password", plain, "email")
      org.advanceClock(by: 3600)
      let reply = try await client.post("/api/v1/authn/recovery/token", ["recoveryToken": org.outbox[0].code])
      #expect(reply.errorCode == "E0000105")
    }
  }

  @Test(arguments: ["EMAIL", "SMS", "CALL"])
  func `an unknown user gets the answers of a known one, but no code is right`(factor: String) async throws {
    let nobody = OrgUser(login: "nobody@acme.example", password: nil)
    try await withOrg(.init(users: [plain])) { org, client in
      func shape(_ reply: WireReply) -> [String] {
        let keys = (reply.value("") as? [String: Any])?.keys.sorted() ?? []
        return ["\(reply.status)"] + keys
      }
      let known = try await start(client, "password", plain, factor)
      let unknown = try await start(client, "password", nobody, factor)
      #expect(shape(known) == shape(unknown))
      #expect(org.outbox.count == 1)
      let again = try await start(client, "password", nobody, factor)
      #expect(again.status == 429)
      #expect(again.errorCode == (try await start(client, "password", plain, factor)).errorCode)
      guard factor != "EMAIL" else { return }
      for code in ["", "123456", org.outbox[0].code] {
        #expect(try await client.follow(unknown, "_links.next", ["passCode": code]).errorCode == "E0000068")
      }
      #expect(try await client.follow(unknown, "_links.cancel").status == 200)
    }
  }

  @Test func `unlocking ends in SUCCESS without a session`() async throws {
    var user = plain
    user.lockedOut = true
    try await withOrg(.init(users: [user], showsLockout: true)) { org, client in
      let locked = try await client.signIn(user)
      #expect(locked.statusText == "LOCKED_OUT")
      let challenge = try await client.post(
        locked.text("_links.next.href"), ["username": user.login, "factorType": "SMS"])
      #expect(try challenge.text("recoveryType") == "UNLOCK")
      let done = try await client.follow(challenge, "_links.next", ["passCode": org.outbox[0].code])
      #expect(done.bodyText == #"{"status":"SUCCESS","recoveryType":"UNLOCK"}"#)
      #expect(try await client.signIn(user).statusText == "SUCCESS")
    }
  }

  @Test func `a trusted client gets the token itself`() async throws {
    try await withOrg(.init(users: [asked], apiToken: "key")) { _, client in
      client.headers.append(("Authorization", "SSWS key"))
      let recovery = try await start(client, "password", asked, nil)
      #expect(recovery.statusText == "RECOVERY")
      #expect(recovery.value("stateToken") == nil)
      #expect(try recovery.text("_links.next.name") == "recovery")
      let token = try recovery.text("recoveryToken")
      let next = try await client.post(recovery.text("_links.next.href"), ["recoveryToken": token])
      #expect(next.statusText == "RECOVERY")
      #expect(try await client.follow(next, "_links.next", ["answer": "Oslo"]).statusText == "PASSWORD_RESET")
      #expect(try await start(client, "password", People.ann, nil).errorCode == "E0000095")
    }
  }

  @Test func `refusals name their reason`() async throws {
    var barred = plain
    barred.mayRecover = false
    let phoneless = People.ann
    try await withOrg(.init(users: [barred, phoneless])) { _, client async throws in
      #expect(try await start(client, "password", barred, "SMS").errorCode == "E0000034")
      #expect(try await start(client, "unlock", barred, "SMS").errorCode == "E0000032")
      #expect(try await start(client, "password", phoneless, "SMS").errorCode == "E0000097")
      #expect(try await start(client, "password", phoneless, nil).errorCode == "E0000001")
      #expect(try await start(client, "password", phoneless, "PIGEON").errorCode == "E0000001")
    }
  }

  @Test func `too many wrong answers end a recovery`() async throws {
    try await withOrg(.init(users: [asked], wrongCodeLimit: 2)) { org, client in
      let challenge = try await start(client, "password", asked, "SMS")
      let recovery = try await client.follow(challenge, "_links.next", ["passCode": org.outbox[0].code])
      for code in ["E0000087", "E0000069", "E0000011"] {
        #expect(try await client.follow(recovery, "_links.next", ["answer": "Rome"]).errorCode == code)
      }
    }
  }
}
