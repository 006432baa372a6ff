// An async call on its way: cancellation may come before the call has a token.

/// The token of an async call, which may be cancelled before there is one.
package final class PendingCall: Sendable {
  private let state = Locked<(token: CallToken?, isCancelled: Bool)>((nil, false))

  /// Nothing has begun.
  package init() {}

  /// Takes up the token; true if the call was cancelled before.
  package func started(_ token: CallToken) -> Bool {
    state.withLock { state in
      state.token = token
      return state.isCancelled
    }
  }

  /// Notes the cancellation; the token to give up, if there is one yet.
  package func cancelled() -> CallToken? {
    state.withLock { state in
      state.isCancelled = true
      return state.token
    }
  }
}
