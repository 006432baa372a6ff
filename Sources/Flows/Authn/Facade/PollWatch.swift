// Polling ends when the application lets go of its objects (DESIGN §2 rule 8, authn §14.1). What keeps what alive:
//
//   application -> status, factor, model -> AuthnSession -> flow        the session's end is reported to the flow
//   flow -> sink of a call -> status that was called                    until the call waits for the first time
//   flow -> sink of a call -> closures of the application -> what they capture
//
// The first wait is where the SDK lets go. If the session is gone with that, or within a second, the application kept
// nothing of its own, like the seed's code that hands each status from function to function: it is polled for until the
// end, more and more rarely, and for an hour at most (`AuthnCore.longestWait`). The second is for a local variable that
// lives a little longer than the call that was made on it: taken for an application that let go, it would end a sign-in
// that a caller waits for.

import EventStore
import FlowRecording

/// What the sessions of one flow share: which of them is alive, and whether its end means anything.
final class PollWatch: Sendable {
  private struct State {
    weak var session: AuthnSession?
    /// When the wait began that goes on.
    var waitingSince: Timestamp?
    /// Whether the application kept nothing when the wait began, so that there is nothing left to let go of.
    var isUnwatched = false
  }

  private let clock: any FlowClock
  private let state = Locked(State())

  /// How long an object must outlive the beginning of a wait to count as kept.
  static let grace: Int64 = 1_000_000

  init(clock: any FlowClock) { self.clock = clock }

  /// The flow's session, made anew if the application has none any more.
  func session(orMake make: () -> AuthnSession) -> AuthnSession {
    if let session = state.withLock({ $0.session }) { return session }
    let session = make()
    watch(session)
    return session
  }

  /// Takes up the session that the objects handed out next belong to.
  func watch(_ session: AuthnSession) { state.withLock { $0.session = session } }

  /// Lets go of the object that a waiting call was made on; does nothing from the second wait on.
  func letGo(of kept: Locked<OktaAuthStatus?>) {
    guard kept.withLock({ $0 != nil }) else { return }
    let now = clock.now()
    state.withLock { $0.waitingSince = now }
    // Taken out of its lock and freed outside: its end asks `sessionIsGone`.
    let object = kept.withLock { object in
      defer { object = nil }
      return object
    }
    withExtendedLifetime(object) {}
  }

  /// Whether the end of a session means that the application let go.
  func sessionIsGone() -> Bool {
    let now = clock.now()
    return state.withLock { state in
      guard let since = state.waitingSince, !state.isUnwatched else { return false }
      state.isUnwatched = now.microseconds - since.microseconds < Self.grace
      return !state.isUnwatched
    }
  }

  /// A call is over: the application makes the next one on an object that it has.
  func callIsOver() {
    state.withLock { state in
      state.waitingSince = nil
      state.isUnwatched = false
    }
  }
}
