// Syncing on demand, and the end.

extension LogEngine {
  /// Writes and syncs what is queued; see `EventLog.sync`.
  func sync() throws(StoreError) {
    try drain()
    try withRightThrowing { () throws(StoreError) in try writer.sync() }
    resumeWaiters(with: nil)
  }

  /// Ends writing; see `EventLog.close`.
  func close() throws(StoreError) {
    monitor.lock()
    let first = !closed
    closed = true
    monitor.unlock()
    guard first else { return }
    keeper.stop()
    var failure: StoreError?
    do throws(StoreError) {
      try drain()
      try withRightThrowing { () throws(StoreError) in
        if writer.hasOpenFrame || writer.synced < writer.size { try writer.syncWhole() }
      }
    } catch {
      failure = error
    }
    resumeWaiters(with: failure)
    monitor.lock()
    lock = nil
    monitor.tell(.work)
    monitor.unlock()
    if let failure { throw failure }
  }

  /// Calls back those who wait for a sync and have it, or, with an error, all of them.
  func resumeWaiters(with error: StoreError?) {
    monitor.lock()
    let limit = error == nil ? synced : UInt64.max
    let done = waiters.filter { $0.end <= limit }
    waiters.removeAll { $0.end <= limit }
    monitor.unlock()
    for waiter in done { waiter.resume(error) }
  }
}
