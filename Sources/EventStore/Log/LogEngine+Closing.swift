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
    try? drain()
    recordClockSteps()
    monitor.lock()
    let first = !closed
    closed = true
    monitor.tell(.work)
    monitor.unlock()
    guard first else { return }
    keeper.stop()
    var failure: StoreError?
    var unsigned: StoreError?
    do throws(StoreError) {
      try drain()
      try withRightThrowing { () throws(StoreError) in
        if let schedule, schedule.onClose, let key = withMonitor({ scheduledKey }), lastCheckpoint?.size != writer.size
        {
          do throws(StoreError) { _ = try sign(with: key) } catch { unsigned = error }
        }
        if writer.hasOpenFrame || writer.synced < writer.size { try writer.syncWhole() }
      }
    } catch {
      failure = error
    }
    if let unsigned { observer.checkpointFailed(unsigned) }
    resumeWaiters(with: failure)
    monitor.lock()
    // From here on another writer may have the store: no work may be in progress, and none may begin.
    while writing { monitor.wait(for: .writeRight) }
    lock = nil
    monitor.tell(.work)
    monitor.unlock()
    if let failure = failure ?? unsigned { throw failure }
  }
}
