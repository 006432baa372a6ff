import FlowRecording
import FlyingFox
import FlyingSocks
import Foundation

/// A server that mails links: the person opens each after some polls.
final class MagicLinkServer: Sendable {
  let url: String
  private let task: Task<Void, any Error>

  init(opensAfter polls: Int, session: String) async throws {
    let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), timeout: 60, logger: .disabled)
    let seen = Locked(0)
    await server.appendRoute("POST /links") { _ in Self.json(#"{"status":"PENDING","link":"L-1"}"#) }
    await server.appendRoute("GET /links/L-1") { _ in
      let isOpen = seen.withLock { seen in
        seen += 1
        return seen > polls
      }
      return Self.json(isOpen ? #"{"status":"DONE","session":"\#(session)"}"# : #"{"status":"PENDING","link":"L-1"}"#)
    }
    task = Task { try await server.run() }
    try await server.waitUntilListening(timeout: 120)
    guard case .ip4(_, let port)? = await server.listeningAddress else { throw URLError(.cannotConnectToHost) }
    url = "http://127.0.0.1:\(port)"
  }

  deinit { task.cancel() }

  private static func json(_ text: String) -> FlyingFox.HTTPResponse {
    FlyingFox.HTTPResponse(
      statusCode: .ok, headers: [.contentType: "application/json"], body: Data(text.utf8))
  }
}
