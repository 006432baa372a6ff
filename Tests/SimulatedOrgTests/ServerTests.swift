// The server itself: what it notes, how it starts and stops, what it survives.

import Foundation
import SimulatedOrg
import Testing

@Suite struct ServerTests {
  @Test func `a request is noted as it came, byte for byte`() async throws {
    try await withOrg { org, client in
      let body = "{ \"username\":\"\u{fc}ser\",\"password\":\"p\" }"
      let text =
        "POST /api/v1/authn?b=2&a=%20 HTTP/1.1\r\nX-Second: 2\r\nhost: org\r\nACCEPT: application/json\r\nx-second: 1\r\n"
        + "Content-Type:application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
      try await client.send(text)
      #expect(try await client.reply().status == 401)
      let request = try #require(org.requests.first)
      #expect(request.raw == Array(text.utf8))
      #expect(request.method == "POST")
      #expect(request.target == "/api/v1/authn?b=2&a=%20")
      #expect(request.path == "/api/v1/authn")
      #expect(
        request.headers.map(\.name) == ["X-Second", "host", "ACCEPT", "x-second", "Content-Type", "Content-Length"])
      #expect(request.headers.map(\.value).prefix(4) == ["2", "org", "application/json", "1"])
      #expect(request.header("Accept") == "application/json")
      #expect(request.text == body)
      org.forgetRequests()
      #expect(org.requests.isEmpty)
    }
  }

  @Test func `requests that are refused or spoiled are noted too`() async throws {
    try await withOrg { org, client in
      _ = try await client.get("/nowhere")
      org.inject(Fault(.connectionReset))
      await #expect(throws: Broken.self) { try await client.signIn(People.ann) }
      #expect(org.requests.map(\.path) == ["/nowhere", "/api/v1/authn"])
    }
  }

  @Test func `requests in pieces, chunks and one after the other are understood`() async throws {
    try await withOrg { org, client in
      let head = "POST /api/v1/authn HTTP/1.1\r\nAccept: */*\r\nContent-Type: application/json\r\n"
      try await client.send(head + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"use\r\n")
      try await client.send("9;x=y\r\nrname\":\"\"\r\n1\r\n}\r\n0\r\n\r\n" + head + "Content-Length: 2\r\n\r\n{}")
      #expect(try await client.reply().status == 401)
      #expect(try await client.reply().errorCode == "E0000001")
      #expect(org.requests.map(\.text) == [#"{"username":""}"#, "{}"])
    }
  }

  @Test func `a client that waits for 100 Continue gets it`() async throws {
    try await withOrg { _, client in
      try await client.send(
        "POST /api/v1/authn HTTP/1.1\r\nAccept: */*\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
          + "Content-Length: 2\r\n\r\n")
      #expect(try await client.reply().status == 100)
      try await client.send("{}")
      #expect(try await client.reply().status == 400)
    }
  }

  @Test(arguments: [
    "nonsense\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET / HTTP/1.1\r\nbad header\r\n\r\n",
    "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "GET / HTTP/1.1\nHost: org\r\n\r\n",
  ])
  func `what is no HTTP is answered with 400 and the end`(text: String) async throws {
    try await withOrg { _, client in
      try await client.send(text)
      let reply = try await client.reply()
      #expect(reply.status == 400)
      #expect(reply.header("Connection") == "close")
      await #expect(throws: Broken.self) { try await client.reply() }
    }
  }

  @Test func `a client that asks for the end gets it after the answer`() async throws {
    try await withOrg { _, client async throws in
      client.headers.append(("Connection", "close"))
      #expect(try await client.signIn(People.ann).header("Connection") == "close")
      await #expect(throws: Broken(ending: .closed, received: [])) { try await client.reply() }
    }
  }

  @Test func `clients that vanish do no harm`() async throws {
    try await withOrg { org, client in
      for _ in 1...20 {
        let other = try await WireClient(org)
        try await other.send("POST /api/v1/authn HTTP/1.1\r\nContent-Length: 100\r\n\r\nabc")
        try await other.reconnect()
        try await other.send("GET /gone HTTP/1.1\r\n\r\n")
      }
      #expect(try await client.signIn(People.ann).status == 200)
    }
  }

  @Test func `a port that is taken is said in one sentence`() async throws {
    try await withOrg { org, _ in
      let port = try #require(org.url.port.flatMap(UInt16.init(exactly:)))
      let error = await #expect(throws: OrgError.self) { try await SimulatedOrg.start(.init(), port: port) }
      #expect(error?.code == .portInUse)
      #expect(error?.description == "Port \(port) on 127.0.0.1 is already in use; choose another one, or 0 for any.")
    }
  }

  @Test func `a stopped org is gone, and its port is free again`() async throws {
    let first = try await SimulatedOrg.start()
    let port = try #require(first.url.port.flatMap(UInt16.init(exactly:)))
    let client = try await WireClient(first)
    #expect(try await client.get("/").status == 404)
    await first.stop()
    await first.stop()
    await #expect(throws: (any Error).self) { try await client.get("/") }
    let second = try await SimulatedOrg.start(.init(), port: port)
    #expect(second.url == first.url)
    await second.stop()
  }

  @Test func `an org without references closes by itself`() async throws {
    var org: SimulatedOrg? = try await SimulatedOrg.start()
    let port = try #require(org?.url.port.flatMap(UInt16.init(exactly:)))
    org = nil
    while true {
      do {
        try await SimulatedOrg.start(.init(), port: port).stop()
        return
      } catch let error as OrgError where error.code == .portInUse {
        await Task.yield()
      }
    }
  }

  @Test func `many orgs live side by side`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...20 {
        group.addTask {
          let user = OrgUser(login: "u\(number)@acme.example", password: "p\(number)")
          try await withOrg(.init(users: [user])) { _, client async throws in
            #expect(try await client.signIn(user, password: "p\(number)").statusText == "SUCCESS")
            #expect(try await client.signIn(People.ann).status == 401)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `many clients are served at once`() async throws {
    try await withOrg { org, _ in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 1...30 {
          group.addTask {
            let client = try await WireClient(org)
            for _ in 1...5 { #expect(try await client.signIn(People.ann).statusText == "SUCCESS") }
          }
        }
        try await group.waitForAll()
      }
      #expect(org.requests.count == 150)
    }
  }

  @Test(arguments: [
    ("evil.example", false), ("evil.example:8080", false), ("127.0.0.1.evil.example", false),
    ("org.acme.example", true),
    ("127.0.0.1:8080", true), ("localhost", true), ("a.localhost:1", true), ("simulator:8080", true),
    ("[::1]:80", true),
  ])
  func `a foreign host name is refused`(host: String, isServed: Bool) async throws {
    try await withOrg(.init(publicBaseURL: "https://org.acme.example")) { _, client async throws in
      try await client.send("POST /api/v1/authn HTTP/1.1\r\nHost: \(host)\r\nContent-Length: 0\r\n\r\n")
      #expect(try await client.reply().status == (isServed ? 400 : 421))
    }
  }

  @Test func `users can be added while the org runs`() async throws {
    try await withOrg(.init()) { org, client async throws in
      #expect(try await client.signIn(People.ann).status == 401)
      org.addUser(People.ann)
      #expect(try await client.signIn(People.ann).status == 200)
    }
  }

  @Test func `a system clock follows the machine`() async throws {
    try await withOrg(.init(users: [People.bob], clock: .system)) { org, client in
      let token = try await client.signIn(People.bob).text("stateToken")
      let end = try await client.signIn(People.bob).text("expiresAt")
      // Within a day, so that neither the load nor the turn of a year matters; the clock of the other tests stands still.
      let expiry = try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(end)
      #expect(abs(expiry.timeIntervalSinceNow) < 86_400)
      org.advanceClock(by: 301)
      #expect(try await client.post("/api/v1/authn", ["stateToken": token]).errorCode == "E0000011")
    }
  }
}
