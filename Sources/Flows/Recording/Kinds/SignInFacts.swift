// What lists and reports say of a sign-in, in words that are the same for all kinds of flow.

public import EventStore

/// One attempt to prove a person's identity.
public struct FactorTry: Sendable, Hashable {
  /// By which factor.
  public var factor: FactorName
  /// When it was asked for, or answered if nothing asked.
  public var began: Timestamp
  /// When it ended; nil while it goes on.
  public var ended: Timestamp?
  /// Why it failed; nil if it succeeded, or goes on.
  public var failure: FailureReason?

  /// An attempt that goes on.
  public init(_ factor: FactorName, began: Timestamp) {
    self.factor = factor
    self.began = began
  }

  /// Whether it goes on.
  public var isOpen: Bool { ended == nil }
  /// Whether the org took it.
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
    /// The account was made.
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

  /// A change.
  public init(kind: Kind, factor: FactorName?, at: Timestamp) {
    self.kind = kind
    self.factor = factor
    self.at = at
  }
}

/// What a list of flows says of a sign-in. A kind fills it in as it reads the events (`FlowKind.note`).
public struct SignInFacts: Sendable, Equatable {
  /// What a flow is for.
  public enum Purpose: String, Sendable, Hashable, CaseIterable {
    /// A person signs in.
    case signIn
    /// A password is lost.
    case recovery
    /// An account is locked.
    case unlock
    /// An account is made.
    case registration
    /// A device is set up, changed or removed.
    case enrollment
    /// A device answers a challenge.
    case challenge
    /// Tokens are renewed, asked about or revoked.
    case tokens
  }

  /// Where the sign-in stands, in the kind's own word.
  public var status: String? {
    didSet { if let status, status != oldValue, path.last != status { path.append(status) } }
  }
  /// The statuses so far, each as it was reached.
  public package(set) var path: [String] = []
  /// The login as it was typed. It counts more than what the org says: an org does not choose who is said to have
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
  /// How often the flow was set back, by reason.
  public package(set) var setbacks: [FailureReason: Int] = [:]
  /// Why the flow does not go on; nil while the last thing that happened went well.
  public package(set) var standing: FailureReason?
  /// Errors that the org showed to the person, by their codes.
  public package(set) var shown: [String: Int] = [:]
  /// What a kind has to remember from one event to the next, by its own names; of no meaning to readers.
  public var memory: [String: String] = [:]
  /// The time of the event that is being noted.
  public package(set) var now = Timestamp(microseconds: 0)

  /// Nothing is known.
  public init() {}

  /// The factors that were tried, in order; the same one again does not count.
  public var factors: [String] {
    tries.reduce(into: []) { if $0.last != $1.factor.rawValue { $0.append($1.factor.rawValue) } }
  }

  /// The attempt that goes on.
  public var openTry: FactorTry? { tries.last.flatMap { $0.isOpen ? $0 : nil } }

  /// Whether the last attempt is one by password.
  public var isPassword: Bool { tries.last?.factor == .password }

  /// An attempt begins. If one by the same factor goes on, it is that one; another one was given up.
  public mutating func begin(_ factor: FactorName) {
    if let open = openTry {
      guard open.factor != factor else { return }
      end(.abandoned)
    }
    tries.append(FactorTry(factor, began: now))
  }

  /// What goes on was sent to the person anew: an attempt of its own, and the one before was not answered.
  public mutating func sendAgain(_ factor: FactorName) {
    guard openTry?.factor == factor else { return }
    end(.abandoned)
    tries.append(FactorTry(factor, began: now))
  }

  /// What went on has succeeded.
  public mutating func succeed() {
    end(nil)
    standing = nil
  }

  /// The flow was set back. An attempt that goes on has failed.
  ///
  /// - Parameters:
  ///   - reason: why.
  ///   - code: the code of the error, if the org showed one and no call fails with it.
  public mutating func fail(_ reason: FailureReason, code: String? = nil) {
    end(reason)
    setbacks[reason, default: 0] += 1
    standing = reason
    if let code { shown[code, default: 0] += 1 }
  }

  /// A call ended with an error.
  ///
  /// - Parameters:
  ///   - error: the error's code.
  ///   - details: what stands beside it in `call.returned`.
  package mutating func fail(error: String, details: JSON) {
    fail(FailureReason(error: error, details: details, isPassword: isPassword))
  }

  /// The attempt that goes on was given up for another.
  public mutating func giveUp() { end(.abandoned) }

  /// An account has changed.
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
  /// How a flow ended, as lists and reports say it: one that was let go of after a failure has failed, whatever its
  /// kind.
  ///
  /// - Parameter ended: the outcome as it stands in the log.
  package func outcome(of ended: String) -> String {
    guard ["abandoned", "terminal"].contains(ended), let standing else { return ended }
    return standing == .locked ? "lockedOut" : "failed"
  }
}
