// The bytes that leave (`CurlTransport`): exactly what the request says, and nothing of libcurl's own.

import FlowRecording
import Testing

@Suite struct `Bytes of a request` {
  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  private func bytes(of request: (LoopbackServer) -> HTTPRequest) async throws -> String {
    let server = try LoopbackServer(answering: Self.ok)
    let outcome = await CurlTransport().outcome(of: request(server))
    #expect(outcome.status == 200)
    let sent = try #require(server.requests.first)
    return String(decoding: sent, as: UTF8.self).replacing("127.0.0.1:\(server.port)", with: "HOST")
  }

  @Test func `A GET without fields has Host alone`() async throws {
    let sent = try await bytes { HTTPRequest(method: "GET", url: $0.url("/a/../b?c=%20d#fragment")) }
    #expect(sent == "GET /a/../b?c=%20d HTTP/1.1\r\nHost: HOST\r\n\r\n")
  }

  @Test func `Fields keep their order, case and repetition, and a body brings its length`() async throws {
    let fields = [
      HTTPField("X-b", "2"), HTTPField("x-A", "1"), HTTPField("Content-Type", "application/json"),
      HTTPField("X-b", "3"),
      HTTPField("X-Empty", ""), HTTPField("Cookie", "sid=1; t=ü"), HTTPField("accept", "application/json"),
    ]
    let sent = try await bytes {
      HTTPRequest(method: "POST", url: $0.url("/api/v1/authn"), headers: fields, body: Array("{\"a\":1}".utf8))
    }
    #expect(
      sent == "POST /api/v1/authn HTTP/1.1\r\nHost: HOST\r\nX-b: 2\r\nx-A: 1\r\nContent-Type: application/json\r\n"
        + "X-b: 3\r\nX-Empty:\r\nCookie: sid=1; t=ü\r\naccept: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}")
  }

  @Test func `A POST without body has length 0`() async throws {
    let sent = try await bytes { HTTPRequest(method: "POST", url: $0.url()) }
    #expect(sent == "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\n\r\n")
  }

  @Test(arguments: ["PUT", "PATCH", "DELETE", "GET", "QUERY"])
  func `Any method carries a body`(method: String) async throws {
    let sent = try await bytes { HTTPRequest(method: method, url: $0.url(), body: [0x78]) }
    #expect(sent == "\(method) / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\n\r\nx")
  }

  @Test(arguments: ["TRACE", "trace", "CONNECT", "Connect"])
  func `A method that gives a request away, or opens a tunnel, is never sent`(method: String) async throws {
    let server = try LoopbackServer(answering: Self.ok)
    let outcome = await CurlTransport().outcome(of: HTTPRequest(method: method, url: server.url()))
    #expect(outcome.code == .other && server.connections == 0)
  }

  @Test func `Clear text leaves the machine only if it is allowed to`() async throws {
    let server = try LoopbackServer(answering: Self.ok)
    for host in ["localhost", "127.0.0.1"] {
      #expect(await CurlTransport().get(server.url("/", host: host)).status == 200)
    }
    let label = String(repeating: "x", count: 64)
    let elsewhere = [
      "http://\(label).invalid/", "HTTP://\(label).invalid/", "http://127.0.0.1.\(label).invalid/",
      "http://localhost.\(label).invalid/", "http://127.0.0.1%00.\(label)/", "http://\(label).invalid:80/127.0.0.1",
    ]
    for url in elsewhere {
      #expect(await CurlTransport().get(url).code == .tlsFailed, "\(url)")
    }
    for url in ["http://127.0.0.1@\(label).invalid/", "http:///\(label)"] {
      #expect(await CurlTransport().get(url).code == .malformedURL, "\(url)")
    }
    var configuration = CurlTransport.Configuration()
    configuration.allowsClearText = true
    #expect(await CurlTransport(configuration).get(elsewhere[0]).code == .cannotResolveHost)
  }

  @Test(arguments: ["DELETE", "OPTIONS"])
  func `A method without body has no length`(method: String) async throws {
    let sent = try await bytes { HTTPRequest(method: method, url: $0.url()) }
    #expect(sent == "\(method) / HTTP/1.1\r\nHost: HOST\r\n\r\n")
  }

  @Test func `A body's NUL bytes and every other byte arrive, and large bodies bring no Expect`() async throws {
    let server = try LoopbackServer(answering: Self.ok)
    let body = [UInt8](repeating: 0, count: 3) + (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let outcome = await CurlTransport().outcome(of: HTTPRequest(method: "POST", url: server.url(), body: body))
    #expect(outcome.status == 200)
    let sent = try #require(server.requests.first)
    #expect(Array(sent.suffix(body.count)) == body)
    let head = String(decoding: sent.dropLast(body.count), as: UTF8.self)
    #expect(
      head == "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: \(body.count)\r\n\r\n")
  }

  @Test func `A handle used again keeps nothing of the request before`() async throws {
    let server = try LoopbackServer(answering: Self.ok)
    let transport = CurlTransport(.keeping)
    let first = HTTPRequest(method: "PUT", url: server.url("/1"), headers: [HTTPField("A", "1")], body: [0x31, 0x32])
    let head = HTTPRequest(method: "HEAD", url: server.url("/2"))
    let requests = [
      first, HTTPRequest(method: "POST", url: server.url("/3")), HTTPRequest(method: "GET", url: head.url),
    ]
    for request in requests {
      let outcome = await transport.outcome(of: request)
      #expect(outcome.status == 200)
    }
    let sent = server.requests.map { String(decoding: $0, as: UTF8.self).split(separator: "\r\n")[0] }
    #expect(sent == ["PUT /1 HTTP/1.1", "POST /3 HTTP/1.1", "GET /2 HTTP/1.1"])
    #expect(server.requests.map(\.count).dropFirst().allSatisfy { $0 < 80 })
    #expect(server.connections == 1)
  }

  @Test(arguments: [
    "", "/relative", "ftp://example.com/", "file:///etc/passwd", "http//x", "http://", "http://a b/", "http://a/\n",
    "http://a/\0", "http://ü.example/", "http://user:secret@127.0.0.1/",
  ])
  func `A URL that is not absolute http or https is refused`(url: String) async {
    let outcome = await CurlTransport().get(url)
    #expect(outcome.code == .malformedURL)
  }

  @Test(arguments: [
    HTTPField("A", "1\r\nB: 2"), HTTPField("A", "1\n2"), HTTPField("A", "\0"), HTTPField("A b", "1"),
    HTTPField("", "1"),
    HTTPField("A:", "1"), HTTPField("content-LENGTH", "5"), HTTPField("Transfer-Encoding", "chunked"),
  ])
  func `A field that would change the framing is refused before a byte leaves`(field: HTTPField) async throws {
    let server = try LoopbackServer(answering: Self.ok)
    let request = HTTPRequest(method: "POST", url: server.url(), headers: [field], body: [1])
    let outcome = await CurlTransport().outcome(of: request)
    #expect(outcome.code == .other)
    #expect(server.connections == 0)
  }

  @Test(arguments: ["", "GET /\r\n", "G T", "GÉT"])
  func `A method that is no token is refused`(method: String) async throws {
    let server = try LoopbackServer(answering: Self.ok)
    let outcome = await CurlTransport().outcome(of: HTTPRequest(method: method, url: server.url()))
    #expect(outcome.code == .other)
    #expect(server.connections == 0)
  }
}
