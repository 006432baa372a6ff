// Verifies that the person is present (spec/device.md §19.3).

/// Asks the person to prove their presence, for example with a PIN at a terminal, a fingerprint, or an application's
/// own prompt.
public protocol UserVerifier: Sendable {
  /// The method of verification; `none` if there is neither a terminal nor a display.
  var capability: VerifierCapability { get }
  /// Changes when the enrolled set changes, for example after a new PIN or finger was enrolled.
  var enrolmentEpoch: [UInt8] { get }
  /// Asks the person. Returns after they have answered or the time limit has passed.
  ///
  /// The answer may arrive on any thread. If the task is cancelled, the verifier returns `cancelled`.
  func verify(_ request: VerificationRequest) async -> VerificationOutcome
}

/// The method that a verifier uses.
public enum VerifierCapability: String, Sendable, Hashable, CaseIterable {
  /// No method: there is no way to ask.
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
  /// Why the person is asked. This text is shown.
  public var reason: String
  /// The title of the cancel button; `nil` for the verifier's default.
  public var cancelTitle: String?
  /// The title of the button for another method; `nil` for the verifier's default.
  public var fallbackTitle: String?
  /// The time limit in seconds; `nil` for none.
  public var timeLimit: Double?

  /// Creates a request.
  public init(reason: String, cancelTitle: String? = nil, fallbackTitle: String? = nil, timeLimit: Double? = nil) {
    self.reason = reason
    self.cancelTitle = cancelTitle
    self.fallbackTitle = fallbackTitle
    self.timeLimit = timeLimit
  }
}

/// The outcome of asking the person.
public enum VerificationOutcome: Sendable {
  /// The person is present. The receipt unlocks the keys that are bound to them.
  case verified(VerificationReceipt)
  /// The person cancelled.
  case cancelled
  /// The verification failed.
  case failed
  /// The method is locked temporarily after too many attempts.
  case lockedOut
  /// No PIN or finger is set up.
  case notSetUp
  /// The person did not answer in time.
  case timedOut
}

/// What a verifier releases after verifying the person. It unlocks bound keys and is therefore a secret that is never
/// printed.
public struct VerificationReceipt: Sendable, CustomStringConvertible, CustomReflectable {
  /// How the person was verified.
  public let method: VerifierCapability
  /// The 32 bytes from which the wrapping key of bound keys is derived.
  package let secret: [UInt8]
  /// The verifier's `enrolmentEpoch` at the time of the verification. A key that was bound under a different epoch is
  /// `invalidated`.
  public let epoch: [UInt8]

  /// Creates a receipt.
  ///
  /// - Parameters:
  ///   - method: how the person was verified.
  ///   - secret: 32 bytes, identical each time, that only a successful verification yields: for example derived slowly
  ///     from the PIN, or unsealed with it.
  ///   - epoch: the verifier's `enrolmentEpoch`; empty if its enrolled set never changes.
  public init(method: VerifierCapability, secret: [UInt8], epoch: [UInt8] = []) {
    self.method = method
    self.secret = secret
    self.epoch = epoch
  }

  /// The method only.
  public var description: String { "VerificationReceipt(\(method.rawValue))" }
  /// The method only.
  public var customMirror: Mirror { Mirror(self, children: ["method": method]) }
}
