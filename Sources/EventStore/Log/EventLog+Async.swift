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
    let result: Result<Ticket, StoreError> = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        do throws(StoreError) {
          continuation.resume(returning: .success(try engine.append(batch, expecting: expecting)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try await wait(for: try result.get())
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
    // If the log is calling back already, its answer counts.
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
