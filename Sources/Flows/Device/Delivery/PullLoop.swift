// Polls for pending challenges (spec/device.md §12, §19.1).

public import FlowRecording

/// The result of a pull.
public enum PullOutcome: Sendable, Hashable {
  /// The org answered.
  case answered
  /// The org limits requests (429). The value is the number of seconds until the next request is allowed, if the org
  /// reported it.
  case rateLimited(seconds: Int?)
  /// The pull failed in another way, such as no network or a server error.
  case failed

  /// Derives the outcome from the org's response.
  ///
  /// - Parameters:
  ///   - status: the HTTP status.
  ///   - header: returns the value of a header. It is called with the lowercase names `retry-after`,
  ///     `x-rate-limit-reset`, and `date`.
  public init(status: Int, header: (String) -> String?) {
    switch status {
    case 200..<300: self = .answered
    case 429: self = .rateLimited(seconds: Self.wait(header))
    default: self = .failed
    }
  }

  /// The seconds to wait, from `Retry-After` (RFC 9110 §10.2.3) or from the end of the rate limit window, by the
  /// server's clock.
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

/// Pulls the pending challenges of an enrollment until its task is cancelled.
///
/// Pulls are one interval apart, with random jitter so that many devices do not poll at the same moment. After a rate
/// limit, the loop waits as long as the org asks. If the org gives no time, and after failures, the pause doubles up to
/// a limit.
public struct PullLoop: Sendable {
  /// The longest pause, in seconds, no matter what the org asks for.
  public static let longestPause = 3_600.0
  /// How many times the pause doubles after failures.
  private static let mostDoublings = 5

  private let interval: Double
  private let jitter: Double
  private let timers: any FlowTimers
  private let entropy: any Entropy

  /// Creates a loop.
  ///
  /// - Parameters:
  ///   - interval: the number of seconds between the end of a pull and the next pull, from 1 to 3,600.
  ///   - jitter: the fraction of the interval that may be added or subtracted at random, from 0 to 1.
  ///   - timers: the timer service that schedules the pauses.
  ///   - entropy: the source of randomness for the jitter.
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
  /// - Parameter pull: pulls once and handles the challenges received. The pause begins after it returns.
  public func run(_ pull: @Sendable () async -> PullOutcome) async {
    var failures = 0
    while !Task.isCancelled {
      let outcome = await pull()
      failures = outcome == .answered ? 0 : failures + 1
      await wait(milliseconds: pause(after: outcome, failures: failures))
    }
  }

  /// The pause before the next pull, in milliseconds.
  func pause(after outcome: PullOutcome, failures: Int) -> Int {
    let usual = interval * (1 + jitter * chance)
    let seconds =
      switch outcome {
      case .answered: usual
      // Never earlier than the org allows: jitter only adds time.
      case .rateLimited(let asked?): max(usual, Double(asked) + interval * jitter * abs(chance))
      case .rateLimited(nil), .failed: usual * Double(1 << min(max(failures, 0), Self.mostDoublings))
      }
    return Int((min(seconds, Self.longestPause) * 1_000).rounded(.up))
  }

  /// A random number from -1 to 1.
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

/// A pause that ends when its timer fires or its task is cancelled, whichever happens first.
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
