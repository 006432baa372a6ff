// The way from a user name to tokens (idx.md §14, Password; §2.4).

import Foundation
import Testing

@testable import SimulatedOrg

@Suite struct IDXPasswordTests {
  @Test("user name, password, interaction code, tokens")
  func password() async throws {
    try await withWalk(policy("password")) { walk in
      #expect(walk.offered == ["identify", "unlock-account"])
      try await walk.send("identify", ["identifier": "Ann@Acme.example", "rememberMe": false])
      #expect(walk.offered.first == "challenge-authenticator")
      #expect(try walk.reply.text("currentAuthenticatorEnrollment.value.key") == "okta_password")
      #expect(walk.reply.value("user.value.id") == nil)
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": People.password]])
      #expect(walk.isDone)
      #expect(walk.offered.isEmpty)
      #expect(try walk.reply.text("user.value.identifier") == "ann@acme.example")
      #expect(walk.reply.headers.contains { $0.name == "Set-Cookie" && $0.value.hasPrefix("idx=") })
      let tokens = try await walk.tokens()
      #expect(tokens.status == 200)
      #expect(try tokens.text("token_type") == "Bearer")
      #expect(tokens.number("expires_in") == 3600)
      #expect(tokens.header("Cache-Control") == "no-store")
      for name in ["access_token", "refresh_token", "id_token"] { _ = try tokens.text(name) }
    }
  }

  @Test("user name and password on one page")
  func onePage() async throws {
    try await withWalk(policy("password-one-page")) { walk in
      try await walk.send("identify", ["identifier": "ann@acme.example"])
      #expect(walk.reply.status == 400)
      #expect(walk.messages == ["model.validation.field.blank"])
      try await walk.send("identify", ["identifier": "ann@acme.example", "credentials": ["passcode": "wrong"]])
      #expect(walk.reply.status == 401)
      #expect(walk.messages == ["errors.E0000004"])
      #expect(walk.offered.first == "identify")
      try await walk.send("identify", ["identifier": "ann@acme.example", "credentials": ["passcode": People.password]])
      #expect(walk.isDone)
    }
  }

  @Test("a wrong password leaves everything as it was, and says so")
  func wrong() async throws {
    try await withWalk(policy("password")) { walk in
      try await walk.send("identify", ["identifier": "ann@acme.example"])
      let before = walk.offered
      let handle = try walk.reply.text("stateHandle")
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": "wrong"]])
      #expect(walk.reply.status == 401)
      #expect(walk.messages == ["errors.E0000004"])
      #expect(walk.offered == before)
      #expect(try walk.reply.text("stateHandle") == handle)
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": ""]])
      #expect(walk.reply.status == 400)
      #expect(walk.messages == ["model.validation.field.blank"])
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": People.password]])
      #expect(walk.isDone)
    }
  }

  @Test("an unknown name is asked for a password as any other, unless the policy shows it")
  func unknown() async throws {
    try await withWalk(policy("password")) { walk in
      try await walk.send("identify", ["identifier": "nobody@acme.example"])
      #expect(walk.reply.status == 200)
      #expect(walk.offered.first == "challenge-authenticator")
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": People.password]])
      #expect(walk.messages == ["errors.E0000004"])
    }
    try await withWalk(policy("open-door")) { walk in
      try await walk.send("identify", ["identifier": "nobody@acme.example"])
      #expect(walk.reply.status == 200)
      #expect(walk.messages == ["idx.unknown.user"])
      #expect(walk.offered.first == "identify")
      try await walk.password(People.ann)
      #expect(walk.isDone)
    }
  }

  @Test("ten wrong passwords lock the account, which shows only if the org says so", arguments: [true, false])
  func lockout(shows: Bool) async throws {
    try await withWalk(policy("password"), [People.ann], { ($0.lockoutAfter, $0.showsLockout) = (3, shows) }) { walk in
      try await walk.send("identify", ["identifier": "ann@acme.example"])
      for _ in 1...3 { try await walk.send("challenge-authenticator", ["credentials": ["passcode": "wrong"]]) }
      #expect(walk.messages == [shows ? "errors.E0000119" : "errors.E0000004"])
      try await walk.send("challenge-authenticator", ["credentials": ["passcode": People.password]])
      #expect(!walk.isDone)
    }
  }

  @Test("an expired password has to be changed, by the rules")
  func expired() async throws {
    let user = OrgUser(login: "eve@acme.example", password: People.password, passwordExpiresIn: 0)
    try await withWalk(policy("password"), [user]) { walk in
      try await walk.password(user)
      #expect(walk.offered == ["reenroll-authenticator"])
      #expect(walk.reply.number("currentAuthenticator.value.settings.complexity.minLength") == 8)
      try await walk.send("reenroll-authenticator", ["credentials": ["passcode": "weak"]])
      #expect(walk.reply.status == 400)
      #expect(walk.messages == ["password.passwordRequirementsNotMet"])
      try await walk.send("reenroll-authenticator", ["credentials": ["passcode": People.password]])
      #expect(walk.messages == ["password.passwordRequirementsNotMet.history"])
      try await walk.send("reenroll-authenticator", ["credentials": ["passcode": "Another-horse-2"]])
      #expect(walk.isDone)
    }
  }

  @Test("a password that will expire is warned about and may be kept", arguments: [true, false])
  func expiring(skips: Bool) async throws {
    let user = OrgUser(login: "eve@acme.example", password: People.password, passwordExpiresIn: 3)
    try await withWalk(policy("password"), [user]) { walk in
      try await walk.password(user)
      #expect(walk.offered == ["reenroll-authenticator-warning", "skip"])
      #expect(walk.messages == ["idx.password.expiring.message"])
      #expect(walk.reply.number("currentAuthenticator.value.settings.daysToExpiry") == 3)
      if skips {
        try await walk.send("skip")
      } else {
        try await walk.send("reenroll-authenticator-warning", ["credentials": ["passcode": "Another-horse-2"]])
      }
      #expect(walk.isDone)
    }
  }
}
