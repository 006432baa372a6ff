// A security question (seed «OktaFactorQuestion»).

import EventStore
import FlowRecording

/// A question that only the user can answer.
public final class OktaFactorQuestion: OktaFactor, @unchecked Sendable {
  /// The key of the question; nil while none is chosen.
  public var factorQuestionId: String? { profile?.question }

  /// The question; nil while none is chosen.
  public var factorQuestionText: String? { profile?.questionText }

  /// The link to the list of questions to choose from.
  public var securityQuestionsLink: LinksResponse.Link? { links?.questions }

  /// Sets the factor up; it needs no activation.
  ///
  /// - Parameters:
  ///   - questionId: the key of the question.
  ///   - answer: the answer to it.
  ///   - onStatusChange: receives the activation, or what follows a factor that needs none.
  ///   - onError: receives `wrongStatus` if the factor cannot be enrolled, or another error.
  public func enroll(
    questionId: String, answer: String,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(
      .enrollFactor, [("factor", .int(index)), ("question", .string(questionId)), ("answer", .string(answer))],
      onStatusChange, onError)
  }

  /// Sets the factor up; it needs no activation.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the factor cannot be enrolled.
  public func enroll(
    questionId: String, answer: String
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .enrollFactor, [("factor", .int(index)), ("question", .string(questionId)), ("answer", .string(answer))])
  }

  /// Lists the questions to choose from.
  ///
  /// - Parameters:
  ///   - onDownloadComplete: receives the questions.
  ///   - onError: receives `wrongStatus` if there is no list, or another error.
  public func downloadSecurityQuestions(
    onDownloadComplete: @escaping ([SecurityQuestion]) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    let callbacks = AuthnSession.Callbacks(
      onAnswer: { onDownloadComplete(SecurityQuestion.list($0)) }, onError: onError)
    object.session.call(
      .downloadSecurityQuestions, [("factor", .int(index))], on: holder, callbacks)
  }

  /// Lists the questions to choose from.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if there is no list.
  public func downloadSecurityQuestions() async throws(OktaError) -> [SecurityQuestion] {
    let questions = Locked<[SecurityQuestion]>([])
    let callbacks = AuthnSession.Callbacks(onAnswer: { json in questions.withLock { $0 = SecurityQuestion.list(json) } }
    )
    _ = try await object.session.outcome(
      of: .downloadSecurityQuestions, [("factor", .int(index))], on: holder, callbacks
    ).get()
    return questions.withLock { $0 }
  }

  /// Selects the factor and verifies an answer in one step.
  ///
  /// - Parameters:
  ///   - answerToSecurityQuestion: the answer that the user typed.
  ///   - rememberDevice: whether the org may skip this step on this device from now on; nil omits it.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives `wrongStatus` if the factor cannot be selected, or another error.
  ///   - onFactorStatusUpdate: receives each result that the org reports.
  public func select(
    answerToSecurityQuestion: String, rememberDevice: Bool? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    perform(
      .selectFactor,
      [
        ("factor", .int(index)), ("answer", .string(answerToSecurityQuestion)),
        ("rememberDevice", rememberDevice.map(JSON.bool)),
      ], onStatusChange, onError, onFactorStatusUpdate)
  }

  /// Selects the factor and verifies an answer in one step.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the factor cannot be selected.
  public func select(
    answerToSecurityQuestion: String, rememberDevice: Bool? = nil,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .selectFactor,
      [
        ("factor", .int(index)), ("answer", .string(answerToSecurityQuestion)),
        ("rememberDevice", rememberDevice.map(JSON.bool)),
      ], onFactorStatusUpdate)
  }

  /// Verifies an answer.
  ///
  /// - Parameters:
  ///   - answerToSecurityQuestion: the answer that the user typed.
  ///   - rememberDevice: whether the org may skip this step on this device from now on; nil omits it.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error; a wrong code does not change the status.
  ///   - onFactorStatusUpdate: receives each result that the org reports.
  public func verify(
    answerToSecurityQuestion: String, rememberDevice: Bool? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    perform(
      .verifyFactor,
      [("answer", .string(answerToSecurityQuestion)), ("rememberDevice", rememberDevice.map(JSON.bool))],
      onStatusChange, onError, onFactorStatusUpdate)
  }

  /// Verifies an answer.
  ///
  /// - Throws: `OktaError`; a wrong answer does not change the status.
  public func verify(
    answerToSecurityQuestion: String, rememberDevice: Bool? = nil,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .verifyFactor,
      [("answer", .string(answerToSecurityQuestion)), ("rememberDevice", rememberDevice.map(JSON.bool))],
      onFactorStatusUpdate)
  }
}
