// A factor must or may be set up (seed «OktaAuthStatusFactorEnroll»).

import EventStore

/// The user must choose a factor and set it up.
open class OktaAuthStatusFactorEnroll: OktaAuthStatus, @unchecked Sendable {
  /// The token of the transaction.
  public var stateToken: String { model.stateToken ?? "" }

  /// The factors that can be set up, in the org's order.
  open var availableFactors: [OktaFactor] { factors }

  /// Whether a factor can be set up.
  open func canEnrollFactor(factor: OktaFactor) -> Bool { factor.canEnroll() }

  /// Whether the user may continue without another factor.
  open func canSkipEnrollment() -> Bool { object.state.transaction.link("skip") != nil }

  /// Continues without another factor.
  ///
  /// - Parameters:
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives `wrongStatus` if the status does not offer this, or another error.
  open func skipEnrollment(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.skipEnrollment, [], onStatusChange, onError)
  }

  /// Continues without another factor.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the status does not offer this.
  open func skipEnrollment() async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .skipEnrollment, [])
  }

  /// Sets a factor up. Each kind of factor needs some of the arguments; a nil argument is not sent.
  ///
  /// - Parameters:
  ///   - factor: one of `availableFactors`.
  ///   - questionId: the key of a security question.
  ///   - answer: the answer to it.
  ///   - credentialId: the id of a token.
  ///   - passCode: the code that a token shows.
  ///   - phoneNumber: the number for text messages or calls.
  ///   - onStatusChange: receives the activation, or what follows a factor that needs none.
  ///   - onError: receives `wrongStatus` if the factor cannot be enrolled, or another error.
  open func enrollFactor(
    factor: OktaFactor, questionId: String?, answer: String?, credentialId: String?, passCode: String?,
    phoneNumber: String?,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(
      .enrollFactor,
      [
        ("factor", .int(factor.index)), ("question", questionId.map(JSON.string)), ("answer", answer.map(JSON.string)),
        ("credentialId", credentialId.map(JSON.string)), ("passCode", passCode.map(JSON.string)),
        ("phoneNumber", phoneNumber.map(JSON.string)),
      ], onStatusChange, onError)
  }

  /// Sets a factor up, with arguments that the seed documents do not have; a nil argument is not sent.
  ///
  /// - Parameters:
  ///   - factor: one of `availableFactors`.
  ///   - questionId: the key of a security question.
  ///   - answer: the answer to it.
  ///   - credentialId: the id of a token.
  ///   - passCode: the code that a token shows.
  ///   - phoneNumber: the number for text messages or calls.
  ///   - phoneExtension: the extension of the number.
  ///   - nextPassCode: the code that the token shows next.
  ///   - updatePhone: whether the number replaces a verified one.
  ///   - onStatusChange: receives the activation, or what follows a factor that needs none.
  ///   - onError: receives `wrongStatus` if the factor cannot be enrolled, or another error.
  public func enrollFactor(
    factor: OktaFactor, questionId: String?, answer: String?, credentialId: String?, passCode: String?,
    phoneNumber: String?, phoneExtension: String? = nil, nextPassCode: String? = nil, updatePhone: Bool? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(
      .enrollFactor,
      [
        ("factor", .int(factor.index)), ("question", questionId.map(JSON.string)), ("answer", answer.map(JSON.string)),
        ("credentialId", credentialId.map(JSON.string)), ("passCode", passCode.map(JSON.string)),
        ("phoneNumber", phoneNumber.map(JSON.string)), ("phoneExtension", phoneExtension.map(JSON.string)),
        ("nextPassCode", nextPassCode.map(JSON.string)), ("updatePhone", updatePhone.map(JSON.bool)),
      ], onStatusChange, onError)
  }

  /// Sets a factor up. Each kind of factor needs some of the arguments; a nil argument is not sent.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the factor cannot be enrolled.
  open func enrollFactor(
    factor: OktaFactor, questionId: String?, answer: String?, credentialId: String?, passCode: String?,
    phoneNumber: String?, phoneExtension: String? = nil, nextPassCode: String? = nil, updatePhone: Bool? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .enrollFactor,
      [
        ("factor", .int(factor.index)), ("question", questionId.map(JSON.string)), ("answer", answer.map(JSON.string)),
        ("credentialId", credentialId.map(JSON.string)), ("passCode", passCode.map(JSON.string)),
        ("phoneNumber", phoneNumber.map(JSON.string)), ("phoneExtension", phoneExtension.map(JSON.string)),
        ("nextPassCode", nextPassCode.map(JSON.string)), ("updatePhone", updatePhone.map(JSON.bool)),
      ])
  }
}
