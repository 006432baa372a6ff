// The timer seam: polling and retries wait here.

import Dispatch

/// A timer that has been started.
public protocol TimerTask: Sendable {
  /// Stops the timer. Has no effect if it has already fired.
  func cancel()
}

/// Runs one-shot timers.
public protocol FlowTimers: Sendable {
  /// Starts a timer.
  ///
  /// - Parameters:
  ///   - milliseconds: the delay, 0 or more.
  ///   - fire: called at most once, on a thread of the implementation, never from inside `schedule`.
  func schedule(milliseconds: Int, fire: @escaping @Sendable () -> Void) -> any TimerTask
}

/// Timers of libdispatch.
public struct DispatchTimers: FlowTimers {
  private static let queue = DispatchQueue(label: "flowrecorder.timers")

  /// Makes the seam.
  public init() {}

  /// Starts a timer on a queue of its own.
  public func schedule(milliseconds: Int, fire: @escaping @Sendable () -> Void) -> any TimerTask {
    let item = DispatchWorkItem(block: fire)
    DispatchTimers.queue.asyncAfter(deadline: .now() + .milliseconds(max(0, milliseconds)), execute: item)
    return DispatchTimer(item: item)
  }
}

/// A timer of libdispatch. `@unchecked`: `DispatchWorkItem.cancel` may be called from any thread.
private struct DispatchTimer: TimerTask, @unchecked Sendable {
  let item: DispatchWorkItem

  func cancel() { item.cancel() }
}
