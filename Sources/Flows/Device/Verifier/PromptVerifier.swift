// Asks the person through the application's own prompt (spec/device.md §19.3).

public import FlowRecording

/// Asks the person through the application's own prompt, such as a dialog, a web page, or a phone.
///
/// The request may limit the prompt's time. When the time is over, or the task is cancelled, the request ends
/// immediately and the prompt's task is cancelled, so that it can close its dialog. A later answer is ignored.
public struct PromptVerifier: UserVerifier {
  /// The result of the prompt.
  public enum Answer: Sendable {
    /// The person is present. The secret is 32 bytes, identical each time, that only the person's presence releases:
    /// for example from a token, from a keyring that they unlocked, or derived slowly from a PIN.
    case verified(secret: [UInt8])
    /// The person cancelled.
    case cancelled
    /// The verification failed.
    case failed
    /// The method is locked temporarily after too many attempts.
    case lockedOut
    /// No method is set up.
    case notSetUp
  }

  /// The method that the prompt uses.
  public let capability: VerifierCapability
  private let epoch: @Sendable () -> [UInt8]
  private let timers: any FlowTimers
  let prompt: @Sendable (VerificationRequest) async -> VerificationOutcome

  /// Creates a verifier from a prompt that verifies the person itself.
  ///
  /// - Parameters:
  ///   - capability: the method that the prompt uses.
  ///   - epoch: returns a value that changes when the enrolled set changes; it is called often and should be quick.
  ///   - timers: the timers that limit how long the prompt may take.
  ///   - prompt: asks the person.
  public init(
    capability: VerifierCapability, epoch: @escaping @Sendable () -> [UInt8] = { [] },
    timers: any FlowTimers = DispatchTimers(), prompt: @escaping @Sendable (VerificationRequest) async -> Answer
  ) {
    self.capability = capability
    self.epoch = epoch
    self.timers = timers
    self.prompt = { request in
      // Read before the prompt: a finger enrolled while the prompt is open counts from the next request.
      let epoch = epoch()
      return switch await prompt(request) {
      case .verified(let secret):
        .verified(VerificationReceipt(method: capability, secret: secret, epoch: epoch))
      case .cancelled: .cancelled
      case .failed: .failed
      case .lockedOut: .lockedOut
      case .notSetUp: .notSetUp
      }
    }
  }

  /// Creates a verifier from a prompt that asks for a PIN.
  ///
  /// - Parameters:
  ///   - pin: the file that PINs are checked against.
  ///   - timers: the timers that limit how long the prompt may take.
  ///   - prompt: asks for the PIN; returns `nil` if the person cancelled.
  public init(
    _ pin: PINFile, timers: any FlowTimers = DispatchTimers(),
    prompt: @escaping @Sendable (VerificationRequest) async -> String?
  ) {
    capability = .pin
    epoch = { pin.epoch }
    self.timers = timers
    self.prompt = { request in
      guard pin.isSet else { return .notSetUp }
      guard let text = await prompt(request) else { return .cancelled }
      do throws(PINError) {
        return .verified(try pin.verify(text))
      } catch {
        return switch error {
        case .lockedOut: .lockedOut
        case .notSet: .notSetUp
        case .wrong, .unavailable, .alreadySet, .unfit: .failed
        }
      }
    }
  }

  /// The enrolled set, as reported by the application.
  public var enrolmentEpoch: [UInt8] { epoch() }

  /// Verifies the person with the prompt.
  public func verify(_ request: VerificationRequest) async -> VerificationOutcome {
    guard capability != .none else { return .notSetUp }
    let question = Question()
    let task = Task { question.end(await prompt(request)) }
    let timer = request.timeLimit.map { limit in
      timers.schedule(milliseconds: Int(clampedMilliseconds: limit)) {
        question.end(.timedOut)
        task.cancel()
      }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await question.outcome()
    } onCancel: {
      question.end(.cancelled)
      task.cancel()
    }
  }
}

extension PromptVerifier.Answer: CustomStringConvertible, CustomReflectable {
  /// Only the case, because the secret opens keys.
  public var description: String {
    switch self {
    case .verified: "verified"
    case .cancelled: "cancelled"
    case .failed: "failed"
    case .lockedOut: "lockedOut"
    case .notSetUp: "notSetUp"
    }
  }
  /// Nothing, because the secret opens keys.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A request that ends exactly once.
private final class Question: Sendable {
  private enum State: Sendable {
    case open
    case awaited(CheckedContinuation<VerificationOutcome, Never>)
    case ended(VerificationOutcome)
    case heard
  }

  private let state = Locked(State.open)

  /// Ends the request; only the first outcome counts.
  func end(_ outcome: VerificationOutcome) {
    let waiter = state.withLock { state -> CheckedContinuation<VerificationOutcome, Never>? in
      switch state {
      case .open:
        state = .ended(outcome)
        return nil
      case .awaited(let continuation):
        state = .heard
        return continuation
      case .ended, .heard: return nil
      }
    }
    waiter?.resume(returning: outcome)
  }

  /// Waits for the outcome. Call this only once.
  func outcome() async -> VerificationOutcome {
    await withCheckedContinuation { continuation in
      let ended = state.withLock { state -> VerificationOutcome? in
        guard case .ended(let outcome) = state else {
          state = .awaited(continuation)
          return nil
        }
        state = .heard
        return outcome
      }
      if let ended { continuation.resume(returning: ended) }
    }
  }
}
