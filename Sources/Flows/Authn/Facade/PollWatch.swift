// Polling ends when the application releases its objects (DESIGN §2 rule 8, authn §14.1). What keeps what alive:
//
//   application -> status, factor, model -> AuthnSession -> flow        the session's end is reported to the flow
//   flow -> sink of a call -> status that was called                    until the call waits for the first time
//   flow -> sink of a call -> closures of the application -> what they capture
//
// The SDK releases the object at the first wait. If the session ends with that, or within a second, the application
// kept nothing, like the seed's code that passes each status from function to function: it is polled until the end,
// less and less often, and for an hour at most (`AuthnCore.longestWait`). The second is for a local variable that lives
// a little longer than the call that was made on it: counted as a release, it would end a sign-in that a caller waits
// for.

import EventStore
import FlowRecording

/// What the sessions of one flow share: which of them is alive, and whether its end matters.
final class PollWatch: Sendable {
  private struct State {
    weak var session: AuthnSession?
    /// When the current wait began.
    var waitingSince: Timestamp?
    /// Whether the application kept nothing when the wait began, so that there is nothing left to release.
    var isUnwatched = false
  }

  private let clock: any FlowClock
  private let state = Locked(State())

  /// How long an object must outlive the beginning of a wait to count as kept.
  static let grace: Int64 = 1_000_000

  init(clock: any FlowClock) { self.clock = clock }

  /// The flow's session, created again if the application no longer has one.
  func session(orMake make: () -> AuthnSession) -> AuthnSession {
    if let session = state.withLock({ $0.session }) { return session }
    let session = make()
    watch(session)
    return session
  }

  /// Sets the session of the objects delivered next.
  func watch(_ session: AuthnSession) { state.withLock { $0.session = session } }

  /// Releases the object that a waiting call was made on; has no effect from the second wait on.
  func letGo(of kept: Locked<OktaAuthStatus?>) {
    guard kept.withLock({ $0 != nil }) else { return }
    let now = clock.now()
    state.withLock { $0.waitingSince = now }
    // Removed from its lock and freed outside of it, because its deinitialization calls `sessionIsGone`.
    let object = kept.withLock { object in
      defer { object = nil }
      return object
    }
    withExtendedLifetime(object) {}
  }

  /// Whether the end of a session means that the application has released it.
  func sessionIsGone() -> Bool {
    let now = clock.now()
    return state.withLock { state in
      guard let since = state.waitingSince, !state.isUnwatched else { return false }
      state.isUnwatched = now.microseconds - since.microseconds < Self.grace
      return !state.isUnwatched
    }
  }

  /// A call has ended: the application makes the next one on an object that it holds.
  func callIsOver() {
    state.withLock { state in
      state.waitingSince = nil
      state.isUnwatched = false
    }
  }
}
