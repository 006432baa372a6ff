// A person whose answers are known in advance: for tests and demonstrations.

import FlowRecording

/// Answers each question with the next of the answers that it was given. It never waits, except where it is meant to.
public final class ScriptedVerifier: UserVerifier, CustomReflectable {
  /// What the person does.
  public enum Answer: Sendable, Hashable {
    /// Shows that they are there.
    case verified
    /// Does not want to.
    case cancelled
    /// Tries, and it is not right.
    case failed
    /// Has tried too often.
    case lockedOut
    /// Has no PIN or finger set up.
    case notSetUp
    /// Does not answer in time.
    case timedOut
    /// Does nothing until `answer` says what, or until the task is cancelled, which ends the question as `cancelled`.
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

  /// What it verifies by.
  public let capability: VerifierCapability
  private let otherwise: Answer
  private let secret: [UInt8]
  private let state: Locked<State>

  /// Makes a verifier.
  ///
  /// - Parameters:
  ///   - capability: what it verifies by.
  ///   - answers: the answers, first to last.
  ///   - otherwise: the answer once these are used up.
  ///   - epoch: the enrolled set.
  ///   - secret: 32 bytes that its receipts hold. Two verifiers with the same ones open each other's keys.
  public init(
    capability: VerifierCapability = .pin, answers: [Answer] = [], otherwise: Answer = .verified,
    epoch: [UInt8] = [1], secret: [UInt8] = Array(repeating: 7, count: 32)
  ) {
    self.capability = capability
    self.otherwise = otherwise
    self.secret = secret
    state = Locked(State(epoch: epoch, answers: answers))
  }

  /// What it verifies by: the secret of its receipts opens keys.
  public var customMirror: Mirror { Mirror(self, children: ["capability": capability]) }

  /// The enrolled set.
  public var enrolmentEpoch: [UInt8] { state.withLock { $0.epoch } }

  /// Enrolls another finger or PIN: keys that were bound before are invalidated.
  public func setEpoch(_ epoch: [UInt8]) { state.withLock { $0.epoch = epoch } }

  /// What was asked, first to last.
  public var requests: [VerificationRequest] { state.withLock { $0.requests } }

  /// How many questions wait for `answer`.
  public var waiting: Int { state.withLock { $0.waiters.count } }

  /// Answers the oldest question that waits.
  ///
  /// - Parameter answer: what the person does at last; `waits` leaves the question as it is.
  /// - Returns: whether one waited.
  @discardableResult
  public func answer(_ answer: Answer) -> Bool {
    guard answer != .waits else { return waiting > 0 }
    let waiter = state.withLock { $0.waiters.isEmpty ? nil : $0.waiters.removeFirst() }
    waiter?.continuation.resume(returning: answer)
    return waiter != nil
  }

  /// Answers with the next of the answers.
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
