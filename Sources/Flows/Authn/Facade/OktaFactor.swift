// The factors of a status (seed «Factor classes», authn §7).

public import EventStore
import FlowRecording

/// A factor of a status object. Downcast to the class of its `type`.
open class OktaFactor: @unchecked Sendable {
  // `@unchecked`: an open class of immutable members; a subclass is responsible for what it adds.
  package let object: AuthnObject
  package let index: Int
  /// The status object that made the factor.
  private weak var owner: OktaAuthStatus?

  package init(_ owner: OktaAuthStatus, index: Int) {
    object = owner.object
    self.owner = owner
    self.index = index
  }

  /// Makes the factors of a status, in the org's order.
  static func all(of status: OktaAuthStatus) -> [OktaFactor] {
    status.object.state.transaction.factors.enumerated().map { make(status, index: $0, $1) }
  }

  private static func make(_ status: OktaAuthStatus, index: Int, _ factor: JSON) -> OktaFactor {
    switch FactorType(raw: factor["factorType"]?.string ?? "") {
    case .question: OktaFactorQuestion(status, index: index)
    case .sms: OktaFactorSms(status, index: index)
    case .call: OktaFactorCall(status, index: index)
    case .push: OktaFactorPush(status, index: index)
    case .TOTP: OktaFactorTotp(status, index: index)
    case .token: OktaFactorToken(status, index: index)
    case .tokenHardware, .web, .u2f, .email, .unknown: OktaFactorOther(status, index: index)
    }
  }

  /// The factor as the org sent it.
  public var json: JSON {
    let factors = object.factors
    return factors.indices.contains(index) ? factors[index] : [:]
  }

  /// The factor as the answer shows it.
  public var factor: EmbeddedResponse.Factor { EmbeddedResponse.Factor(object: json) }
  /// The factor's id; `nil` while it is not set up.
  public var id: String? { factor.id }
  /// The factor's kind.
  public var type: FactorType { factor.factorType }
  /// The factor's maker; `nil` if the org does not report it.
  public var provider: FactorProvider? { factor.provider }
  /// The maker's display name.
  public var vendorName: String? { factor.vendorName }
  /// What the org knows about the factor: a masked phone number, a device's name.
  public var profile: EmbeddedResponse.Factor.Profile? { factor.profile }

  /// The factor's own links.
  public var links: LinksResponse? { factor.links }
  /// `NOT_SETUP`, `ACTIVE`, `PENDING_ACTIVATION`; `nil` if the org does not report it.
  public var status: String? { factor.status }
  /// `REQUIRED`, `OPTIONAL`, `NOT_REQUIRED`; `nil` if the org does not report it.
  public var enrollment: String? { factor.enrollment }

  private func isIn(_ status: String) -> Bool { object.state.current?.status == status }

  /// Whether the factor can be set up: it has a link for enrollment.
  public func canEnroll() -> Bool { links?.enroll != nil }

  /// Whether the factor is being set up and can be activated.
  public func canActivate() -> Bool {
    isIn(AuthnVocabulary.enrollActivate) && object.state.transaction.link("next") != nil
  }

  /// Whether the factor can be selected: it has a link for verification.
  public func canSelect() -> Bool { links?.verify != nil }

  /// Whether the factor is being challenged and can be verified.
  public func canVerify() -> Bool {
    isIn(AuthnVocabulary.challenge) && object.state.transaction.link("next") != nil
  }

  // MARK: Operations of any factor

  /// Sets the factor up. Each kind of factor needs some of the arguments; a `nil` argument is not sent.
  ///
  /// - Parameters:
  ///   - questionId: the key of a security question.
  ///   - answer: the answer to it.
  ///   - credentialId: the id of a token.
  ///   - passCode: the code that a token shows.
  ///   - phoneNumber: the number for text messages or calls.
  ///   - onStatusChange: receives the activation, or what follows a factor that needs none.
  ///   - onError: receives `wrongStatus` if the factor cannot be enrolled, or another error.
  public func enroll(
    questionId: String?, answer: String?, credentialId: String?, passCode: String?, phoneNumber: String?,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(
      .enrollFactor, enrolment(questionId, answer, credentialId, passCode, phoneNumber), onStatusChange, onError)
  }

