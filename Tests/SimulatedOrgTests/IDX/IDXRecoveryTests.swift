// A forgotten password, a locked account (idx.md §14).

import Foundation
import Testing

@testable import SimulatedOrg

@Suite struct IDXRecoveryTests {
  @Test("a forgotten password: another factor, then a new password")
  func recovery() async throws {
    try await withWalk(policy("password")) { walk in
      try await walk.send("identify", ["identifier": "ann@acme.example"])
      try await walk.send("recover")
      #expect(try walk.reply.text("recoveryAuthenticator.value.key") == "okta_password")
      #expect(walk.offered.first == "authenticator-verification-data")
      try await walk.choose("Email", method: "email")
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": walk.code]])
      #expect(walk.offered == ["reset-authenticator"])
      try await walk.send("reset-authenticator", ["credentials": ["passcode": "weak", "revokeSessions": true]])
      #expect(walk.messages == ["password.passwordRequirementsNotMet"])
      try await walk.send("reset-authenticator", ["credentials": ["passcode": "Another-horse-2"]])
      #expect(walk.isDone)
      let again = try await IDXWalker(walk.org, walk.wire)
      try await again.password(People.ann)
      #expect(again.messages == ["errors.E0000004"])
      try await again.send("challenge-authenticator", ["credentials": ["passcode": "Another-horse-2"]])
      #expect(again.isDone)
    }
  }

  @Test("a forgotten password from the first page asks who it is, and does not show who exists")
  func unnamed() async throws {
    try await withWalk(policy("password-one-page")) { walk in
      try await walk.send("recover")
      #expect(walk.offered.first == "identify-recovery")
      try await walk.send("identify-recovery", ["identifier": ""])
      #expect(walk.reply.status == 400)
      try await walk.send("identify-recovery", ["identifier": "nobody@acme.example"])
      #expect(walk.offered.first == "authenticator-verification-data")
      try await walk.choose("Email", method: "email")
      #expect(walk.offered.first == "challenge-authenticator")
      #expect(walk.org.outbox.isEmpty)
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": "123456"]])
      #expect(walk.messages == ["api.authn.error.PASSCODE_INVALID"])
    }
  }

  @Test("a recovery token starts at the new password, once")
  func token() async throws {
    try await withOrg { org, wire in
      let token = try #require(org.beginRecovery(for: "bob@acme.example"))
      let walk = try await IDXWalker(org, wire, ["recovery_token": token])
      #expect(walk.offered == ["reset-authenticator"])
      try await walk.send("reset-authenticator", ["credentials": ["passcode": "Another-horse-2"]])
      #expect(walk.isDone)
      for token in [token, "unknown"] {
        let form = IDXWalker.interest("v").merging(["recovery_token": token]) { $1 }
        let reply = try await IDXWalker.interact(wire, "/oauth2/default", form)
        #expect(reply.status == 400)
        #expect(try reply.text("error_description") == "The recovery token is invalid")
      }
    }
  }

  @Test("an activation token leads to the first password")
  func activation() async throws {
    let user = OrgUser(login: "new@acme.example", password: nil, activationToken: "act-1")
    try await withOrg(.init(users: [user])) { org, wire in
      let walk = try await IDXWalker(org, wire, ["activation_token": "act-1"])
      try await walk.send("reset-authenticator", ["credentials": ["passcode": "Another-horse-2"]])
      #expect(walk.isDone)
    }
  }

  @Test(
    "an account is unlocked: a terminal message, or on to the sign-in", arguments: ["standard", "unlock-and-sign-in"])
  func unlock(name: String) async throws {
    let user = OrgUser(login: "fay@acme.example", password: People.password, lockedOut: true)
    try await withWalk(policy(name), [user]) { walk in
      try await walk.password(user)
      #expect(walk.messages == ["errors.E0000004"])
      try await walk.send("cancel")
      try await walk.send("unlock-account")
      #expect(walk.offered.first == "select-authenticator-unlock-account")
      let unlock = "select-authenticator-unlock-account"
      try await walk.send(unlock, ["identifier": ""])
      #expect(walk.reply.status == 400)
      let fields = try #require(walk.option("Email", in: unlock))
      let id = try #require(fields.first?["value"] as? String)
      try await walk.send(unlock, ["identifier": user.login, "authenticator": ["id": id, "methodType": "email"]])
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": walk.code]])
      if name == "standard" {
        #expect(walk.offered.isEmpty)
        #expect(walk.messages == ["oie.selfservice.unlock_user.success.message"])
        #expect(walk.reply.value("cancel") == nil)
        let again = try await IDXWalker(walk.org, walk.wire)
        try await again.password(user)
        #expect(again.isDone)
      } else {
        try await walk.send("challenge-authenticator", ["credentials": ["passcode": People.password]])
        #expect(walk.isDone)
      }
    }
  }

  @Test("unlocking looks the same for an unknown name and for a user without a phone", arguments: ["Email", "Phone"])
  func noOracle(label: String) async throws {
    var shapes: [[String]] = []
    for login in ["ann@acme.example", "nobody@acme.example"] {
      try await withWalk(policy("standard")) { walk in
        try await walk.send("unlock-account")
        let unlock = "select-authenticator-unlock-account"
        let id = try #require(walk.option(label, in: unlock)?.first?["value"] as? String)
        let method = label == "Email" ? "email" : "sms"
        try await walk.send(unlock, ["identifier": login, "authenticator": ["id": id, "methodType": method]])
        shapes.append([String(walk.reply.status)] + walk.offered + walk.messages)
      }
    }
    #expect(shapes[0].first == "200")
    #expect(shapes[0] == shapes[1])
  }

  @Test("a user who may not recover gets a message, and it ends there")
  func forbidden() async throws {
    let user = OrgUser(login: "eve@acme.example", password: People.password, mayRecover: false)
    try await withWalk(policy("password"), [user]) { walk in
      try await walk.send("identify", ["identifier": user.login])
      try await walk.send("recover")
      #expect(walk.reply.status == 403)
      #expect(walk.messages == ["security.access_denied"])
      #expect(walk.offered.isEmpty)
    }
  }
}
