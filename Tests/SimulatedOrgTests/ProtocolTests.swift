// Headers, methods, paths, bodies: what is checked before any operation (authn.md §1.2, §9).

import Foundation
import FoundationNetworking
import SimulatedOrg
import Testing

@Suite struct ProtocolTests {
  @Test func `every answer carries the org's headers`() async throws {
    try await withOrg { org, client in
      let reply = try await client.signIn(People.ann)
      #expect(reply.header("Content-Type") == "application/json")
      #expect(reply.header("Date") == "Thu, 15 Jan 2026 09:00:00 GMT")
      #expect(reply.header("X-Rate-Limit-Limit") == "600")
      #expect(reply.header("X-Rate-Limit-Remaining") == "599")
      #expect(reply.header("X-Rate-Limit-Reset") == "1768467660")
      let id = try #require(reply.header("X-Okta-Request-Id"))
      #expect(try await client.signIn(People.ann).header("X-Okta-Request-Id") != id)
      org.advanceClock(by: 3661)
      #expect(try await client.signIn(People.ann).header("Date") == "Thu, 15 Jan 2026 10:01:01 GMT")
    }
  }

  @Test func `a device token is given to a client that brings none`() async throws {
    try await withOrg { _, client in
      let cookie = try #require(try await client.signIn(People.ann).header("Set-Cookie"))
      #expect(cookie.hasPrefix("DT=DI"))
      client.headers.append(("Cookie", "lang=en; DT=mine"))
      #expect(try await client.signIn(People.ann).header("Set-Cookie") == nil)
    }
  }

  @Test(arguments: [
    ([("Content-Type", "application/json")], 400, "E0000019"),
    ([("Accept", "text/html"), ("Content-Type", "application/json")], 406, "E0000122"),
    ([("Accept", "application/json")], 400, "E0000018"),
    ([("Accept", "application/json"), ("Content-Type", "text/plain")], 400, "E0000021"),
    ([("Accept", "text/html, */*;q=0.8"), ("Content-Type", "application/json; charset=utf-8")], 401, "E0000004"),
  ])
  func `Accept and Content-Type are looked at`(headers: [(String, String)], status: Int, code: String) async throws {
    try await withOrg { _, client in
      client.headers = headers
      let reply = try await client.signIn(People.ann, password: "nope")
      #expect(reply.status == status)
      #expect(reply.errorCode == code)
    }
  }

  @Test(arguments: [
    "", "{", "[]", "null", "\"text\"", #"{"username":7}"#, #"{"username":"a""#, String(repeating: "[", count: 100_000),
  ])
  func `a body that is no JSON object is refused`(body: String) async throws {
    try await withOrg { _, client in
      let reply = try await client.request("POST", "/api/v1/authn", body)
      #expect(reply.status == 400)
      #expect(reply.errorCode == "E0000003")
    }
  }

  @Test func `a missing user name is named`() async throws {
    try await withOrg { _, client in
      let reply = try await client.post("/api/v1/authn", [:])
      #expect(reply.status == 400)
      #expect(reply.errorCode == "E0000001")
      #expect(try reply.text("errorCauses.0.errorSummary").hasPrefix("username: "))
    }
  }

  @Test(arguments: ["GET", "PUT", "DELETE", "OPTIONS"])
  func `another method is refused`(method: String) async throws {
    try await withOrg { _, client in
      let reply = try await client.request(method, "/api/v1/authn", "{}")
      #expect(reply.status == 405)
      #expect(reply.errorCode == "E0000022")
    }
  }

  @Test(arguments: [
    "/", "/api/v1/authn/", "/api/v1/authn/nothing", "/api/v1/authn/factors/a/b", "/api/v2/authn", "//api/v1/authn",
    "/api/v1/authn/factors//verify", "/api/v1/users/u/factors", "/api/v1/users", "/%ff", "/api%2Fv1%2Fauthn",
  ])
  func `an unknown path is not found`(path: String) async throws {
    try await withOrg { _, client in
      let reply = try await client.post(path, [:])
      #expect(reply.status == 404)
      #expect(reply.errorCode == "E0000008")
    }
  }

  @Test func `a client with a wrong API token is refused`() async throws {
    try await withOrg(.init(users: [People.ann], apiToken: "right")) { _, client async throws in
      client.headers.append(("Authorization", "SSWS wrong"))
      #expect(try await client.signIn(People.ann).errorCode == "E0000011")
      client.headers[client.headers.count - 1].1 = "SSWS right"
      #expect(try await client.signIn(People.ann).statusText == "SUCCESS")
    }
  }

  @Test func `an enforced rate limit counts by the minute`() async throws {
    let configuration = OrgConfiguration(users: [People.ann], requestsPerMinute: 2, enforcesRateLimit: true)
    try await withOrg(configuration) { org, client in
      #expect(try await client.signIn(People.ann).header("X-Rate-Limit-Remaining") == "1")
      #expect(try await client.signIn(People.ann).header("X-Rate-Limit-Remaining") == "0")
      let refused = try await client.signIn(People.ann)
      #expect(refused.status == 429)
      #expect(refused.errorCode == "E0000047")
      #expect(refused.header("X-Rate-Limit-Reset") == "1768467660")
      org.advanceClock(by: 60)
      #expect(try await client.signIn(People.ann).status == 200)
    }
  }

  @Test func `a client library gets its answer too`() async throws {
    try await withOrg { org, _ in
      var request = URLRequest(url: org.url.appendingPathComponent("api/v1/authn"))
      request.httpMethod = "POST"
      request.setValue("application/json", forHTTPHeaderField: "Accept")
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = Data(#"{"username":"ann@acme.example","password":"Correct-horse-1"}"#.utf8)
      let (data, response) = try await URLSession.shared.data(for: request)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      #expect(String(decoding: data, as: UTF8.self).contains("SUCCESS"))
    }
  }

  @Test func `hrefs begin with the public URL where there is one`() async throws {
    try await withOrg(.init(users: [People.bob], publicBaseURL: "https://login.acme.example")) { _, client in
      let reply = try await client.signIn(People.bob)
      #expect(try reply.text("_links.cancel.href") == "https://login.acme.example/api/v1/authn/cancel")
    }
  }

  @Test func `the decorator has the last word on bodies`() async throws {
    let configuration = OrgConfiguration(users: [People.ann]) { path, body in
      var body = body
      body["x_canary"] = .string("planted in \(path)")
      body["status"] = nil
      return body
    }
    try await withOrg(configuration) { org, client in
      let reply = try await client.signIn(People.ann)
      #expect(try reply.text("x_canary") == "planted in /api/v1/authn")
      #expect(reply.statusText == nil)
      #expect(try await client.post("/nowhere").text("x_canary") == "planted in /nowhere")
      for kind in [Fault.Kind.serverError, .rateLimited()] {
        org.inject(Fault(kind))
        #expect(try await client.post("/fault").text("x_canary") == "planted in /fault")
      }
    }
  }
}
