// A flow that is begun before the call that it is for: a replay has the start of a flow first, and its calls later.

import FlowRecording

/// Where a client looks for a flow before it begins one.
enum ReadySessionSeam: FlowSeam {
  /// None is ready.
  static var live: ReadySession { ReadySession() }
}

/// A flow that waits for its operation.
final class ReadySession: Sendable {
  private let session = Locked<OIDCSession?>(nil)

  /// Keeps a flow for the next operation.
  func keep(_ session: OIDCSession) { self.session.withLock { $0 = session } }

  /// The flow, once.
  func take() -> OIDCSession? {
    session.withLock { session in
      defer { session = nil }
      return session
    }
  }
}
