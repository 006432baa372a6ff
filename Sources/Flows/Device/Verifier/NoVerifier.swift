/// The verifier of a program without a way to ask: capability `none`, and each question ends at once.
public struct NoVerifier: UserVerifier {
  /// Makes it.
  public init() {}

  /// Nothing.
  public var capability: VerifierCapability { .none }
  /// Empty: there is no enrolled set.
  public var enrolmentEpoch: [UInt8] { [] }
  /// `notSetUp`, at once.
  public func verify(_ request: VerificationRequest) async -> VerificationOutcome { .notSetUp }
}
