// The socket that devices in other processes listen on for their notifications.

import Synchronization

/// A port that hands out notifications, once it is open.
final class NotificationService: Sendable {
  private let open = Mutex<(port: UInt16, serving: Task<Void, Never>)?>(nil)

  deinit { open.withLock { $0?.serving.cancel() } }

  /// Opens the port; if it is open already, it stays as it is.
  ///
  /// - Throws: ``OrgError`` when the port cannot be had.
  func start(_ responder: Responder, port: UInt16, limits: ConnectionLimits = .standard) throws -> UInt16 {
    try open.withLock { open in
      if let open { return open.port }
      let listener = try HTTPListener(address: "127.0.0.1", port: port, limits: limits)
      let serving = Task(executorPreference: OrgThreads.shared) {
        await listener.serve { await NotificationConnection(socket: $0, place: $1, responder).serve() }
      }
      open = (listener.port, serving)
      return listener.port
    }
  }

  /// Closes the port and every connection.
  func stop() async {
    let serving = open.withLock { open in
      defer { open = nil }
      return open?.serving
    }
    serving?.cancel()
    await serving?.value
  }
}
