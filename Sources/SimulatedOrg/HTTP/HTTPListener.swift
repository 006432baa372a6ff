// The listening socket and its connections.
//
// FlyingFox's socket layer carries this server, not its `HTTPServer`: that one keeps headers in a dictionary (order and
// spelling are lost, and `SimulatedOrg.requests` promises both), and it cannot reset, cut or starve a reply, which is
// what the faults are for. Head and body leave in one write with TCP_NODELAY set, so no reply waits for an acknowledgement.

import FlyingSocks
import Foundation
import Glibc

/// Accepts connections on loopback and answers each request with what `respond` says.
final class HTTPListener: Sendable {
  /// The port in use, also when an ephemeral one was asked for.
  let port: UInt16
  private let socket: Socket

  /// Binds and listens; from here on connections queue, though nobody answers before `run`.
  ///
  /// - Throws: `SocketError` when the port cannot be had.
  init(port: UInt16) throws {
    let socket = try Socket(domain: AF_INET)
    do {
      socket.keepFromChildren()
      try socket.setValue(true, for: .localAddressReuse)
      try socket.bind(to: .inet(ip4: "127.0.0.1", port: port))
      try socket.listen()
      guard case .ip4(_, let bound) = try socket.sockname() else { throw SocketError.unsupportedAddress }
      self.port = bound
    } catch {
      try? socket.close()
      throw error
    }
    self.socket = socket
  }

  /// Serves until the task is cancelled, then closes every connection and the port.
  func run(_ respond: @escaping Respond) async {
    defer { try? socket.close() }
    guard let listening = try? AsyncSocket(socket: socket, pool: DispatchPool()) else { return }
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        do {
          let connection = HTTPConnection(socket: try await listening.accept())
          group.addTask { await connection.serve(respond) }
        } catch is CancellationError {
          return
        } catch {
          // A client that vanished while it queued, or no descriptors left for a moment: the port stays open.
          try? await Task.sleep(for: .milliseconds(5))
        }
      }
    }
  }
}

extension Socket {
  /// A child process that inherited the descriptor would keep the port open after the org has stopped.
  func keepFromChildren() { _ = fcntl(file.rawValue, F_SETFD, FD_CLOEXEC) }
}
