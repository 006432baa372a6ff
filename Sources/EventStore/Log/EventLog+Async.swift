// Appending from asynchronous code: nothing here holds a thread of the cooperative pool while the disk works.
import Dispatch

extension EventLog {
  /// Appends a batch and waits until it is as safe as the log's durability asks for, without holding up the thread.
  ///
  /// Cancellation never loses or splits a batch. A task that is cancelled before the batch is queued appends nothing;
  /// one that is cancelled while it waits stops waiting, and the batch is written all the same. Both throw
  /// `CancellationError`: a caller that must know which one gives the records ids and appends the batch again, which
  /// adds nothing if it is in the log.
  ///
  /// - Throws: `CancellationError`, and `StoreError` as `append(_:expecting:)` and `barrier(_:resume:)` do.
  public func appendAndWait(
    _ batch: [NewRecord], expecting: Expectation = .any
  ) async throws -> Acknowledgement {
    try Task.checkCancellation()
    try OwnRecords.refuse(batch)
    if let ticket = try engine.appendAtOnce(batch, expecting: expecting) { return try await wait(for: ticket) }
    let engine = engine
    let cancellation = Cancellation()
    let result: Result<Ticket?, StoreError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          do throws(StoreError) {
            let ticket = try engine.append(batch, expecting: expecting, unless: cancellation)
            continuation.resume(returning: .success(ticket))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
    guard let ticket = try result.get() else { throw CancellationError() }
    return try await wait(for: ticket)
  }

  /// Waits until a ticket's records are written, with durability `each` synced, without holding up the thread.
  ///
  /// - Throws: `CancellationError` if the task is cancelled meanwhile: the records are written all the same.
  ///   `StoreError` if they are not in the log and never will be under this ticket.
  public func wait(for ticket: Ticket) async throws -> Acknowledgement {
    try Task.checkCancellation()
    let waiting = Awaited(engine: engine)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiting.begin(ticket, $0) }
    } onCancel: {
      waiting.cancel()
    }
    return engine.acknowledgement(of: ticket)
  }
}

/// Whether a task was cancelled that waits for room in the queue.
private final class Cancellation: @unchecked Sendable {  // guarded by `monitor`
  private let monitor = Monitor()
  private var isSet = false

  /// True once `cancel` was called.
  var isCancelled: Bool {
    monitor.lock()
    defer { monitor.unlock() }
    return isSet
  }

  /// Notes that the task was cancelled.
  func cancel() {
    monitor.lock()
    isSet = true
    monitor.unlock()
  }
}

extension LogEngine {
  /// Queues a batch as `append` does. Returns nil, and queues nothing, if the task is cancelled while the queue is full
  /// or something is looked up on disk.
  fileprivate func append(
    _ batch: [NewRecord], expecting: Expectation, unless cancellation: Cancellation
  ) throws(StoreError) -> Ticket? {
    while true {
      waitForRoom(unless: cancellation)
      if cancellation.isCancelled { return nil }
      if let ticket = try appendOrPrepare(batch, expecting: expecting) { return ticket }
    }
  }

  /// Waits, or writes, while the queue is full and the task is not cancelled.
  private func waitForRoom(unless cancellation: Cancellation) {
    monitor.lock()
    defer { monitor.unlock() }
    while queue.isFull, fatal == nil, !closed, !cancellation.isCancelled {
      if writing { monitor.wait(for: .writeRight) } else { lead() }
    }
  }
}

/// One task that waits for a ticket, which may be cancelled before, while and after it is registered.
private final class Awaited: @unchecked Sendable {  // guarded by `monitor`
  private let engine: LogEngine
  private let monitor = Monitor()
  private var continuation: CheckedContinuation<Void, any Error>?
  private var isCancelled = false
  private var waiter: UInt64?

  init(engine: LogEngine) { self.engine = engine }

  func begin(_ ticket: Ticket, _ continuation: CheckedContinuation<Void, any Error>) {
    monitor.lock()
    self.continuation = continuation
    monitor.unlock()
    let id = engine.whenPassed(ticket) { [self] error in finish(with: error) }
    monitor.lock()
    waiter = id
    let isLate = isCancelled
    monitor.unlock()
    if isLate { cancel() }
  }

  func cancel() {
    monitor.lock()
    isCancelled = true
    let id = waiter
    monitor.unlock()
    // If the log is already calling back, its answer counts.
    if let id, engine.removeWaiter(id) { finish(with: CancellationError()) }
  }

  private func finish(with error: (any Error)?) {
    monitor.lock()
    let waiting = continuation
    continuation = nil
    monitor.unlock()
    if let error { waiting?.resume(throwing: error) } else { waiting?.resume() }
  }
}
