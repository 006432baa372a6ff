// The log's own thread: writes records without a waiter, syncs, closes idle frames.
import Dispatch

extension LogEngine {
  /// Starts the log's own thread, which does nothing before `begin`. It ends after `close`.
  ///
  /// - Throws: `io` if the system starts no thread: records without a waiter would never be written.
  func startThread() throws(StoreError) {
    try EventStore.startThread("EventLog", stackSize: 1 << 20) { self.run() }
  }

  /// Lets the log's own thread and the upkeep of closed segments begin: the leftovers of an earlier process are gone.
  func begin() {
    monitor.lock()
    hasBegun = true
    monitor.tell(.work)
    monitor.unlock()
    keeper.segmentClosed { [weak self] in self?.settledSize ?? 0 }
  }

  func run() {
    monitor.lock()
    while !hasBegun { monitor.wait(for: .work) }
    lastSync = Self.now()
    while lock != nil {
      let now = Self.now()
      if waiters.contains(where: { answer(to: $0) != nil }) {
        monitor.unlock()
        resumeWaiters(with: nil)
        monitor.lock()
      } else if !news.isEmpty {
        tellNews()
      } else if closed {
        // The thread that closes the log does all remaining work, and releases the lock when no thread writes.
        monitor.wait(for: .work)
      } else if fatal == nil, !clockSteps.isEmpty {
        monitor.unlock()
        recordClockSteps()
        monitor.lock()
      } else if fatal == nil, !writing, isGathering {
        gather()
      } else if fatal == nil, !writing, syncIsDue(at: now) {
        // The same sync covers what was queued meanwhile.
        if durability == .each, !queue.waiting.isEmpty { lead() }
        if !writing { syncOnThread() }
      } else if fatal == nil, !writing, rollDue, now >= rollRetry {
        rollOnThread()
      } else if fatal == nil, !writing, !queue.waiting.isEmpty, flushIsDue(at: now) {
        lead()
      } else if fatal == nil, !writing, frameOpen, queue.waiting.isEmpty, now >= lastCommit + UInt64(idleMilliseconds) {
        closeIdleFrame()
      } else if fatal == nil, signingIsDue(at: now) {
        signOnThread()
      } else {
        rest(at: now)
      }
    }
    tellNews()
    monitor.unlock()
    resumeWaiters(with: nil)
  }

  /// Reports failures to the observer. Called with the lock; releases it meanwhile.
  private func tellNews() {
    let told = news
    news = []
    monitor.unlock()
    for (error, isFatal) in told { observer.failed(error, isFatal: isFatal) }
    monitor.lock()
  }

  func syncIsDue(at now: UInt64) -> Bool {
    guard synced < written else { return false }
    if keptBytes >= Self.keptLimit { return true }
    switch durability {
    case .each: return waiters.contains { $0.ticket.positions.upperBound <= written }
    case .group(let milliseconds): return now >= lastSync + UInt64(max(milliseconds, 1))
    case .os: return false
    }
  }

  func flushIsDue(at now: UInt64) -> Bool {
    queue.waiting.bytes.count >= Self.wakeSize || waiters.contains { $0.ticket.positions.upperBound > written }
      || now >= queuedSince + UInt64(interval)
  }

  /// How long a record stays in the queue.
  var interval: Int {
    if case .group(let milliseconds) = durability { return min(max(milliseconds, 1), Self.flushMilliseconds) }
    return Self.flushMilliseconds
  }

  /// Syncs all written records, without blocking writers. Called with the lock; releases it meanwhile.
  func syncOnThread() {
    let target = written
    let frames = closedFrames
    let current = file
    let start = DispatchTime.now().uptimeNanoseconds
    monitor.unlock()
    let begun = observer.start
    var failure: StoreError?
    do throws(StoreError) {
      try current.sync()
    } catch {
      failure = error
    }
    monitor.lock()
    gathering.end(waiting: waiters.count, begun: start)
    if let failure {
      leave(current, because: failure)
    } else {
      synced = max(synced, target)
      settled = max(settled, frames)
    }
    lastSync = Self.now()
    let (durable, end) = (synced, written)
    monitor.unlock()
    if failure == nil { observer.synced(durable: durable, written: end, since: begun) }
    resumeWaiters(with: nil)
    monitor.lock()
  }

  /// Begins the next segment if this one is full. Most of it is synced, and its directories are read for its footer,
  /// before, without holding up writers; what came meanwhile, and the new file, are synced with the right to write.
  /// Called with the lock; releases it meanwhile.
  private func rollOnThread() {
    if synced < written { syncOnThread() }
    let full = file
    monitor.unlock()
    let index = try? ActiveIndex(full)
    monitor.lock()
    while writing { monitor.wait(for: .writeRight) }
    guard fatal == nil, !closed, file === full else { return }
    takeRight()
    monitor.unlock()
    var isBegun = true
    do throws(StoreError) { try writer.rollIfFull(knowing: index) } catch { isBegun = false }
    monitor.lock()
    // The disk may be full at the moment: the segment keeps growing meanwhile, within its bounds.
    if !isBegun { rollRetry = Self.now() + 1_000 }
    giveBack()
  }

  /// Continues in another segment if a sync of `failed` did not succeed and no other thread has left that file. Called
  /// with the lock; releases it meanwhile.
  func leave(_ failed: any DiskFile, because error: StoreError) {
    while writing { monitor.wait(for: .writeRight) }
    guard file === failed, fatal == nil, lock != nil else { return }
    takeRight()
    monitor.unlock()
    try? writer.leaveFile(because: error)  // if it fails, `broken` says so
    monitor.lock()
    giveBack()
  }

  /// Closes a frame that has not been written to for a while. Called with the lock; releases it meanwhile.
  func closeIdleFrame() {
    takeRight()
    monitor.unlock()
    try? writer.closeFrame()  // if it fails, it is tried again later
    monitor.lock()
    giveBack()
  }

  /// Sleeps until something is due or signaled. Called with the lock.
  func rest(at now: UInt64) {
    var due: UInt64?
    func at(_ time: UInt64) { due = min(due ?? time, time) }
    if fatal == nil {
      if !queue.waiting.isEmpty { at(queuedSince + UInt64(interval)) }
      // An open frame means recent activity: look again soon, so that appends need not wake this thread.
      if frameOpen { at(min(lastCommit + UInt64(idleMilliseconds), now + UInt64(interval))) }
    }
    // The next deadline may be far off. Until then an append wakes this thread.
    parked = due.map { $0 > now + UInt64(interval) } ?? true
    if fatal == nil {
      if rollDue { at(rollRetry) }
      if let signing = signingDue { at(signing) }
      if case .group(let milliseconds) = durability, synced < written { at(lastSync + UInt64(max(milliseconds, 1))) }
    }
    // While another thread writes, due work waits until the right is given back, which is signaled. A day stands for
    // forever.
    let wait = due.map { writing ? 5 : Int(clamping: min(max($0, now + 1) - now, 86_400_000)) }
    if let wait { monitor.wait(for: .work, milliseconds: wait) } else { monitor.wait(for: .work) }
    parked = false
  }
}
