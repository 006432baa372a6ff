// How many clients a listener has, which of them have to go, and whose they are.

import FlyingSocks
import Foundation
import Glibc
import Testing

@testable import SimulatedOrg

@Suite(.timeLimit(.minutes(5))) struct ConnectionTests {
  private static let noContent: Respond = { _ in Delivery(HTTPReply(status: 204)) }

  /// Calls `body` with the port of a server.
  private func withServer(
    _ limits: ConnectionLimits, answering respond: @escaping Respond, _ body: (UInt16) async throws -> Void
  ) async throws {
    let listener = try HTTPListener(address: "127.0.0.1", port: 0, limits: limits)
    let serving = Task(executorPreference: OrgThreads.shared) { await listener.run(respond) }
    defer { serving.cancel() }
    try await body(listener.port)
  }

  private func connect(_ port: UInt16) async throws -> AsyncSocket {
    try await .connected(to: .inet(ip4: "127.0.0.1", port: port), pool: DispatchPool(), timeout: 120)
  }

  private func ask(_ socket: AsyncSocket, for path: String = "/") async throws {
    try await socket.write(Data("GET \(path) HTTP/1.1\r\nHost: org\r\n\r\n".utf8))
  }

  /// What comes up to and including a text.
  private func read(_ socket: AsyncSocket, to end: String) async throws -> String {
    var text = ""
    while !text.hasSuffix(end) { text += String(decoding: try await socket.read(atMost: 1), as: UTF8.self) }
    return text
  }

  /// Whether the server ends the connection, before it sends another byte.
  private func isEnded(_ socket: AsyncSocket) async throws -> Bool {
    do {
      _ = try await socket.read(atMost: 1)
      return false
    } catch SocketError.disconnected {
      return true
    } catch SocketError.failed(_, ECONNRESET, _) {
      return true
    }
  }

  @Test func `if all places are taken, the client that has been silent for longest makes room`() async throws {
    try await withServer(ConnectionLimits(places: 3, patience: .seconds(3600)), answering: Self.noContent) { port in
      var clients: [AsyncSocket] = []
      defer { for client in clients { try? client.close() } }
      for number in 0..<20 {
        let client = try await connect(port)
        clients.append(client)
        try await ask(client)
        #expect(try await read(client, to: "\r\n\r\n").hasPrefix("HTTP/1.1 204"), "\(number)")
        // Half a request is no answer to be waited for.
        if number % 2 == 0 { try await client.write(Data("POST /half HTTP/1.1\r\nContent-Le".utf8)) }
      }
      #expect(try await isEnded(clients[0]))
      #expect(try await isEnded(clients[1]))
    }
  }

  @Test func `a client that gets an answer keeps its place, and the next one waits`() async throws {
    let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let respond: Respond = { request in
      guard request.path == "/stream" else { return Delivery(HTTPReply(status: 204)) }
      return Delivery(HTTPReply(status: 200), streaming: pieces)
    }
    try await withServer(ConnectionLimits(places: 1, patience: .seconds(3600)), answering: respond) { port in
      let follower = try await connect(port)
      defer { try? follower.close() }
      try await ask(follower, for: "/stream")
      #expect(try await read(follower, to: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
      let next = try await connect(port)
      defer { try? next.close() }
      try await ask(next)
      for piece in ["one", "two", "three"] {
        continuation.yield(Array(piece.utf8))
        #expect(try await read(follower, to: piece) == piece)
      }
      continuation.finish()
      #expect(try await isEnded(follower))
      #expect(try await read(next, to: "\r\n\r\n").hasPrefix("HTTP/1.1 204"))
    }
  }

  @Test(arguments: [
    "", "POST / HT", "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc",
    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc",
  ])
  func `a client that keeps the server waiting for too long is gone`(text: String) async throws {
    try await withServer(ConnectionLimits(places: 10, patience: .milliseconds(40)), answering: Self.noContent) { port in
      let client = try await connect(port)
      defer { try? client.close() }
      try await client.write(Data(text.utf8))
      #expect(try await isEnded(client))
    }
  }

  @Test func `there are far fewer places than descriptors`() {
    var limit = rlimit()
    let code = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #expect(code == 0)
    let places = ConnectionLimits.standard.places
    #expect(places > 0 && places <= 512)
    #expect(places <= max(4, Int(clamping: limit.rlim_cur) / 4))
  }

  @Test func `a request says which user of this machine has sent it`() async throws {
    let respond: Respond = { _ in
      let user = HTTPClient.current?.user ?? UInt32.max
      return Delivery(HTTPReply(status: 200, body: Array("\(user);".utf8)))
    }
    try await withServer(.standard, answering: respond) { port in
      let client = try await connect(port)
      defer { try? client.close() }
      for _ in 1...2 {
        try await ask(client)
        let answer = try await read(client, to: ";")
        #expect(answer.hasSuffix("\r\n\r\n\(getuid());"), "\(answer)")
      }
    }
    #expect(HTTPClient.current == nil)
  }
}
