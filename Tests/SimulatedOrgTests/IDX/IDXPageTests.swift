// Profile, consent, staying signed in: pages around the factors (idx.md §13.1).

import Foundation
import Testing

@testable import SimulatedOrg

@Suite struct IDXPageTests {
  @Test("a missing profile field is asked for once, and may be skipped", arguments: [true, false])
  func profile(skips: Bool) async throws {
    try await withWalk(policy("profile")) { walk in
      try await walk.password(People.ann)
      #expect(walk.offered == ["profile-update", "skip"])
      if skips {
        try await walk.send("skip")
      } else {
        try await walk.send("profile-update", ["userProfile": ["secondEmail": "ann@other.example"]])
      }
      #expect(walk.isDone)
      let again = try await IDXWalker(walk.org, walk.wire)
      try await again.password(People.ann)
      #expect(again.isDone == !skips)
    }
  }

  @Test("a required profile field cannot be left out")
  func requiredProfile() async throws {
    try await withWalk(policy("profile-required")) { walk in
      try await walk.password(People.ann)
      #expect(walk.offered == ["profile-update"])
      try await walk.send("profile-update", ["userProfile": ["nickName": "Annie"]])
      #expect(walk.messages == ["model.validation.field.blank"])
      try await walk.send("profile-update", ["userProfile": ["department": "Law"]])
      #expect(walk.isDone)
      let again = try await IDXWalker(walk.org, walk.wire)
      try await again.password(People.ann)
      #expect(again.offered == ["profile-update", "skip"])
    }
  }

  @Test(
    "consent is given or refused", arguments: ["consent", "admin-consent", "granular-consent", "email-consent"],
    [true, false])
  func consent(name: String, allows: Bool) async throws {
    let form = name == "email-consent" ? "email-challenge-consent" : name
    try await withWalk(policy(name)) { walk in
      try await walk.password(People.ann)
      #expect(walk.offered == [form])
      try await walk.send(form)
      #expect(walk.reply.status == 400)
      var body: [String: Any] = ["consent": allows]
      if name == "granular-consent" { body["optedScopes"] = ["openid": true, "email": false] }
      try await walk.send(form, body)
      #expect(walk.isDone == allows)
      if !allows { #expect(walk.messages == ["security.access_denied"]) }
      if allows, name == "granular-consent" {
        let tokens = try await walk.tokens()
        #expect(try tokens.text("scope") == "openid profile offline_access")
      }
    }
  }

  @Test("staying signed in is asked at the end")
  func staying() async throws {
    try await withWalk(policy("stay-signed-in")) { walk in
      try await walk.password(People.ann)
      #expect(walk.offered == ["keep-me-signed-in"])
      try await walk.send("keep-me-signed-in", ["keepMeSignedIn": "perhaps"])
      #expect(walk.reply.status == 400)
      try await walk.send("keep-me-signed-in", ["keepMeSignedIn": true])
      #expect(walk.isDone)
    }
  }
}
