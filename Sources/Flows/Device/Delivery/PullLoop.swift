// Asking for pending challenges again and again (spec/device.md §12, §19.1).

public import FlowRecording

/// How a pull ended.
public enum PullOutcome: Sendable, Hashable {
  /// The org answered.
  case answered
  /// The org wants fewer requests (429), and says after how many seconds the next may come, or does not say.
  case rateLimited(seconds: Int?)
  /// Anything else: no network, a server error.
  case failed

  /// What an answer of the org means.
  ///
  /// - Parameters:
  ///   - status: its HTTP status.
  ///   - header: the value of one of its headers, by a name in lower case: `retry-after`, `x-rate-limit-reset` and `date`
  ///     are asked for.
  public init(status: Int, header: (String) -> String?) {
    switch status {
    case 200..<300: self = .answered
    case 429: self = .rateLimited(seconds: Self.wait(header))
    default: self = .failed
    }
  }

  /// Seconds by `Retry-After` (RFC 9110 §10.2.3) or by the end of the window, on the server's clock.
  private static func wait(_ header: (String) -> String?) -> Int? {
    let date = header("date").flatMap(HTTPDate.seconds)
    let after = header("retry-after")
    if let seconds = after.flatMap({ Int($0) }), seconds >= 0 { return seconds }
    guard let date, let end = after.flatMap(HTTPDate.seconds) ?? header("x-rate-limit-reset").flatMap({ Int($0) })
    else { return nil }
    let (seconds, isOver) = end.subtractingReportingOverflow(date)
    return isOver ? nil : max(0, seconds)
  }
}

/// Pulls pending challenges of an enrollment until its task is cancelled.
///
/// Pulls come an interval apart, longer or shorter by chance so that many devices do not come at once. A rate limit is
/// waited out; without a time from the org, and after failures, the pause doubles up to a limit.
public struct PullLoop: Sendable {
  /// The longest pause, in seconds, whatever the org says.
  public static let longestPause = 3_600.0
  /// How often the pause doubles after failures.
  private static let mostDoublings = 5

  private let interval: Double
  private let jitter: Double
  private let timers: any FlowTimers
  private let entropy: any Entropy

  /// Makes a loop.
  ///
  /// - Parameters:
  ///   - interval: seconds between the end of a pull and the next, 1 to 3,600.
  ///   - jitter: how much of the interval chance adds or takes, 0 to 1.
  ///   - timers: who waits.
  ///   - entropy: where chance comes from.
  public init(
    interval: Double = 5, jitter: Double = 0.2, timers: any FlowTimers = DispatchTimers(),
    entropy: any Entropy = SystemEntropy()
  ) {
    self.interval = min(max(interval.isNaN ? 1 : interval, 1), Self.longestPause)
    self.jitter = min(max(jitter.isNaN ? 0 : jitter, 0), 1)
    self.timers = timers
    self.entropy = entropy
  }

  /// Pulls until the task is cancelled.
  ///
  /// - Parameter pull: pulls once and handles what came. It ends before the pause begins.
  public func run(_ pull: @Sendable () async -> PullOutcome) async {
    var failures = 0
    while !Task.isCancelled {
      let outcome = await pull()
      failures = outcome == .answered ? 0 : failures + 1
      await wait(milliseconds: pause(after: outcome, failures: failures))
    }
  }

  /// Milliseconds until the next pull.
  func pause(after outcome: PullOutcome, failures: Int) -> Int {
    let usual = interval * (1 + jitter * chance)
    let seconds =
      switch outcome {
      case .answered: usual
      // Not earlier than the org says: chance only adds.
      case .rateLimited(let asked?): max(usual, Double(asked) + interval * jitter * abs(chance))
      case .rateLimited(nil), .failed: usual * Double(1 << min(max(failures, 0), Self.mostDoublings))
      }
    return Int((min(seconds, Self.longestPause) * 1_000).rounded(.up))
  }

  /// From -1 to 1.
  private var chance: Double { Double(entropy.next() >> 11) / Double(1 << 52) - 1 }

  private func wait(milliseconds: Int) async {
    let pause = Pause()
    let timer = timers.schedule(milliseconds: milliseconds) { pause.end() }
    await withTaskCancellationHandler {
      await pause.over()
    } onCancel: {
      pause.end()
    }
    timer.cancel()
  }
}

/// A pause that a timer or a cancelled task ends, whichever is first.
private final class Pause: Sendable {
  private enum State: Sendable {
    case open
    case awaited(CheckedContinuation<Void, Never>)
    case over
  }

  private let state = Locked(State.open)

  func end() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .over }
      if case .awaited(let continuation) = state { return continuation }
      return nil
    }
    waiter?.resume()
  }

  func over() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if case .over = state { return true }
        state = .awaited(continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
  }
}
