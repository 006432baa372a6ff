// Asks the person for a PIN at a terminal (spec/device.md §19.3).

import Dispatch
public import FlowRecording

/// Asks for a PIN at the terminal of the process.
///
/// What is typed is not shown, and the terminal is as it was after each end: an answer, Ctrl-C, a cancelled task, a
/// deadline, or a signal that ends the process. SIGKILL, which nothing can catch, leaves it silent (`stty sane`). Two
/// questions wait for each other. A program without a terminal, or in its background, has capability `none`, and no
/// question waits.
public struct TerminalPINVerifier: UserVerifier {
  // Questions of one process: they share the terminal and its signals.
  private static let questions = DispatchQueue(label: "flowrecorder.terminal")
  /// How often the person may try in one question.
  private static let tries = 3

  private let pin: PINFile
  private let path: String
  private let timers: any FlowTimers

  /// Makes a verifier.
  ///
  /// - Parameters:
  ///   - pin: what PINs are checked against.
  ///   - terminal: the terminal's path.
  ///   - timers: who ends a question whose time is over.
  public init(_ pin: PINFile, terminal: String = "/dev/tty", timers: any FlowTimers = DispatchTimers()) {
    self.pin = pin
    path = terminal
    self.timers = timers
  }

  /// `pin` if the terminal can be asked, else `none`.
  public var capability: VerifierCapability { Terminal(path: path) == nil ? .none : .pin }

  /// Changes with the PIN.
  public var enrolmentEpoch: [UInt8] { pin.epoch }

  /// Asks for the PIN, three times at most.
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

  /// What a PIN that was not taken means; nil if the person may try again.
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
  /// Milliseconds of a time limit in seconds: 0 for one that is over or is no number, at most a day.
  init(clampedMilliseconds seconds: Double) {
    self = seconds > 0 ? Int((Swift.min(seconds, 86_400) * 1_000).rounded(.up)) : 0
  }
}
