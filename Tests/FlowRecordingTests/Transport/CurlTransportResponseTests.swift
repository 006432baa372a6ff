// What comes back (`CurlTransport`): whole responses as they were, everything else as the right error.

import FlowRecording
import Testing

@Suite struct `What comes back` {
  private func outcome(
    answering bytes: String, _ configuration: CurlTransport.Configuration = .init(), method: String = "GET"
  ) async throws -> Result<HTTPResponse, TransportError> {
    try await outcome(answering: Array(bytes.utf8), configuration, method: method)
  }

  /// The outcome where the server answers one request with these bytes and closes.
  private func outcome(
    answering bytes: [UInt8], _ configuration: CurlTransport.Configuration = .init(), method: String = "GET"
  ) async throws -> Result<HTTPResponse, TransportError> {
    let server = try LoopbackServer { connection, _ in
      if connection.readRequest() != nil { connection.write(bytes) }
    }
    return await CurlTransport(configuration).outcome(of: HTTPRequest(method: method, url: server.url()))
  }

  @Test func `Status, fields in order and body`() async throws {
    let outcome = try await outcome(
      answering: "HTTP/1.1 403 Forbidden\r\nSet-Cookie: a=1\r\nx-RATE:  7 \r\nSet-Cookie: b=2\r\nEmpty:\r\n"
        + "Content-Length: 3\r\n\r\n\0x\0")
    let fields = [
      HTTPField("Set-Cookie", "a=1"), HTTPField("x-RATE", "7"), HTTPField("Set-Cookie", "b=2"), HTTPField("Empty", ""),
      HTTPField("Content-Length", "3"),
    ]
    #expect(outcome == .success(HTTPResponse(status: 403, headers: fields, body: [0, 0x78, 0])))
  }

  @Test func `Chunks are joined, trailers and interim responses left out`() async throws {
    let outcome = try await outcome(
      answering: "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "2\r\nab\r\n1\r\nc\r\n0\r\nTrailer: t\r\n\r\n")
    let fields = [HTTPField("Transfer-Encoding", "chunked")]
    #expect(outcome == .success(HTTPResponse(status: 200, headers: fields, body: Array("abc".utf8))))
  }

  @Test func `A body without length ends with the connection`() async throws {
    let outcome = try await outcome(answering: "HTTP/1.0 200 OK\r\n\r\nabc")
    #expect(outcome == .success(HTTPResponse(status: 200, body: Array("abc".utf8))))
  }

  @Test func `Field bytes that are not UTF-8 are read as ISO-8859-1, others as UTF-8`() async throws {
    let outcome = try await outcome(
      answering: Array("HTTP/1.1 204 No Content\r\nA: ".utf8) + [0xE9, 0xFF] + Array("\r\nB: é\r\n\r\n".utf8))
    #expect(
      outcome == .success(HTTPResponse(status: 204, headers: [HTTPField("A", "\u{E9}\u{FF}"), HTTPField("B", "é")])))
  }

  @Test func `A HEAD has the length and no body`() async throws {
    let outcome = try await outcome(answering: "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", method: "HEAD")
    #expect(outcome == .success(HTTPResponse(status: 200, headers: [HTTPField("Content-Length", "99")])))
  }

  @Test func `A body that comes encoded is decoded`() async throws {
    // The gzip form of `hello`, made with `printf hello | gzip -n`.
    let gzip: [UInt8] = [
      0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
    ]
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(gzip.count)\r\n\r\n"
    let whole = try await outcome(answering: Array(head.utf8) + gzip)
    #expect(try whole.get().body == Array("hello".utf8))
    let broken = try await outcome(answering: Array(head.utf8) + gzip.map { $0 == 8 ? 9 : $0 })
    #expect(broken.code == .malformedResponse)
  }

  @Test func `A redirect is an answer like any other`() async throws {
    let server = try LoopbackServer(answering: "HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n")
    let outcome = await CurlTransport().get(server.url("/first"))
    #expect(outcome.status == 302)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    ("cut body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), ("no answer", ""),
    ("cut chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"), ("cut status line", "HTTP/1.1 20"),
    ("no last chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"),
    ("cut field", "HTTP/1.1 200 OK\r\nContent-Le"), ("cut fields", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"),
    ("bad chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab"),
    ("interim alone", "HTTP/1.1 100 Continue\r\n\r\n"),
  ])
  func `An answer that ends early is a lost connection`(name: String, bytes: String) async throws {
    let outcome = try await outcome(answering: bytes)
    #expect(outcome.code == .connectionLost, "\(name): \(outcome)")
  }

