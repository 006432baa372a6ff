// An async call in progress, which may be cancelled before it has a token.

/// The token of an async call, which may be cancelled before there is one.
package final class PendingCall: Sendable {
  private let state = Locked<(token: CallToken?, isCancelled: Bool)>((nil, false))

  package init() {}

  /// Stores the token; true if the call has already been cancelled.
  package func started(_ token: CallToken) -> Bool {
    state.withLock { state in
      state.token = token
      return state.isCancelled
    }
  }

  /// Notes the cancellation; returns the token to cancel, if there is one yet.
  package func cancelled() -> CallToken? {
    state.withLock { state in
      state.isCancelled = true
      return state.token
    }
  }
}
