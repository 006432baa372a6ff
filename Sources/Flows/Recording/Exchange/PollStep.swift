// The state of a round of polling.

/// What a poll is waiting for: one request or one timer at a time.
public enum PollStep: Sendable, Equatable {
  /// The timer of this revision is running.
  case waiting(timer: Int)
  /// The request of this revision is in progress.
  case requesting(Int)
  /// Its answer was received; the next step is pending, or waits for a rate limit to end.
  case answered

  /// The running timer; nil for none.
  public var timer: Int? { if case .waiting(let timer) = self { timer } else { nil } }
  /// The request in progress; nil for none.
  public var request: Int? { if case .requesting(let request) = self { request } else { nil } }
}
