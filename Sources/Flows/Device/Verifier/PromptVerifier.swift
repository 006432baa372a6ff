// Asks the person by the application's own prompt (spec/device.md §19.3).

public import FlowRecording

/// Asks the person by the application's own prompt: a dialog, a page, a phone.
///
/// The prompt has the time that the request says, and no more: when it is over, or the task is cancelled, the question
/// ends at once, and the prompt's task is cancelled so that it can take its dialog away. What it answers later counts
/// nothing.
public struct PromptVerifier: UserVerifier {
  /// What the prompt found.
  public enum Answer: Sendable {
    /// The person is there. The secret is 32 bytes, the same each time, that only their being there releases: from a
    /// token, a keyring that they unlocked, or a PIN by a slow function.
    case verified(secret: [UInt8])
    /// They did not want to.
    case cancelled
    /// They tried, and it was not right.
    case failed
    /// Tried too often; not for now.
    case lockedOut
    /// Nothing is set up.
    case notSetUp
  }

  /// What the prompt verifies by.
  public let capability: VerifierCapability
  private let epoch: @Sendable () -> [UInt8]
  private let timers: any FlowTimers
  let prompt: @Sendable (VerificationRequest) async -> VerificationOutcome

  /// Makes a verifier of a prompt that verifies by itself.
  ///
  /// - Parameters:
  ///   - capability: what it verifies by.
  ///   - epoch: what changes when the enrolled set does; called often, so quick.
  ///   - timers: who ends a question whose time is over.
  ///   - prompt: asks the person.
  public init(
    capability: VerifierCapability, epoch: @escaping @Sendable () -> [UInt8] = { [] },
    timers: any FlowTimers = DispatchTimers(), prompt: @escaping @Sendable (VerificationRequest) async -> Answer
  ) {
    self.capability = capability
    self.epoch = epoch
    self.timers = timers
    self.prompt = { request in
      // As of the beginning: who enrolls a finger while the prompt is open verifies with the next question.
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

  /// Makes a verifier of a prompt that asks for a PIN.
  ///
  /// - Parameters:
  ///   - pin: what PINs are checked against.
  ///   - timers: who ends a question whose time is over.
  ///   - prompt: asks for the PIN; nil if the person did not want to.
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

  /// What the application says of the enrolled set.
  public var enrolmentEpoch: [UInt8] { epoch() }

  /// Asks by the prompt.
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
  /// The case alone: the secret opens keys.
  public var description: String {
    switch self {
    case .verified: "verified"
    case .cancelled: "cancelled"
    case .failed: "failed"
    case .lockedOut: "lockedOut"
    case .notSetUp: "notSetUp"
    }
  }
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A question that ends once, whoever ends it.
private final class Question: Sendable {
  private enum State: Sendable {
    case open
    case awaited(CheckedContinuation<VerificationOutcome, Never>)
    case ended(VerificationOutcome)
    case heard
  }

  private let state = Locked(State.open)

  /// Ends it; only the first end counts.
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

  /// How it ends. To be awaited once.
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