  /// Sets the factor up. Each kind of factor needs some of the arguments; a `nil` argument is not sent.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the factor cannot be enrolled.
  public func enroll(
    questionId: String?, answer: String?, credentialId: String?, passCode: String?, phoneNumber: String?
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .enrollFactor, enrolment(questionId, answer, credentialId, passCode, phoneNumber))
  }

  private func enrolment(
    _ questionId: String?, _ answer: String?, _ credentialId: String?, _ passCode: String?, _ phoneNumber: String?
  ) -> [(String, JSON?)] {
    [
      ("factor", .int(index)), ("question", questionId.map(JSON.string)), ("answer", answer.map(JSON.string)),
      ("credentialId", credentialId.map(JSON.string)), ("passCode", passCode.map(JSON.string)),
      ("phoneNumber", phoneNumber.map(JSON.string)),
    ]
  }

  /// Activates the factor: verifies a code; without one, polls until the device has been set up.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed; `nil` sends none.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error; a wrong code does not change the status.
  ///   - onFactorStatusUpdate: receives each result that the org reports.
  public func activate(
    passCode: String?,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    perform(
      .activateFactor, [("passCode", passCode.map(JSON.string))], onStatusChange, onError, onFactorStatusUpdate)
  }

  /// Activates the factor: verifies a code; without one, polls until the device has been set up.
  ///
  /// - Throws: `OktaError`; a wrong code does not change the status.
  public func activate(
    passCode: String?, onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .activateFactor, [("passCode", passCode.map(JSON.string))], onFactorStatusUpdate)
  }

  /// Selects the factor without a code: sends a code or a push.
  ///
  /// - Parameters:
  ///   - onStatusChange: receives the challenge, or what follows it.
  ///   - onError: receives `wrongStatus` if the factor cannot be selected, or another error.
  public func select(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.selectFactor, [("factor", .int(index))], onStatusChange, onError)
  }

  /// Selects the factor without a code: sends a code or a push.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the factor cannot be selected.
  public func select() async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .selectFactor, [("factor", .int(index))])
  }

  /// Verifies a code or an answer; without either, polls a push until it is answered.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed.
  ///   - answerToSecurityQuestion: the answer that the user typed.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error; a wrong code does not change the status.
  ///   - onFactorStatusUpdate: receives each result that the org reports.
  public func verify(
    passCode: String?, answerToSecurityQuestion: String?,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    perform(
      .verifyFactor,
      [("passCode", passCode.map(JSON.string)), ("answer", answerToSecurityQuestion.map(JSON.string))],
      onStatusChange, onError, onFactorStatusUpdate)
  }

  /// Verifies a code or an answer; without either, polls a push until it is answered.
  ///
  /// - Throws: `OktaError`; a wrong code does not change the status.
  public func verify(
    passCode: String?, answerToSecurityQuestion: String?,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .verifyFactor,
      [("passCode", passCode.map(JSON.string)), ("answer", answerToSecurityQuestion.map(JSON.string))],
      onFactorStatusUpdate)
  }

  /// The data needed to set a factor up.
  public typealias Activation = EmbeddedResponse.Factor.Embedded.Activation

  /// The status object that the factor belongs to: the original one, as long as the application holds it.
  var holder: OktaAuthStatus { owner ?? OktaAuthStatus.make(object) ?? OktaAuthStatus(object) }

  func perform(
    _ name: AuthnCall, _ arguments: [(String, JSON?)],
    _ onStatusChange: @escaping (OktaAuthStatus) -> Void, _ onError: @escaping (OktaError) -> Void,
    _ onFactorStatusUpdate: ((OktaAPISuccessResponse.FactorResult) -> Void)?
  ) {
    holder.perform(name, arguments, onStatusChange, onError, onFactorStatusUpdate)
  }

  func perform(
    _ name: AuthnCall, _ arguments: [(String, JSON?)],
    _ onStatusChange: @escaping (OktaAuthStatus) -> Void, _ onError: @escaping (OktaError) -> Void
  ) {
    perform(name, arguments, onStatusChange, onError, nil)
  }

  func status(
    of name: AuthnCall, _ arguments: [(String, JSON?)],
    _ onFactorStatusUpdate: ((OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await holder.status(of: name, arguments, onFactorStatusUpdate)
  }
}
