// The right to write, and its holder: the first caller that waits writes for all that wait.

extension LogEngine {
  /// Waits for a ticket; see `EventLog.barrier`.
  func barrier(_ ticket: Ticket, resume: @escaping @Sendable (StoreError?) -> Void) -> BarrierOutcome {
    monitor.lock()
    let failure = waitUntilWritten(ticket)
    let isDurable = synced >= ticket.positions.upperBound
    // Nothing is synced any more once the log is closed: a caller that waited would wait forever.
    let ending = fatal ?? (lock == nil ? closedError : nil)
    if failure == nil, durability == .each, !isDurable, ending == nil {
      defer { monitor.unlock() }
      addWaiter(for: ticket, resume)
      return .pending
    }
    let error = failure ?? (durability == .each && !isDurable ? ending : nil)
    monitor.unlock()
    if let error { return .failed(error) }
    observer.metrics?.record(.acknowledged(records: ticket.positions.count, isDurable: isDurable))
    return .passed
  }

  /// Writes what is queued now.
  ///
  /// - Throws: `StoreError` if some of it did not get into the log.
  func drain() throws(StoreError) {
    monitor.lock()
    defer { monitor.unlock() }
    if let error = waitUntilWritten(queue.everything) { throw error }
  }

  /// Leads or follows until the ticket's records are written. Called with the lock. Returns the error if they are not.
  func waitUntilWritten(_ ticket: Ticket) -> StoreError? {
    while true {
      if let error = queue.error(of: ticket) { return error }
      if written >= ticket.positions.upperBound { return nil }
      if let fatal { return fatal }
      if lock == nil { return closedError }
      if writing {
        monitor.wait(for: .writeRight)
      } else if queue.waiting.isEmpty {
        return foreignTicket(ticket.positions.upperBound)
      } else {
        lead()
      }
    }
  }

  /// Writes all that is queued, in as few commits as possible. Called with the lock while no thread writes; releases
  /// the lock meanwhile.
  func lead() {
    noteClockStep()
    takeRight()
    let taken = queue.take()
    monitor.unlock()
    let begun = observer.start

    var start = CommitQueue.Mark(bytes: 0, lines: 0)
    var failure: StoreError?
    var mark = 0
    while mark < taken.marks.count, failure == nil {
      let next = taken.commitEnd(after: start, from: mark)
      let end = taken.marks[next - 1]
      do throws(StoreError) {
        try writer.commit(start.bytes..<end.bytes, lines: start.lines..<end.lines, of: taken)
        start = end
        mark = next
      } catch {
        failure = error
      }
    }
    if let begun {
      observer.metrics?.record(
        .committed(records: start.lines, bytes: start.bytes, latency: begun.duration(to: .now)))
    }

    monitor.lock()
    if let failure {
      queue.drop(taken, from: start.lines, size: writer.size, because: failure)
      if news.count < 64 { news.append((failure, false)) }
    }
    queue.reuse(taken)
    giveBack()
  }

  /// Gives the right to write back and announces the result. Called with the lock.
  func giveBack() {
    written = writer.size
    synced = max(synced, writer.synced)
    settled = max(settled, writer.settled)
    closedFrames = writer.closed
    keptBytes = writer.keptBytes
    if file !== writer.file { keeper.segmentClosed { [weak self] in self?.settledSize ?? 0 } }
    file = writer.file
    frameOpen = writer.hasOpenFrame
    rollDue = writer.isFull
    if let broken = writer.broken, fatal == nil {
      fatal = broken
      news.append((broken, true))
    }
    lastCommit = Self.now()
    writing = false
    monitor.tell(.writeRight)
    if !waiters.isEmpty || parked || rollDue || !news.isEmpty || written >= signSize { monitor.tell(.work) }
  }

  /// Runs `body` with the right to write, without the lock.
  func withRightThrowing<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    monitor.lock()
    while writing { monitor.wait(for: .writeRight) }
    guard lock != nil else {
      monitor.unlock()
      throw closedError
    }
    takeRight()
    monitor.unlock()
    defer {
      monitor.lock()
      giveBack()
      monitor.unlock()
    }
    return try body()
  }

  func withRight<Result>(_ body: () -> Result) -> Result {
    monitor.lock()
    while writing { monitor.wait(for: .writeRight) }
    defer { monitor.unlock() }
    return body()
  }

  func withMonitor<Result>(_ body: () -> Result) -> Result {
    monitor.lock()
    defer { monitor.unlock() }
    return body()
  }

  func foreignTicket(_ end: UInt64) -> StoreError {
    StoreError(.noSuchPosition, "the ticket is not one of this log", position: end, advice: "ask the log that gave it")
  }

  var closedError: StoreError {
    StoreError(.closed, "the log has been closed", file: layout.root, advice: "open it again")
  }

  func refuseWhereClosed() throws(StoreError) {
    if let fatal { throw fatal }
    if closed { throw closedError }
  }

  /// Takes the right to write, and passes the synced position to the writer. Called with the lock, while no thread
  /// writes.
  func takeRight() {
    writing = true
    writer.synced = max(writer.synced, synced)
    writer.settled = max(writer.settled, settled)
  }

  func withMonitorThrowing<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    monitor.lock()
    defer { monitor.unlock() }
    return try body()
  }
}
