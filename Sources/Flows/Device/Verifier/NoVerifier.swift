/// A verifier for programs that cannot ask: its capability is `none`, and every request ends immediately.
public struct NoVerifier: UserVerifier {
  /// Creates a verifier.
  public init() {}

  /// Always `none`.
  public var capability: VerifierCapability { .none }
  /// Always empty: there is no enrolled set.
  public var enrolmentEpoch: [UInt8] { [] }
  /// Returns `notSetUp` immediately.
  public func verify(_ request: VerificationRequest) async -> VerificationOutcome { .notSetUp }
}
