// Where a round of polling stands.

/// What a poll waits for: one request or one timer at a time.
public enum PollStep: Sendable, Equatable {
  /// The timer of this revision runs.
  case waiting(timer: Int)
  /// The request of this revision is under way.
  case requesting(Int)
  /// Its answer has come; what follows has not, or waits for a rate limit to end.
  case answered

  /// The timer that runs; nil for none.
  public var timer: Int? { if case .waiting(let timer) = self { timer } else { nil } }
  /// The request under way; nil for none.
  public var request: Int? { if case .requesting(let request) = self { request } else { nil } }
}