  @Test(arguments: [
    ("another protocol", "SSH-2.0-OpenSSH_9.2\r\n\r\n\r\n\r\n"), ("a page", "<html>hello, this is no HTTP</html>\r\n"),
    ("no status", "HTTP/1.1 abc OK\r\n\r\n"), ("status out of range", "HTTP/1.1 999 Odd\r\n\r\n"),
    ("no colon", "HTTP/1.1 200 OK\r\nthis is no field\r\n\r\n"), ("no name", "HTTP/1.1 200 OK\r\n: x\r\n\r\n"),
    ("bad length", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nab"),
    ("unknown encoding", "HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 2\r\n\r\nab"),
  ])
  func `An answer that is not HTTP is malformed`(name: String, bytes: String) async throws {
    let outcome = try await outcome(answering: bytes)
    #expect(outcome.code == .malformedResponse, "\(name): \(outcome)")
  }

  @Test func `A reset after the request is a lost connection`() async throws {
    let server = try LoopbackServer { connection, _ in
      if connection.readRequest() != nil { connection.reset() }
    }
    let outcome = await CurlTransport().get(server.url())
    #expect(outcome.code == .connectionLost)
  }

  @Test func `A refused port cannot be connected to`() async throws {
    let port = try LoopbackServer.refusedPort()
    let outcome = await CurlTransport().get("http://127.0.0.1:\(port)/")
    #expect(outcome.code == .cannotConnect)
  }

  @Test func `A name that does not exist cannot be resolved`() async {
    // A label over 63 bytes is refused without asking the network (RFC 1035 §2.3.4).
    let label = String(repeating: "x", count: 64)
    let outcome = await CurlTransport().get("https://\(label).invalid/")
    #expect(outcome.code == .cannotResolveHost)
  }

  @Test func `A body of the limit passes, one byte more does not, declared or not`() async throws {
    var configuration = CurlTransport.Configuration()
    configuration.maximumResponseBytes = 100_000
    let declared = { "HTTP/1.1 200 OK\r\nContent-Length: \($0)\r\n\r\n" + String(repeating: "x", count: $0) }
    let open = { "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: $0) }
    for answer in [declared, open] {
      let fits = try await outcome(answering: answer(100_000), configuration)
      #expect(try fits.get().body.count == 100_000)
      let larger = try await outcome(answering: answer(100_001), configuration)
      #expect(larger.code == .responseTooLarge)
    }
  }

  @Test func `Header lines without end are too large`() async throws {
    var configuration = CurlTransport.Configuration()
    configuration.maximumHeadBytes = 10_000
    let lines = String(repeating: "A: \(String(repeating: "x", count: 96))\r\n", count: 101)
    let outcome = try await outcome(answering: "HTTP/1.1 200 OK\r\n\(lines)\r\n", configuration)
    #expect(outcome.code == .responseTooLarge)
  }

  @Test func `More than 256 header lines are too many, those of interim responses among them`() async throws {
    let head = { "HTTP/1.1 200 OK\r\n" + String(repeating: "A: 1\r\n", count: $0) + "Content-Length: 0\r\n\r\n" }
    #expect(try await outcome(answering: head(253)).status == 200)
    #expect(try await outcome(answering: head(254)).code == .responseTooLarge)
    let interim = String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 200)
    #expect(try await outcome(answering: interim + head(1)).code == .responseTooLarge)
  }

  /// Frames that no server may send after the head of a response.
  private static let forbidden: [String: [UInt8]] = [
    "a frame over the limit": [0, 0x4E, 0x20, 0, 1, 0, 0, 0, 1] + [UInt8](repeating: 0x78, count: 20_000),
    "an unknown frame over the limit": [0, 0x4E, 0x20, 77, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 20_000),
    "data on a stream of the server": [0, 0, 1, 0, 1, 0, 0, 0, 2, 0x78],
    "settings of five bytes": [0, 0, 5, 4, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5],
    "a window that grows by nothing": [0, 0, 4, 8, 0, 0, 0, 0, 1, 0, 0, 0, 0],
  ]

  @Test(arguments: forbidden.keys.sorted())
  func `HTTP/2 that breaks the rules is no empty answer`(name: String) async throws {
    let bytes = try #require(Self.forbidden[name])
    var configuration = CurlTransport.Configuration()
    configuration.httpVersion = .priorKnowledge2
    let server = try LoopbackServer { connection, _ in
      // The client's preface is a request by its form; what follows is not waited for.
      guard connection.readRequest() != nil else { return }
      connection.write([0, 0, 0, 4, 0, 0, 0, 0, 0] + [0, 0, 0, 4, 1, 0, 0, 0, 0])
      connection.write([0, 0, 1, 1, 4, 0, 0, 0, 1, 0x88] + bytes)
    }
    let outcome = await CurlTransport(configuration).get(server.url())
    #expect(outcome.code == .connectionLost, "\(name): \(outcome)")
  }

  @Test func `HTTP/2 that keeps the rules may have an empty answer`() async throws {
    var configuration = CurlTransport.Configuration()
    configuration.httpVersion = .priorKnowledge2
    let server = try LoopbackServer { connection, _ in
      guard connection.readRequest() != nil else { return }
      connection.write([0, 0, 0, 4, 0, 0, 0, 0, 0] + [0, 0, 0, 4, 1, 0, 0, 0, 0])
      connection.write([0, 0, 1, 1, 5, 0, 0, 0, 1, 0x88])
      connection.awaitEnd()
    }
    let outcome = await CurlTransport(configuration).get(server.url())
    #expect(outcome == .success(HTTPResponse(status: 200, headers: [], body: [])))
  }

  @Test func `No error quotes the request or the response`() async throws {
    let canary = "kanarienvogel"
    let answers = [
      "", canary, "HTTP/1.1 200 OK\r\n\(canary)\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n\(canary)",
      "HTTP/1.1 \(canary)\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Encoding: \(canary)\r\n\r\nx",
    ]
    for answer in answers {
      let server = try LoopbackServer { connection, _ in
        if connection.readRequest() != nil { connection.write(answer) }
      }
      let request = HTTPRequest(
        method: "POST", url: server.url("/\(canary)"), headers: [HTTPField("A", canary)], body: Array(canary.utf8))
      let outcome = await CurlTransport().outcome(of: request)
      #expect(throws: TransportError.self) { try outcome.get() }
      #expect(!"\(outcome)".contains(canary))
    }
    for url in [
      "\(canary)://x/", "http://\(canary)\(String(repeating: "x", count: 64)).invalid/", "http://\(canary)@x/",
      "https://127.0.0.1:1/\(canary)",
    ] {
      let outcome = await CurlTransport().get(url)
      #expect(throws: TransportError.self) { try outcome.get() }
      #expect(!"\(outcome)".contains(canary))
    }
  }
}
