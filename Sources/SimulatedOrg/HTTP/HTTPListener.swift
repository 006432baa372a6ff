// The listening socket and its connections.
//
// FlyingFox's socket layer carries this server, not its `HTTPServer`: that one keeps headers in a dictionary (order and
// spelling are lost, and `SimulatedOrg.requests` promises both), and it cannot reset, cut or starve a reply, which is
// what the faults are for. Head and body leave in one write with TCP_NODELAY set, so no reply waits for an
// acknowledgement.

import FlyingSocks
import Foundation
import Glibc

/// Accepts connections, on loopback if no other address is given, and answers each request with the result of
/// `respond`.
package final class HTTPListener: Sendable {
  /// The port in use, also when an ephemeral one was asked for.
  package let port: UInt16
  private let socket: Socket
  private let room: ConnectionRoom

  /// Binds and listens; from here on connections queue, though they get no answer before `run`.
  ///
  /// - Throws: ``OrgError`` when the port cannot be had.
  package convenience init(address: String = "127.0.0.1", port: UInt16) throws {
    try self.init(address: address, port: port, limits: .standard)
  }

  /// The same, with the given limits.
  init(address: String, port: UInt16, limits: ConnectionLimits) throws {
    room = ConnectionRoom(limits)
    do {
      (socket, self.port) = try Self.listening(at: address, port)
    } catch SocketError.failed(_, EADDRINUSE, _) {
      throw OrgError(.portInUse, "Port \(port) on \(address) is already in use; choose another one, or 0 for any.")
    } catch SocketError.failed(_, EACCES, _) {
      throw OrgError(.portForbidden, "Port \(port) needs more rights than this process has; choose one above 1023.")
    } catch {
      throw OrgError(.cannotListen, "Port \(port) on \(address) cannot be opened: \(error.localizedDescription)")
    }
  }

  private static func listening(at address: String, _ port: UInt16) throws -> (Socket, UInt16) {
    let socket = try Socket(domain: AF_INET)
    do {
      socket.keepFromChildren()
      try socket.setValue(true, for: .localAddressReuse)
      try socket.bind(to: .inet(ip4: address, port: port))
      try socket.listen()
      guard case .ip4(_, let bound) = try socket.sockname() else { throw SocketError.unsupportedAddress }
      return (socket, bound)
    } catch {
      try? socket.close()
      throw error
    }
  }

  /// Serves HTTP until the task is cancelled, then closes every connection and the port.
  package func run(_ respond: @escaping Respond) async {
    await accept { await HTTPConnection(socket: $0, place: $1).serve(respond) }
  }

  /// Hands each connection over until the task is cancelled, then closes the port. The receiver of a connection closes
  /// it, and signals through its place when it is the client's turn.
  func serve(_ connection: @escaping @Sendable (AsyncSocket, ConnectionPlace) async -> Void) async {
    await accept(connection)
  }

  private func accept(_ connection: @escaping @Sendable (AsyncSocket, ConnectionPlace) async -> Void) async {
    defer { try? socket.close() }
    guard let listening = try? AsyncSocket(socket: socket, pool: DispatchPool()) else { return }
    let room = self.room
    await withDiscardingTaskGroup { group in
      group.addTask { await room.watch() }
      while !Task.isCancelled {
        do {
          let socket = try await listening.accept()
          let place = await room.place(for: socket.socket)
          group.addTask {
            await connection(socket, place)
            place.leave()
          }
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
