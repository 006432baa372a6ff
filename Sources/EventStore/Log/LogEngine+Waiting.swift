// Callers that wait for records without blocking a thread: they are called back.

extension LogEngine {
  /// A caller that waits for a ticket.
  struct Waiter {
    /// Identifies it among the waiters.
    var id: UInt64
    /// What it waits for: that the records are written, in mode `each` synced too.
    var ticket: Ticket
    /// Is called once, without the lock.
    var resume: @Sendable (StoreError?) -> Void
  }

  /// How waiting ended.
  enum Answer {
    case passed
    case failed(StoreError)
  }

  /// Adds a waiting caller, and returns the number that `removeWaiter` takes. Called with the lock.
  @discardableResult
  func addWaiter(for ticket: Ticket, _ resume: @escaping @Sendable (StoreError?) -> Void) -> UInt64 {
    nextWaiter += 1
    let id = nextWaiter
    waiters.append(Waiter(id: id, ticket: ticket, resume: resume))
    if waiters.count >= gathering.wakeCount { monitor.tell(.work) }
    return id
  }

  /// The answer for a caller that waits for `ticket`; nil while there is none. Called with the lock.
  func answer(to ticket: Ticket) -> Answer? {
    if let error = queue.error(of: ticket) { return .failed(error) }
    let end = ticket.positions.upperBound
    if written >= end, durability != .each || synced >= end { return .passed }
    // Nothing will be written or synced any more: a caller that waits gets the error, instead of waiting forever.
    if let fatal { return .failed(fatal) }
    if lock == nil { return .failed(closedError) }
    if end > queue.nextPosition { return .failed(foreignTicket(end)) }
    return nil
  }

  func answer(to waiter: Waiter) -> Answer? { answer(to: waiter.ticket) }

  /// Calls back the callers that have an answer, or, with an error, all of them.
  func resumeWaiters(with error: StoreError?) {
    monitor.lock()
    var done: [(waiter: Waiter, error: StoreError?)] = []
    let durable = synced
    waiters.removeAll { waiter in
      switch answer(to: waiter) {
      case .passed: done.append((waiter, nil))
      case .failed(let failure): done.append((waiter, failure))
      case nil:
        guard let error else { return false }
        done.append((waiter, error))
      }
      return true
    }
    monitor.unlock()
    for (waiter, error) in done {
      let positions = waiter.ticket.positions
      if error == nil {
        observer.metrics?.record(.acknowledged(records: positions.count, isDurable: durable >= positions.upperBound))
      }
      waiter.resume(error)
    }
  }

  /// Calls `resume` once the ticket's records are written, in mode `each` synced; at once if they are. Never waits.
  /// Returns the number that `removeWaiter` takes, or nil if `resume` was called.
  func whenPassed(_ ticket: Ticket, _ resume: @escaping @Sendable (StoreError?) -> Void) -> UInt64? {
    monitor.lock()
    let answer = answer(to: ticket)
    guard let answer else {
      defer { monitor.unlock() }
      return addWaiter(for: ticket, resume)
    }
    monitor.unlock()
    if case .failed(let error) = answer { resume(error) } else { resume(nil) }
    return nil
  }

  /// Removes a waiter. False if it is being, or was, called back.
  func removeWaiter(_ id: UInt64) -> Bool {
    withMonitor {
      guard let index = waiters.firstIndex(where: { $0.id == id }) else { return false }
      waiters.remove(at: index)
      return true
    }
  }

  /// The acknowledgement for a ticket whose records are written.
  func acknowledgement(of ticket: Ticket) -> Acknowledgement {
    Acknowledgement(
      positions: ticket.positions, isDurable: withMonitor { synced >= ticket.positions.upperBound },
      isRepeat: ticket.isRepeat)
  }
}
