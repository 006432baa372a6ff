// What lists and reports show of a sign-in, in words that are the same for all kinds of flow.

public import EventStore

/// One attempt to prove a person's identity.
public struct FactorTry: Sendable, Hashable {
  /// The factor.
  public var factor: FactorName
  /// When it was requested, or answered if it was not requested.
  public var began: Timestamp
  /// When it ended; nil while it is in progress.
  public var ended: Timestamp?
  /// Why it failed; nil if it succeeded or is in progress.
  public var failure: FailureReason?

  /// Makes an attempt that is in progress.
  public init(_ factor: FactorName, began: Timestamp) {
    self.factor = factor
    self.began = began
  }

  /// Whether it is in progress.
  public var isOpen: Bool { ended == nil }
  /// Whether the org accepted it.
  public var isVerified: Bool { ended != nil && failure == nil }
}

/// A change of an account that a flow made.
public struct AccountChange: Sendable, Hashable {
  /// What changed.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The person gave the old password and a new one.
    case passwordChanged
    /// A new password was set without the old one.
    case passwordReset
    /// The account was unlocked.
    case unlocked
    /// The account was created.
    case registered
    /// A factor was set up.
    case factorEnrolled
    /// A factor was removed.
    case factorRemoved
  }

  /// What changed.
  public var kind: Kind
  /// The factor concerned, if it is about one.
  public var factor: FactorName?
  /// When.
  public var at: Timestamp

  /// Creates a fact.
  public init(kind: Kind, factor: FactorName?, at: Timestamp) {
    self.kind = kind
    self.factor = factor
    self.at = at
  }
}

/// What a list of flows shows of a sign-in. A kind fills it in as it reads the events (`FlowKind.note`).
public struct SignInFacts: Sendable, Equatable {
  /// What a flow is for.
  public enum Purpose: String, Sendable, Hashable, CaseIterable {
    /// A person signs in.
    case signIn
    /// Recovering from a lost password.
    case recovery
    /// Unlocking an account.
    case unlock
    /// Creating an account.
    case registration
    /// Setting up, changing or removing a device.
    case enrollment
    /// Answering a challenge on a device.
    case challenge
    /// Renewing, introspecting or revoking tokens.
    case tokens
  }

  /// The current status of the sign-in, in the kind's vocabulary.
  public var status: String? {
    didSet { if let status, status != oldValue, path.last != status { path.append(status) } }
  }
  /// The statuses so far, in the order in which they were reached.
  public package(set) var path: [String] = []
  /// The login as it was typed. It takes precedence over the org's: an org must not determine who is reported to have
  /// signed in.
  public var typed: String?
  /// The login as the org knows it.
  public var login: String?
  /// What the flow is for.
  public var purpose: Purpose?
  /// The attempts, in order.
  public package(set) var tries: [FactorTry] = []
  /// The changes of accounts, in order.
  public package(set) var changes: [AccountChange] = []
  /// The number of setbacks of the flow, by reason.
  public package(set) var setbacks: [FailureReason: Int] = [:]
  /// Why the flow does not proceed; nil if its last step succeeded.
  public package(set) var standing: FailureReason?
  /// Errors that the org showed to the person, by code.
  public package(set) var shown: [String: Int] = [:]
  /// What a kind needs to remember between events, under names that it chooses; meaningless to readers.
  public var memory: [String: String] = [:]
  /// The time of the event that is being processed.
  public package(set) var now = Timestamp(microseconds: 0)

  /// Makes facts without any content.
  public init() {}

  /// The factors that were tried, in order; consecutive attempts by the same one are listed once.
  public var factors: [String] {
    tries.reduce(into: []) { if $0.last != $1.factor.rawValue { $0.append($1.factor.rawValue) } }
  }

  /// The attempt in progress.
  public var openTry: FactorTry? { tries.last.flatMap { $0.isOpen ? $0 : nil } }

  /// Whether the last attempt is by password.
  public var isPassword: Bool { tries.last?.factor == .password }

  /// Begins an attempt. If one with the same factor is in progress, it continues; one with another factor is abandoned.
  public mutating func begin(_ factor: FactorName) {
    if let open = openTry {
      guard open.factor != factor else { return }
      end(.abandoned)
    }
    tries.append(FactorTry(factor, began: now))
  }

  /// Begins a new attempt because the request was sent again; the one before was not answered.
  public mutating func sendAgain(_ factor: FactorName) {
    guard openTry?.factor == factor else { return }
    end(.abandoned)
    tries.append(FactorTry(factor, began: now))
  }

  /// Ends the attempt in progress as a success.
  public mutating func succeed() {
    end(nil)
    standing = nil
  }

  /// Records a setback of the flow. An attempt in progress has failed.
  ///
  /// - Parameters:
  ///   - reason: why.
  ///   - code: the code of the error, if the org showed one and no call failed with it.
  public mutating func fail(_ reason: FailureReason, code: String? = nil) {
    end(reason)
    setbacks[reason, default: 0] += 1
    standing = reason
    if let code { shown[code, default: 0] += 1 }
  }

  /// Records that a call ended with an error.
  ///
  /// - Parameters:
  ///   - error: the error's code.
  ///   - details: the details in `call.returned`.
  package mutating func fail(error: String, details: JSON) {
    fail(FailureReason(error: error, details: details, isPassword: isPassword))
  }

  /// Ends the attempt in progress as abandoned for another one.
  public mutating func giveUp() { end(.abandoned) }

  /// Records a change of an account.
  public mutating func changed(_ kind: AccountChange.Kind, factor: FactorName? = nil) {
    changes.append(AccountChange(kind: kind, factor: factor, at: now))
  }

  private mutating func end(_ failure: FailureReason?) {
    guard let index = tries.indices.last, tries[index].isOpen else { return }
    tries[index].ended = now
    tries[index].failure = failure
  }
}

extension SignInFacts {
  /// How a flow ended, as shown in lists and reports: a flow abandoned after a failure has failed, whatever its kind.
  ///
  /// - Parameter ended: the outcome as recorded.
  package func outcome(of ended: String) -> String {
    guard ["abandoned", "terminal"].contains(ended), let standing else { return ended }
    return standing == .locked ? "lockedOut" : "failed"
  }
}
