// Handles and their end; requests out of place; faults (idx.md §3, §9.5, §14 Restart).

import Foundation
import Testing

@testable import SimulatedOrg

@Suite struct IDXLifeTests {
  @Test("introspect may be repeated, by either handle, and changes nothing")
  func resume() async throws {
    try await withWalk(policy("two-factors")) { walk in
      try await walk.password(People.bob)
      let (body, handle) = (walk.reply.bodyText, try walk.reply.text("stateHandle"))
      #expect(try await walk.introspect().bodyText == body)
      #expect(try await walk.post("/idp/idx/introspect", ["stateToken": handle]).bodyText == body)
    }
  }

  @Test("cancel leads to the first page under a new state handle; the old one is dead")
  func cancel() async throws {
    try await withWalk(policy("two-factors")) { walk in
      try await walk.password(People.bob)
      let old = try walk.reply.text("stateHandle")
      try await walk.send("cancel")
      #expect(walk.offered.first == "identify")
      let new = try walk.reply.text("stateHandle")
      #expect(new != old)
      #expect(try await walk.introspect().text("stateHandle") == new)
      #expect(try await walk.post("/idp/idx/challenge", ["stateHandle": old]).status == 401)
      #expect(walk.messages == ["idx.session.expired"])
      try await walk.introspect()
      try await walk.password(People.ann)
    }
  }

  @Test("a session that is over says so with 401, with a state handle or without")
  func expired() async throws {
    try await withWalk(policy("password")) { walk in
      walk.org.advanceClock(by: 301)
      try await walk.send("identify", ["identifier": "ann@acme.example"])
      #expect(walk.reply.status == 401)
      #expect(walk.messages == ["idx.session.expired"])
      #expect(try walk.reply.text("stateHandle") != "")
      #expect(try await walk.introspect().status == 401)
      for body in [["stateHandle": "02unknown"], ["interactionHandle": "unknown"]] {
        #expect(try await walk.post("/idp/idx/introspect", body).status == 401)
        #expect(walk.messages == ["idx.session.expired"])
        #expect(walk.reply.value("stateHandle") == nil)
      }
      #expect(try await walk.post("/idp/idx/identify", ["identifier": "ann"]).status == 400)
      #expect(walk.messages == ["E0000020"])
    }
  }

  @Test("every accepted request extends the life of a sign-in")
  func extended() async throws {
    try await withWalk(policy("password")) { walk in
      for _ in 1...4 {
        walk.org.advanceClock(by: 200)
        let reply = try await walk.introspect()
        #expect(reply.status == 200)
      }
    }
  }

  @Test("what the step does not offer is refused, and changes nothing", arguments: IDXOperation.allCases)
  func outOfPlace(operation: IDXOperation) async throws {
    try await withWalk(policy("password")) { walk in
      let (before, handle) = (walk.offered, try walk.reply.text("stateHandle"))
      if [.identify, .unlock, .cancel, .introspect].contains(operation) { return }
      try await walk.post(operation.path, ["stateHandle": handle])
      #expect(walk.reply.status == 400)
      #expect(walk.messages == ["errors.E0000079"])
      #expect(walk.offered == before)
    }
  }

  @Test("a user who is still signed in (cookie `idx`) is not asked again, until a cancel")
  func session() async throws {
    try await withWalk(policy("password")) { walk in
      try await walk.password(People.ann)
      let cookie = try #require(walk.reply.headers.first { $0.value.hasPrefix("idx=") }?.value.prefix { $0 != ";" })
      let again = try await IDXWalker(walk.org, walk.wire, cookie: String(cookie))
      #expect(again.isDone)
      let fresh = try await IDXWalker(walk.org, walk.wire)
      #expect(!fresh.isDone)
      try await again.send("cancel")
      #expect(!again.isDone)
      let after = try await IDXWalker(walk.org, walk.wire, cookie: String(cookie))
      #expect(!after.isDone)
    }
  }

  @Test("bodies the org cannot read are API errors")
  func unreadable() async throws {
    try await withOrg { _, wire in
      wire.headers = [("Accept", "application/ion+json"), ("Content-Type", "application/json")]
      for body in ["{", "[]", "\"text\"", String(repeating: "[", count: 100_000)] {
        let reply = try await wire.request("POST", "/idp/idx/introspect", body)
        #expect(reply.errorCode == "E0000003")
      }
      #expect(try await wire.request("POST", "/idp/idx/introspect", "").status == 400)
      #expect(try await wire.request("GET", "/idp/idx/introspect", nil).errorCode == "E0000022")
      #expect(try await wire.post("/idp/idx/nothing").errorCode == "E0000008")
      wire.headers = [("Accept", "image/png"), ("Content-Type", "application/json")]
      #expect(try await wire.post("/idp/idx/introspect").errorCode == "E0000122")
      wire.headers = [("Accept", "*/*"), ("Content-Type", "text/plain")]
      #expect(try await wire.post("/idp/idx/introspect").errorCode == "E0000021")
    }
  }

  @Test("faults play on the engine's endpoints as on any other")
  func faults() async throws {
    try await withWalk(policy("password")) { walk in
      let handle = try walk.reply.text("stateHandle")
      func identify() async throws -> WireReply {
        try await walk.wire.post("/idp/idx/identify", ["stateHandle": handle, "identifier": "ann@acme.example"])
      }
      walk.org.inject(Fault(.rateLimited(), path: "/idp/idx/identify"))
      let limited = try await identify()
      #expect(limited.status == 429 && limited.errorCode == "E0000047")
      #expect(limited.header("X-Rate-Limit-Remaining") == "0")
      walk.org.inject(Fault(.serverError, path: "/idp/idx"))
      #expect(try await identify().status == 500)
      walk.org.inject(Fault(.htmlPage, path: "/idp/idx"))
      #expect(try await identify().header("Content-Type") == "text/html")
      walk.org.inject(Fault(.malformedJSON, path: "/idp/idx"))
      let broken = try await identify()
      #expect((try? JSONSerialization.jsonObject(with: Data(broken.body))) == nil)
      for kind in [Fault.Kind.connectionReset, .cutBody()] {
        walk.org.inject(Fault(kind, path: "/idp/idx"))
        await #expect(throws: Broken.self) { try await identify() }
        try await walk.wire.reconnect()
      }
      try await walk.introspect()
      #expect(walk.offered.first == "challenge-authenticator")
    }
  }
}
