// A client that sees bytes: one TCP connection, no HTTP library between the test and the org.

import FlyingSocks
import Foundation
import Glibc
import Testing

@testable import SimulatedOrg

/// How a connection ended.
enum Ending: Equatable {
  case closed
  case reset
}

/// A connection that ended before a whole reply was there.
struct Broken: Error, Equatable {
  var ending: Ending
  /// Everything received of the reply.
  var received: [UInt8]
}

/// One connection to an org, reused for request after request.
final class WireClient {
  let org: SimulatedOrg
  private var socket: AsyncSocket
  private var bytes: [UInt8] = []
  /// Sent with each request of `post` and `get`, in this order.
  var headers: [(String, String)] = [("Accept", "application/json"), ("Content-Type", "application/json")]

  init(_ org: SimulatedOrg) async throws {
    self.org = org
    socket = try await Self.connect(org)
  }

  deinit { try? socket.close() }

  private static func connect(_ org: SimulatedOrg) async throws -> AsyncSocket {
    let port = try #require(org.url.port.flatMap(UInt16.init(exactly:)))
    // The library's own pool can lose sight of a descriptor that is used again.
    return try await .connected(to: .inet(ip4: "127.0.0.1", port: port), pool: DispatchPool(), timeout: 120)
  }

  /// A fresh connection in place of one that ended.
  func reconnect() async throws {
    try? socket.close()
    bytes = []
    socket = try await Self.connect(org)
  }

  /// Ends the connection from this side.
  func close() throws {
    try socket.close()
  }

  func send(_ text: String) async throws { try await socket.write(Data(text.utf8)) }

  /// Posts JSON to a path or an absolute href.
  func post(_ target: String, _ body: [String: Any] = [:]) async throws -> WireReply {
    let data = try JSONSerialization.data(withJSONObject: body, options: .sortedKeys)
    return try await request("POST", target, String(decoding: data, as: UTF8.self))
  }

  /// Follows the link at a dotted path of a reply, with its state token.
  func follow(_ reply: WireReply, _ link: String, query: String = "", _ body: [String: Any] = [:]) async throws
    -> WireReply
  {
    var body = body
    body["stateToken"] = try reply.text("stateToken")
    return try await post(try reply.text(link + ".href") + query, body)
  }

  func get(_ target: String) async throws -> WireReply { try await request("GET", target, nil) }

  func request(_ method: String, _ target: String, _ body: String?) async throws -> WireReply {
    let path =
      target.hasPrefix(org.url.absoluteString) ? String(target.dropFirst(org.url.absoluteString.count)) : target
    var text = "\(method) \(path) HTTP/1.1\r\nHost: org\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
    try await send(text + "\r\n" + (body ?? ""))
    return try await reply()
  }

  /// Reads one reply.
  func reply() async throws -> WireReply {
    while true {
      if let reply = WireReply(parsing: bytes) {
        bytes.removeFirst(reply.length)
        return reply
      }
      do {
        bytes += try await socket.read(atMost: 4096)
      } catch SocketError.disconnected {
        // The poller reports resets and ends alike; the socket itself knows more.
        do {
          bytes += try socket.socket.read(atMost: 4096)
        } catch SocketError.disconnected {
          throw Broken(ending: .closed, received: bytes)
        } catch SocketError.failed(_, ECONNRESET, _) {
          throw Broken(ending: .reset, received: bytes)
        }
      } catch SocketError.failed(_, ECONNRESET, _) {
        throw Broken(ending: .reset, received: bytes)
      }
    }
  }
}
