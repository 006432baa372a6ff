// A verifier with scripted answers, for tests and demonstrations.

import FlowRecording

/// Returns the given answers one after the other. It never waits, unless an answer is `waits`.
public final class ScriptedVerifier: UserVerifier, CustomReflectable {
  /// The person's reaction.
  public enum Answer: Sendable, Hashable {
    /// The person verifies successfully.
    case verified
    /// The person cancels.
    case cancelled
    /// The verification fails.
    case failed
    /// The method is locked after too many attempts.
    case lockedOut
    /// No PIN or finger is set up.
    case notSetUp
    /// The person does not answer in time.
    case timedOut
    /// The request waits until `answer` is called, or until the task is cancelled, which ends it with `cancelled`.
    case waits
  }

  private struct Waiter {
    var id: Int
    var continuation: CheckedContinuation<Answer, Never>
  }

  private struct State {
    var epoch: [UInt8]
    var answers: [Answer]
    var requests: [VerificationRequest] = []
    var waiters: [Waiter] = []
    var lastID = 0
  }

  /// The method that it reports.
  public let capability: VerifierCapability
  private let otherwise: Answer
  private let secret: [UInt8]
  private let state: Locked<State>

  /// Creates a verifier.
  ///
  /// - Parameters:
  ///   - capability: the method to report.
  ///   - answers: the answers, in order.
  ///   - otherwise: the answer after these are used up.
  ///   - epoch: the enrolled set.
  ///   - secret: the 32-byte secret of its receipts. Verifiers with the same secret open each other's keys.
  public init(
    capability: VerifierCapability = .pin, answers: [Answer] = [], otherwise: Answer = .verified,
    epoch: [UInt8] = [1], secret: [UInt8] = Array(repeating: 7, count: 32)
  ) {
    self.capability = capability
    self.otherwise = otherwise
    self.secret = secret
    state = Locked(State(epoch: epoch, answers: answers))
  }

  /// The capability only, because the secret of its receipts opens keys.
  public var customMirror: Mirror { Mirror(self, children: ["capability": capability]) }

  /// The enrolled set.
  public var enrolmentEpoch: [UInt8] { state.withLock { $0.epoch } }

  /// Changes the enrolled set, which invalidates keys that were bound before.
  public func setEpoch(_ epoch: [UInt8]) { state.withLock { $0.epoch = epoch } }

  /// The requests so far, in order.
  public var requests: [VerificationRequest] { state.withLock { $0.requests } }

  /// How many requests are waiting for `answer`.
  public var waiting: Int { state.withLock { $0.waiters.count } }

  /// Answers the oldest waiting request.
  ///
  /// - Parameter answer: the person's reaction; `waits` leaves the request waiting.
  /// - Returns: whether a request was waiting.
  @discardableResult
  public func answer(_ answer: Answer) -> Bool {
    guard answer != .waits else { return waiting > 0 }
    let waiter = state.withLock { $0.waiters.isEmpty ? nil : $0.waiters.removeFirst() }
    waiter?.continuation.resume(returning: answer)
    return waiter != nil
  }

  /// Returns the next answer.
  public func verify(_ request: VerificationRequest) async -> VerificationOutcome {
    guard capability != .none else { return .notSetUp }
    let next = state.withLock { state in
      state.requests.append(request)
      return state.answers.isEmpty ? otherwise : state.answers.removeFirst()
    }
    guard !Task.isCancelled else { return .cancelled }
    return outcome(next == .waits ? await waited() : next)
  }

  private func outcome(_ answer: Answer) -> VerificationOutcome {
    switch answer {
    case .verified: .verified(VerificationReceipt(method: capability, secret: secret, epoch: enrolmentEpoch))
    case .cancelled, .waits: .cancelled
    case .failed: .failed
    case .lockedOut: .lockedOut
    case .notSetUp: .notSetUp
    case .timedOut: .timedOut
    }
  }

  private func waited() async -> Answer {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          guard !Task.isCancelled else { return true }
          state.waiters.append(Waiter(id: id, continuation: continuation))
          return false
        }
        if isCancelled { continuation.resume(returning: .cancelled) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.first { $0.id == id }
        state.waiters.removeAll { $0.id == id }
        return waiter
      }
      waiter?.continuation.resume(returning: .cancelled)
    }
  }
}
