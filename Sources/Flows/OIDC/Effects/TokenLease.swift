// The lock of stored tokens for as long as one call needs it.

import FlowRecording

/// Where the draw of a call leaves the lock that it got.
package enum TokenLeaseSeam: FlowSeam {
  /// A lease that nothing holds on to: its lock ends at once.
  package static var live: TokenLease { TokenLease() }
}

/// Holds the lock of stored tokens until the call that needs it is over, however it ends.
package final class TokenLease: Sendable {
  private struct Contents {
    var lock: TokenStoreLock?
    var isOver = false
  }
  private let contents = Locked(Contents())

  package init() {}

  /// Takes a lock; lets go of it at once if the call is over.
  func hold(_ lock: TokenStoreLock) {
    let isOver = contents.withLock { contents in
      if !contents.isOver { contents.lock = lock }
      return contents.isOver
    }
    if isOver { lock.release() }
  }

  /// The call is over.
  package func end() {
    let lock = contents.withLock { contents in
      contents.isOver = true
      defer { contents.lock = nil }
      return contents.lock
    }
    lock?.release()
  }
}
