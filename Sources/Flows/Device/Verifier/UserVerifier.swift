// Who verifies that the person is there (spec/device.md §19.3).

/// Asks the person to show that they are there: a PIN at a terminal, a finger, an application's own prompt.
public protocol UserVerifier: Sendable {
  /// What it can verify by. `none` without a terminal and without a display.
  var capability: VerifierCapability { get }
  /// Changes when the enrolled set changes: another PIN, another finger.
  var enrolmentEpoch: [UInt8] { get }
  /// Asks the person, and returns once they answered, or the deadline passed.
  ///
  /// The answer may come on any thread; a verifier that is cancelled (its task) returns `cancelled`.
  func verify(_ request: VerificationRequest) async -> VerificationOutcome
}

/// What a verifier verifies by.
public enum VerifierCapability: String, Sendable, Hashable, CaseIterable {
  /// Nothing: there is no way to ask.
  case none
  /// A PIN or a password.
  case pin
  /// A fingerprint.
  case fingerprint
  /// A face.
  case face
}

/// What the person is asked.
public struct VerificationRequest: Sendable, Hashable {
  /// Why they are asked; shown.
  public var reason: String
  /// The title of the button that cancels; nil for the verifier's own.
  public var cancelTitle: String?
  /// The title of the button for another way; nil for the verifier's own.
  public var fallbackTitle: String?
  /// Seconds that they have; nil for no limit.
  public var timeLimit: Double?

  /// Makes a request.
  public init(reason: String, cancelTitle: String? = nil, fallbackTitle: String? = nil, timeLimit: Double? = nil) {
    self.reason = reason
    self.cancelTitle = cancelTitle
    self.fallbackTitle = fallbackTitle
    self.timeLimit = timeLimit
  }
}

/// How asking the person ended.
public enum VerificationOutcome: Sendable {
  /// They are there; the receipt unlocks keys that are bound to them.
  case verified(VerificationReceipt)
  /// They did not want to.
  case cancelled
  /// They tried, and it was not right.
  case failed
  /// Tried too often; not for now.
  case lockedOut
  /// No PIN or finger is set up.
  case notSetUp
  /// They did not answer in time.
  case timedOut
}

/// What a verifier releases once the person is verified. It unlocks bound keys, so it is a secret: it prints nothing.
public struct VerificationReceipt: Sendable, CustomStringConvertible, CustomReflectable {
  /// How the person was verified.
  public let method: VerifierCapability
  /// 32 bytes from which the wrapping key of bound keys is derived.
  package let secret: [UInt8]
  /// The enrolled set under which the person was verified: the verifier's `enrolmentEpoch` then. A key that was bound
  /// under another one is `invalidated`.
  public let epoch: [UInt8]

  /// Makes a receipt.
  ///
  /// - Parameters:
  ///   - method: how the person was verified.
  ///   - secret: 32 bytes that only the verified person's verifier can give, the same each time: derived from the PIN by
  ///     a slow function, or unsealed by it.
  ///   - epoch: the verifier's `enrolmentEpoch`; empty for a verifier whose enrolled set never changes.
  public init(method: VerifierCapability, secret: [UInt8], epoch: [UInt8] = []) {
    self.method = method
    self.secret = secret
    self.epoch = epoch
  }

  /// The method alone.
  public var description: String { "VerificationReceipt(\(method.rawValue))" }
  /// The method alone.
  public var customMirror: Mirror { Mirror(self, children: ["method": method]) }
}
