// Each fault as it appears on the wire.

import Foundation
import SimulatedOrg
import Testing

@Suite struct FaultTests {
  @Test func `429 with headers says when to come back`() async throws {
    try await withOrg { org, client in
      org.inject(Fault(.rateLimited(limit: 4, resetIn: 7)))
      let reply = try await client.signIn(People.ann)
      #expect(reply.status == 429)
      #expect(reply.errorCode == "E0000047")
      #expect(reply.header("Date") == "Thu, 15 Jan 2026 09:00:00 GMT")
      #expect(reply.header("X-Rate-Limit-Limit") == "4")
      #expect(reply.header("X-Rate-Limit-Remaining") == "0")
      #expect(reply.header("X-Rate-Limit-Reset") == "1768467607")
      #expect(try await client.signIn(People.ann).statusText == "SUCCESS")
    }
  }

  @Test func `429 without headers`() async throws {
    try await withOrg { org, client in
      org.inject(Fault(.rateLimitedWithoutHeaders))
      let reply = try await client.signIn(People.ann)
      #expect(reply.status == 429)
      #expect(reply.headers.allSatisfy { !$0.name.hasPrefix("X-Rate-Limit") })
    }
  }

  @Test(arguments: [
    (Fault.Kind.serverError, 500, "application/json"), (.plainTextError, 500, "text/plain"),
    (.htmlPage, 200, "text/html"), (.emptyBody, 200, "application/json"),
    (.reply(status: 503, headers: ["Retry-After": "2", "content-type": "x/y"], body: "busy"), 503, "x/y"),
  ])
  func `another answer takes the place of the org's`(kind: Fault.Kind, status: Int, type: String) async throws {
    try await withOrg { org, client in
      org.inject(Fault(kind))
      let reply = try await client.signIn(People.bob)
      #expect(reply.status == status)
      #expect(reply.header("Content-Type") == type)
      switch kind {
      case .serverError: #expect(reply.errorCode == "E0000009")
      case .plainTextError: #expect(reply.bodyText == "Internal Server Error")
      case .htmlPage: #expect(reply.bodyText.hasPrefix("<!doctype html>"))
      case .emptyBody: #expect(reply.body.isEmpty)
      default: #expect(reply.header("Retry-After") == "2" && reply.bodyText == "busy")
      }
      #expect(try await client.signIn(People.bob).statusText == "MFA_REQUIRED")
    }
  }

  @Test(arguments: [(Fault.Kind.connectionReset, Ending.reset), (.connectionClosed, .closed)])
  func `the connection ends without a byte`(kind: Fault.Kind, ending: Ending) async throws {
    try await withOrg { org, client in
      org.inject(Fault(kind))
      await #expect(throws: Broken(ending: ending, received: [])) { try await client.signIn(People.ann) }
      try await client.reconnect()
      #expect(try await client.signIn(People.ann).statusText == "SUCCESS")
    }
  }

  @Test func `a cut body is shorter than the head says`() async throws {
    let whole = try await withOrg { _, client in try await client.signIn(People.ann) }
    try await withOrg { org, client in
      org.inject(Fault(.cutBody(keeping: 10)))
      let broken = await #expect(throws: Broken.self) { try await client.signIn(People.ann) }
      let text = String(decoding: broken?.received ?? [], as: UTF8.self)
      #expect(broken?.ending == .closed)
      #expect(text.contains("Content-Length: \(whole.body.count)\r\n"))
      #expect(text.hasSuffix("\r\n\r\n" + String(whole.bodyText.prefix(10))))
    }
  }

  @Test func `a slow body arrives whole`() async throws {
    try await withOrg { org, client async throws in
      org.inject(Fault(.slowBody(bytes: 100, pause: 0.001)))
      #expect(try await client.signIn(People.ann).statusText == "SUCCESS")
    }
  }

  @Test func `malformed JSON comes with 200`() async throws {
    try await withOrg { org, client in
      org.inject(Fault(.malformedJSON))
      let reply = try await client.signIn(People.ann)
      #expect(reply.status == 200)
      #expect(reply.bodyText.hasPrefix("{"))
      #expect(reply.value("status") == nil)
    }
  }

  @Test func `latency delays the right answer`() async throws {
    try await withOrg { org, client async throws in
      org.inject(Fault(.latency(seconds: 0.05)))
      let start = ContinuousClock.now
      #expect(try await client.signIn(People.ann).statusText == "SUCCESS")
      // A lower bound alone: a machine under load makes this longer and never shorter.
      #expect(start.duration(to: .now) >= .milliseconds(50))
    }
  }

  private static let lateRequest = "GET /slow HTTP/1.1\r\nHost: org\r\n\r\n"

  @Test func `stop does not wait for an answer that is late`() async throws {
    try await withOrg { org, client in
      org.inject(Fault(.latency(seconds: 3600)))
      try await client.send(Self.lateRequest)
      while org.requests.isEmpty { await Task.yield() }
      await org.stop()
      await #expect(throws: Broken.self) { try await client.reply() }
    }
  }

  @Test func `faults queue, skip, repeat, and choose by path`() async throws {
    try await withOrg { org, client in
      org.inject(Fault(.serverError, path: "/verify", times: 2))
      org.inject(Fault(.emptyBody, skipping: 3))
      let list = try await client.signIn(People.bob)
      #expect(list.statusText == "MFA_REQUIRED")
      let verify = "_embedded.factors.0._links.verify"
      #expect(try await client.follow(list, verify).status == 500)
      #expect(try await client.follow(list, verify).status == 500)
      #expect(try await client.follow(list, verify).body.isEmpty)
      #expect(try await client.follow(list, verify).statusText == "MFA_CHALLENGE")
    }
  }

  @Test(arguments: [true, false])
  func `whether a spoiled request reaches the org can be chosen`(reaches: Bool) async throws {
    try await withOrg { org, client in
      let list = try await client.signIn(People.bob)
      org.inject(Fault(.connectionReset, reachesOrg: reaches))
      await #expect(throws: Broken.self) {
        try await client.follow(list, "_embedded.factors.0._links.verify")
      }
      #expect(org.outbox.count == (reaches ? 1 : 0))
    }
  }

  @Test func `an error in place of the answer may come after the deed`() async throws {
    try await withOrg { org, client in
      org.inject(Fault(.serverError, reachesOrg: true))
      let list = try await client.signIn(People.bob)
      #expect(list.status == 500)
      let next = try await client.signIn(People.bob)
      org.inject(Fault(.rateLimited(), path: "/verify", reachesOrg: true))
      #expect(try await client.follow(next, "_embedded.factors.0._links.verify").status == 429)
      #expect(org.outbox.count == 1)
      let state = try await client.post("/api/v1/authn", ["stateToken": next.text("stateToken")])
      #expect(state.statusText == "MFA_CHALLENGE")
    }
  }

  @Test func `faults that were cleared do not play`() async throws {
    try await withOrg { org, client async throws in
      org.inject(Fault(.serverError, times: .max))
      #expect(try await client.signIn(People.ann).status == 500)
      org.clearFaults()
      #expect(try await client.signIn(People.ann).status == 200)
    }
  }
}
