// Locks held for the duration of a call.

import FlowRecording

/// The seam in which the draws of a call leave the locks that they obtained.
package enum TokenLeaseSeam: FlowSeam {
  /// A lease that is not kept: its locks are released at once.
  package static var live: TokenLease { TokenLease() }
}

/// Holds the lock of stored tokens, and the turn to fetch a server's metadata, until the call that needs them has ended
/// in any way.
package final class TokenLease: Sendable {
  private struct Contents {
    var locks: [TokenStoreLock] = []
    var isOver = false
  }
  private let contents = Locked(Contents())

  package init() {}

  /// Holds a lock; releases it at once if the call has ended.
  func hold(_ lock: TokenStoreLock) {
    let isOver = contents.withLock { contents in
      if !contents.isOver { contents.locks.append(lock) }
      return contents.isOver
    }
    if isOver { lock.release() }
  }

  /// Releases the locks at the end of the call.
  package func end() {
    let locks = contents.withLock { contents in
      contents.isOver = true
      defer { contents.locks = [] }
      return contents.locks
    }
    for lock in locks { lock.release() }
  }
}
