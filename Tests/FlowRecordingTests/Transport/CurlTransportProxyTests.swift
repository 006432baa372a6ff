// Proxies (`CurlTransport`): none unless asked for, and what one receives.

import FlowRecording
import Foundation
import Glibc
import Testing

@Suite struct `Proxies` {
  @Test func `The environment's proxy is used when asked for, and not otherwise`() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer(answering: "HTTP/1.1 204 No Content\r\n\r\n")
      let refused = try LoopbackServer.refusedPort()
      for name in ["http_proxy", "all_proxy", "ALL_PROXY"] { setenv(name, "http://127.0.0.1:\(refused)", 1) }
      let direct = await CurlTransport().get(server.url())
      try #require(direct.status == 204)
      var configuration = CurlTransport.Configuration()
      configuration.proxy = .environment
      let proxied = await CurlTransport(configuration).get(server.url())
      try #require(proxied.code == .cannotConnect)
    }
  }

  @Test func `A proxy is asked for the whole URL, with no field of libcurl's own`() async throws {
    let proxy = try LoopbackServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    var configuration = CurlTransport.Configuration()
    configuration.proxy = .url("http://127.0.0.1:\(proxy.port)")
    configuration.allowsClearText = true
    let outcome = await CurlTransport(configuration).outcome(
      of: HTTPRequest(method: "POST", url: "http://org.invalid/a", headers: [HTTPField("A", "1")], body: [0x78]))
    #expect(outcome.status == 200)
    let sent = String(decoding: try #require(proxy.requests.first), as: UTF8.self)
    #expect(sent == "POST http://org.invalid/a HTTP/1.1\r\nHost: org.invalid\r\nA: 1\r\nContent-Length: 1\r\n\r\nx")
  }

  @Test(.enabled(if: TLSServer.isAvailable, "nginx and openssl are needed; scripts/setup.sh installs them"))
  func `A tunnel carries a POST, and its proxy sees nothing of it`() async throws {
    let server = try await TLSServer.start()
    let proxy = try LoopbackServer { connection, _ in
      guard connection.readRequest() != nil else { return }
      connection.write("HTTP/1.1 200 Connection established\r\nX-Proxy: 1\r\n\r\n")
      connection.tunnel(to: server.port)
    }
    var configuration = CurlTransport.Configuration()
    configuration.proxy = .url("http://127.0.0.1:\(proxy.port)")
    configuration.certificateAuthorities = .file(server.authority)
    let transport = CurlTransport(configuration)
    let request = HTTPRequest(
      method: "POST", url: server.url("/who"), headers: [HTTPField("Authorization", "Bearer kanarienvogel")], body: [1])
    for _ in 0..<2 {
      let outcome = await transport.outcome(of: request)
      let response = try outcome.get()
      #expect(response.status == 200)
      #expect(!response.headers.contains { $0.name.lowercased() == "x-proxy" })
    }
    let asked = proxy.requests.map { String(decoding: $0, as: UTF8.self) }
    #expect(asked.count == 1)
    #expect(asked.allSatisfy { $0.hasPrefix("CONNECT 127.0.0.1:\(server.port) HTTP/1.1\r\n") })
    #expect(!asked.contains { $0.contains("kanarienvogel") })
  }

  @Test func `A proxy that refuses the tunnel means no connection`() async throws {
    for answer in ["HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", ""] {
      let proxy = try LoopbackServer { connection, _ in
        if connection.readRequest() != nil { connection.write(answer) }
      }
      var configuration = CurlTransport.Configuration()
      configuration.proxy = .url("http://127.0.0.1:\(proxy.port)")
      let outcome = await CurlTransport(configuration).get("https://org.invalid/")
      #expect(outcome.code == .cannotConnect, "\(outcome)")
    }
  }
}
