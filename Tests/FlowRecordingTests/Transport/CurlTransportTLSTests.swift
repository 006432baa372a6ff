// HTTPS and HTTP/2 (`CurlTransport`): who is trusted, and what is spoken.

import FlowRecording
import Foundation
import Testing

@Suite(.enabled(if: TLSServer.isAvailable, "nginx and openssl are needed; scripts/setup.sh installs them"))
struct `HTTPS and HTTP/2` {
  private func transport(
    _ authorities: CurlTransport.Configuration.CertificateAuthorities,
    _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
  ) -> CurlTransport {
    var configuration = CurlTransport.Configuration()
    configuration.certificateAuthorities = authorities
    change(&configuration)
    return CurlTransport(configuration)
  }

  @Test func `An authority that the system does not trust is refused`() async throws {
    let server = try await TLSServer.start()
    let outcome = await transport(.system).get(server.url("/who"))
    #expect(outcome.code == .tlsFailed)
  }

  @Test func `A private authority is trusted, from a file and from memory, and no other`() async throws {
    let server = try await TLSServer.start()
    let own = try Array(Data(contentsOf: URL(filePath: server.authority)))
    let stranger = try Array(Data(contentsOf: URL(filePath: server.stranger)))
    for trusted in [CurlTransport.Configuration.CertificateAuthorities.file(server.authority), .pem(own)] {
      for host in ["127.0.0.1", "localhost"] {
        let outcome = await transport(trusted).get(server.url("/who", host: host))
        #expect(outcome.status == 200)
      }
    }
    for untrusted in [CurlTransport.Configuration.CertificateAuthorities.file(server.stranger), .pem(stranger)] {
      let outcome = await transport(untrusted).get(server.url("/who"))
      #expect(outcome.code == .tlsFailed)
    }
  }

  @Test func `With authorities that cannot be read, no server is trusted`() async throws {
    let server = try await TLSServer.start()
    for unreadable in [
      CurlTransport.Configuration.CertificateAuthorities.file("/nowhere/ca.pem"), .pem([]), .pem([1, 2, 3]),
    ] {
      let outcome = await transport(unreadable).get(server.url("/who"))
      #expect(outcome.code == .tlsFailed, "\(unreadable): \(outcome)")
    }
  }

  @Test func `A certificate for another host is refused`() async throws {
    let server = try await TLSServer.start()
    let outcome = await transport(.file(server.authority)).get(server.url("/who", host: "127.0.0.2"))
    #expect(outcome == .failure(TransportError(.tlsFailed, "The server's certificate names another host.")))
    let stranger = await transport(.system).get(server.url("/who"))
    guard case .failure(let error) = stranger else { return #expect(Bool(false)) }
    #expect(error.detail.contains("not trusted"))
  }

  @Test func `A pinned key must be the server's, beside a trusted chain, and never allows clear text`() async throws {
    let server = try await TLSServer.start()
    let other = "sha256//" + Data(repeating: 7, count: 32).base64EncodedString()
    let right = await transport(.file(server.authority)) { $0.pinnedPublicKey = server.pin }.get(server.url("/who"))
    #expect(right.status == 200)
    let wrong = await transport(.file(server.authority)) { $0.pinnedPublicKey = other }.get(server.url("/who"))
    #expect(wrong.code == .tlsFailed)
    let malformed = await transport(.file(server.authority)) { $0.pinnedPublicKey = "" }.get(server.url("/who"))
    #expect(malformed.code == .tlsFailed)
    let untrusted = await transport(.system) { $0.pinnedPublicKey = server.pin }.get(server.url("/who"))
    #expect(untrusted.code == .tlsFailed)
    let plain = try LoopbackServer(answering: "HTTP/1.1 204 No Content\r\n\r\n")
    let clear = await transport(.system) { $0.pinnedPublicKey = server.pin }.get(plain.url())
    #expect(clear.code == .tlsFailed)
    #expect(plain.connections == 0)
  }

  @Test func `HTTP/2 is spoken where offered, HTTP/1.1 where asked for, on one connection`() async throws {
    let server = try await TLSServer.start()
    let negotiated = transport(.file(server.authority))
    let first = await negotiated.get(server.url("/who"))
    let second = await negotiated.get(server.url("/who"))
    #expect(try String(decoding: first.get().body, as: UTF8.self).hasPrefix("HTTP/2.0 "))
    #expect(try first.get().body == second.get().body)
    let old = await transport(.file(server.authority)) { $0.httpVersion = .http1 }.get(server.url("/who"))
    #expect(try String(decoding: old.get().body, as: UTF8.self).hasPrefix("HTTP/1.1 "))
  }

  @Test func `A hundred parallel requests over HTTP/2 end once each`() async throws {
    let server = try await TLSServer.start()
    let transport = transport(.file(server.authority))
    let statuses = await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { await transport.get(server.url("/who")).status } }
      var all: [Int?] = []
      for await status in group { all.append(status) }
      return all
    }
    #expect(statuses == [Int?](repeating: 200, count: 100))
  }

  @Test func `Requests that share an HTTP/2 connection do not stand still`() async throws {
    let server = try await TLSServer.start()
    let transport = transport(.file(server.authority)) { $0.connectTimeout = .seconds(300) }
    for burst in 0..<40 {
      let start = ContinuousClock.now
      await withTaskGroup { group in
        for _ in 0..<100 { group.addTask { #expect(await transport.get(server.url("/who")).status == 200) } }
      }
      // A burst takes some 15 ms, and seconds on a busy machine; one that stood still lasted until the connect time-out.
      #expect(start.duration(to: .now) < .seconds(250), "burst \(burst)")
    }
  }

  @Test func `A body goes through HTTP/2 as it is`() async throws {
    let app = try LoopbackServer(answering: "HTTP/1.1 201 Created\r\nX-A: 1\r\nContent-Length: 2\r\n\r\n\0\u{1}")
    let server = try await TLSServer.start(passingOnTo: app.port)
    let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let outcome = await transport(.file(server.authority)).outcome(
      of: HTTPRequest(method: "POST", url: server.url("/app"), headers: [HTTPField("X-Case", "Ä")], body: body))
    #expect(try outcome.get().status == 201)
    #expect(try outcome.get().body == [0, 1])
    let sent = try #require(app.requests.first)
    #expect(Array(sent.suffix(body.count)) == body)
    #expect(!String(decoding: sent.dropLast(body.count), as: UTF8.self).lowercased().contains("accept"))
  }

  @Test func `A server that speaks no TLS fails TLS`() async throws {
    let plain = try LoopbackServer { connection, _ in connection.write("HTTP/1.1 400 Bad Request\r\n\r\n") }
    let outcome = await transport(.system).get(plain.url(scheme: "https"))
    #expect(outcome.code == .tlsFailed)
  }
}
