import Dispatch
public import EventStore
public import FlowRecording

/// A clock whose timers fire at once, and are late by nothing: what a person would wait for takes no time.
public final class HurriedTime: FlowClock, FlowTimers {
  private let state: Locked<Timestamp>
  private let queue = DispatchQueue(label: "hurried-time")

  /// A clock that begins at a time.
  public init(start: Timestamp) { state = Locked(start) }

  /// The time, moved on by the timers that have fired.
  public func now() -> Timestamp { state.withLock { $0 } }

  /// Fires soon, and moves the clock on by what it would have waited.
  public func schedule(milliseconds: Int, fire: @escaping @Sendable () -> Void) -> any TimerTask {
    let task = Task()
    queue.async { [state] in
      guard !task.isCancelled.withLock({ $0 }) else { return }
      state.withLock { $0 = Timestamp(microseconds: $0.microseconds + Int64(milliseconds) * 1_000) }
      fire()
    }
    return task
  }

  private final class Task: TimerTask {
    let isCancelled = Locked(false)
    func cancel() { isCancelled.withLock { $0 = true } }
  }
}
