// Locks for as long as one call needs them.

import FlowRecording

/// Where the draws of a call leave the locks that they got.
package enum TokenLeaseSeam: FlowSeam {
  /// A lease that nothing holds on to: its locks end at once.
  package static var live: TokenLease { TokenLease() }
}

/// Holds the lock of stored tokens, and the turn to fetch a server's metadata, until the call that needs it is over, however it ends.
package final class TokenLease: Sendable {
  private struct Contents {
    var locks: [TokenStoreLock] = []
    var isOver = false
  }
  private let contents = Locked(Contents())

  package init() {}

  /// Takes a lock; lets go of it at once if the call is over.
  func hold(_ lock: TokenStoreLock) {
    let isOver = contents.withLock { contents in
      if !contents.isOver { contents.locks.append(lock) }
      return contents.isOver
    }
    if isOver { lock.release() }
  }

  /// The call is over.
  package func end() {
    let locks = contents.withLock { contents in
      contents.isOver = true
      defer { contents.locks = [] }
      return contents.locks
    }
    for lock in locks { lock.release() }
  }
}
