// A flow that is started before its call: a replay first starts a flow, and makes its calls later.

import FlowRecording

/// The seam in which a client looks for a flow before it starts one.
enum ReadySessionSeam: FlowSeam {
  /// No flow is ready.
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
