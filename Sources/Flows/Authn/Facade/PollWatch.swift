// Polling ends when the application lets go of its objects (DESIGN §2 rule 8, authn §14.1). Who keeps whom:
//
//   application -> status, factor, model -> AuthnSession -> flow        the session's end is told to the flow
//   flow -> sink of a call -> status that was called                    until the call waits for the first time
//   flow -> sink of a call -> closures of the application -> what they capture
//
// The first wait is where the SDK lets go. If the session is gone with that, the application kept nothing of its own,
// like the seed's code that hands each status from function to function: it is polled for until the end.

import FlowRecording

/// What the sessions of one flow share: which of them is alive, and whether its end means anything.
final class PollWatch: Sendable {
  private struct State {
    weak var session: AuthnSession?
    var isLettingGo = false
    /// Whether the application kept nothing when the wait began, so that nobody can let go any more.
    var isUnwatched = false
  }

  private let state = Locked(State())

  /// The flow's session, made anew where the application has none any more.
  func session(orMake make: () -> AuthnSession) -> AuthnSession {
    if let session = state.withLock({ $0.session }) { return session }
    let session = make()
    watch(session)
    return session
  }

  /// Takes up the session that the objects handed out next belong to.
  func watch(_ session: AuthnSession) { state.withLock { $0.session = session } }

  /// Lets go of the object that a waiting call was made on.
  func letGo(of kept: Locked<OktaAuthStatus?>) {
    state.withLock { $0.isLettingGo = true }
    // Taken out of one lock and freed outside both: its end asks `sessionIsGone`.
    var object = kept.withLock { object in
      defer { object = nil }
      return object
    }
    if object != nil { object = nil }
    state.withLock { $0.isLettingGo = false }
  }

  /// Whether the end of a session means that the application let go.
  func sessionIsGone() -> Bool {
    state.withLock { state in
      if state.isLettingGo { state.isUnwatched = true }
      return !state.isUnwatched
    }
  }

  /// A call is over: whoever makes the next has an object to make it on.
  func callIsOver() { state.withLock { $0.isUnwatched = false } }
}
