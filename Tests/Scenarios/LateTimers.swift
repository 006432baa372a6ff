public import FlowRecording

/// Timers that fire whoever has stopped them: as one does that has just fired when it is stopped.
public struct LateTimers: FlowTimers {
  private let time: VirtualTime

  /// Timers of `time`.
  public init(_ time: VirtualTime) { self.time = time }

  private struct Running: TimerTask {
    func cancel() {}
  }

  /// Starts a timer that cannot be stopped.
  public func schedule(milliseconds: Int, fire: @escaping @Sendable () -> Void) -> any TimerTask {
    _ = time.schedule(milliseconds: milliseconds, fire: fire)
    return Running()
  }
}
