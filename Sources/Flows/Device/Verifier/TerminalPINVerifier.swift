// Asks the person for a PIN at a terminal (spec/device.md §19.3).

import Dispatch
public import FlowRecording

/// Asks for a PIN at the terminal of the process.
///
/// Input is not shown, and the terminal is always restored: after an answer, Ctrl-C, a cancelled task, a deadline, or a
/// signal that ends the process. Only SIGKILL, which cannot be caught, leaves it without echo (`stty sane` restores
/// it). Simultaneous requests are handled one at a time. A program that has no terminal, or runs in its background, has
/// the capability `none`, and no request waits.
public struct TerminalPINVerifier: UserVerifier {
  // The requests of a process run one at a time, because they share the terminal and its signals.
  private static let questions = DispatchQueue(label: "flowrecorder.terminal")
  /// How many times the person may try in one request.
  private static let tries = 3

  private let pin: PINFile
  private let path: String
  private let timers: any FlowTimers

  /// Creates a verifier.
  ///
  /// - Parameters:
  ///   - pin: the file that PINs are checked against.
  ///   - terminal: the path of the terminal.
  ///   - timers: the timers that limit how long the person may take.
  public init(_ pin: PINFile, terminal: String = "/dev/tty", timers: any FlowTimers = DispatchTimers()) {
    self.pin = pin
    path = terminal
    self.timers = timers
  }

  /// `pin` if the terminal can be used, otherwise `none`.
  public var capability: VerifierCapability { Terminal(path: path) == nil ? .none : .pin }

  /// Changes whenever the PIN changes.
  public var enrolmentEpoch: [UInt8] { pin.epoch }

  /// Asks for the PIN, up to three times.
  public func verify(_ request: VerificationRequest) async -> VerificationOutcome {
    guard pin.isSet, let wakeup = Wakeup() else { return .notSetUp }
    let timer = request.timeLimit.map { limit in
      timers.schedule(milliseconds: Int(clampedMilliseconds: limit)) { wakeup.wake(.timedOut) }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Self.questions.async { continuation.resume(returning: ask(request, wakeup)) }
      }
    } onCancel: {
      wakeup.wake(.cancelled)
    }
  }

  private func ask(_ request: VerificationRequest, _ wakeup: Wakeup) -> VerificationOutcome {
    if let reason = wakeup.reason { return outcome(reason) }
    guard let terminal = Terminal(path: path) else { return .notSetUp }
    return terminal.silently(wakeup) { question(request, terminal, wakeup) } ?? .failed
  }

  private func question(
    _ request: VerificationRequest, _ terminal: Terminal, _ wakeup: Wakeup
  ) -> VerificationOutcome {
    terminal.show(request.reason)
    terminal.endLine()
    for _ in 0..<Self.tries {
      terminal.show("PIN (Ctrl-C: \(request.cancelTitle ?? "cancel")): ")
      let line = terminal.line(wakeup)
      terminal.endLine()
      switch line {
      case .cancelled: return .cancelled
      case .woken: return outcome(wakeup.reason)
      case .entered(let text):
        do throws(PINError) {
          return .verified(try pin.verify(text))
        } catch {
          if let end = end(error, terminal) { return end }
        }
      }
    }
    return .failed
  }

  /// The outcome after a PIN was rejected; `nil` if the person may try again.
  private func end(_ error: PINError, _ terminal: Terminal) -> VerificationOutcome? {
    switch error {
    case .wrong(let left):
      terminal.show("Wrong PIN. \(left) more before a pause.")
      terminal.endLine()
      return nil
    case .lockedOut(let seconds):
      terminal.show("Too many wrong PINs. Try again in \(seconds) s.")
      terminal.endLine()
      return .lockedOut
    case .notSet: return .notSetUp
    case .unavailable(let reason):
      terminal.show(reason)
      terminal.endLine()
      return .failed
    case .alreadySet, .unfit: return .failed
    }
  }

  private func outcome(_ reason: Wakeup.Reason?) -> VerificationOutcome {
    switch reason {
    case .timedOut: .timedOut
    case .cancelled, nil: .cancelled
    }
  }
}

extension Int {
  /// Converts a time limit in seconds to milliseconds, at most one day; 0 if it has passed or is not a number.
  init(clampedMilliseconds seconds: Double) {
    self = seconds > 0 ? Int((Swift.min(seconds, 86_400) * 1_000).rounded(.up)) : 0
  }
}
