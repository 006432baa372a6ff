// A clock and timers that advance only on request: a five-minute poll takes no time, and the order is fixed.

public import EventStore

/// Virtual time: a consistent clock and timer seam.
public final class VirtualTime: FlowClock, FlowTimers {
  private struct Entry {
    var id: Int
    var due: Timestamp
    var fire: @Sendable () -> Void
  }

  private struct Waiter {
    var id: Int
    var count: Int
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var now: Timestamp
    var entries: [Entry] = []
    var lastID = 0
    var waiters: [Waiter] = []
  }

  private let state: Locked<State>

  /// Starts time at an instant.
  public init(start: Timestamp) { state = Locked(State(now: start)) }

  /// The virtual time.
  public func now() -> Timestamp { state.withLock { $0.now } }

  /// How many timers run.
  public var pending: Int { state.withLock { $0.entries.count } }

  /// Milliseconds until the next timer fires, rounded up; nil while none runs.
  public var untilNextTimer: Int? {
    state.withLock { state in
      guard let due = state.entries.map(\.due).min() else { return nil }
      let (microseconds, isOver) = due.microseconds.subtractingReportingOverflow(state.now.microseconds)
      return isOver ? nil : Int(max(0, microseconds / 1000 + (microseconds % 1000 > 0 ? 1 : 0)))
    }
  }

  /// Starts a timer; it fires from inside `advance`.
  public func schedule(milliseconds: Int, fire: @escaping @Sendable () -> Void) -> any TimerTask {
    let (id, ready) = state.withLock { state in
      state.lastID += 1
      let due = Timestamp(microseconds: state.now.microseconds + Int64(milliseconds) * 1000)
      state.entries.append(Entry(id: state.lastID, due: due, fire: fire))
      let count = state.entries.count
      let ready = state.waiters.filter { $0.count <= count }
      state.waiters.removeAll { $0.count <= count }
      return (state.lastID, ready)
    }
    for waiter in ready { waiter.continuation.resume(returning: true) }
    return VirtualTimer(time: self, id: id)
  }

  /// Waits until this many timers are running.
  ///
  /// - Returns: false if the task was cancelled before.
  @discardableResult
  public func waitForTimers(_ count: Int = 1) async -> Bool {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if state.entries.count >= count { return true }
          if Task.isCancelled { return false }
          state.waiters.append(Waiter(id: id, count: count, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.first { $0.id == id }
        state.waiters.removeAll { $0.id == id }
        return waiter
      }
      waiter?.continuation.resume(returning: false)
    }
  }

  /// Advances time, firing the timers that come due, in the order of their times.
  public func advance(milliseconds: Int) {
    let target = state.withLock { Timestamp(microseconds: $0.now.microseconds + Int64(milliseconds) * 1000) }
    while let fire = popDue(until: target) { fire() }
    state.withLock { $0.now = max($0.now, target) }
  }

  private func popDue(until target: Timestamp) -> (@Sendable () -> Void)? {
    state.withLock { state in
      let due = state.entries.filter { $0.due <= target }.min { ($0.due, $0.id) < ($1.due, $1.id) }
      guard let due else { return nil }
      state.entries.removeAll { $0.id == due.id }
      state.now = max(state.now, due.due)
      return due.fire
    }
  }

  fileprivate func cancel(_ id: Int) {
    state.withLock { $0.entries.removeAll { $0.id == id } }
  }
}

private struct VirtualTimer: TimerTask {
  let time: VirtualTime
  let id: Int

  func cancel() { time.cancel(id) }
}
