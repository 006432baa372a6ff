// The calls of factors in a replay, each by the methods that the factor's class and its status offer for it.

import EventStore
import FlowRecording

/// Makes one recorded call on a factor, or on the status that it belongs to.
struct AuthnFactorCalls {
  let arguments: JSON
  let object: OktaAuthStatus
  /// Receives intermediate results, in every form that has them.
  let hearing: AuthnHearing
  let table: AuthnFormTable
  let listed: @Sendable ([SecurityQuestion]) -> Void

  var passCode: String? { arguments["passCode"]?.string }
  var answer: String? { arguments["answer"]?.string }
  var remembers: Bool? { arguments["rememberDevice"]?.bool }
  var autoPush: Bool? { arguments["autoPush"]?.bool }

  /// The factor that the call names, or the only one if it names none.
  var factor: OktaFactor? {
    let index = arguments["factor"]?.int ?? 0
    let factors = object.factors
    return factors.indices.contains(index) ? factors[index] : nil
  }

  /// Whether the call has only these arguments.
  func has(only names: Set<String>) -> Bool {
    let names = names.union(["pollMilliseconds", "pollOnceSent"])
    return arguments.object?.members.allSatisfy { names.contains($0.key) } ?? true
  }

  /// Makes the call.
  func play() -> PlayedCall {
    let candidates: [PlayedForm]
    switch table.call {
    case .enrollFactor: candidates = enrollForms() + anyEnrollForms()
    case .activateFactor: candidates = activateForms() + anyActivateForms()
    case .selectFactor: candidates = selectForms() + plainSelectForms()
    case .verifyFactor:
      let forms = verifyForms() + anyVerifyForms()
      candidates = forms.isEmpty ? baseVerifyForms() : forms
    case .checkFactorResult: candidates = checkForms()
    case .resendFactor: candidates = resendForms()
    case .sendActivationLink:
      guard let forms = linkForms() else { return .noForm }
      candidates = forms
    case .completeFactor: candidates = completeForms()
    case .downloadSecurityQuestions: candidates = questionForms()
    case .authenticate, .fetchStatus, .unlockAccount, .recoverPassword, .recoverWithToken, .unlock, .cancel,
      .returnToPreviousStatus, .skipEnrollment, .skipPasswordChange, .changePassword, .resetPassword,
      .recoverWithAnswer, .sendRequest, .stopPolling:
      return .noForm
    }
    guard candidates.isEmpty else { return table.play(candidates) }
    return .refused("\(object.statusType.rawValue) and its factor have no method for this call")
  }

  private func checkForms() -> [PlayedForm] {
    guard let factor = factor as? OktaFactorPush else { return [] }
    let (changed, failed) = (table.changed, table.failed)
    return [
      PlayedForm("push") { factor.checkFactorResult(onStatusChange: changed, onError: failed) },
      table.awaited("push, awaited") { () throws(OktaError) in try await factor.checkFactorResult() },
    ]
  }

  private func resendForms() -> [PlayedForm] {
    guard has(only: []) else { return [] }
    let (changed, failed) = (table.changed, table.failed)
    switch object {
    case let object as OktaAuthStatusFactorChallenge:
      return [
        PlayedForm("challenge") { object.resendFactor(onStatusChange: changed, onError: failed) },
        table.awaited("challenge, awaited") { () throws(OktaError) in try await object.resendFactor() },
      ]
    case let object as OktaAuthStatusRecoveryChallenge:
      return [
        PlayedForm("recovery") { object.resendFactor(onStatusChange: changed, onError: failed) },
        table.awaited("recovery, awaited") { () throws(OktaError) in try await object.resendFactor() },
      ]
    case let object as OktaAuthStatusFactorEnrollActivate:
      return [
        PlayedForm("activation") { object.resendFactor(onStatusChange: changed, onError: failed) },
        table.awaited("activation, awaited") { () throws(OktaError) in try await object.resendFactor() },
      ]
    default: return []
    }
  }

  /// Nil if the link was masked as a whole, so that its target is unknown.
  private func linkForms() -> [PlayedForm]? {
    guard let factor = factor as? OktaFactorPush else { return [] }
    let (done, failed) = (table.done, table.failed)
    let isText = arguments["channel"]?.string == "sms"
    let link = isText ? factor.codeViaSmsLink() : factor.codeViaEmailLink()
    guard link.flatMap({ URLParts($0.address) })?.origin == arguments["link"]?.string else { return nil }
    guard isText else {
      return [
        PlayedForm("mail") { factor.sendActivationLinkViaEmail(onSuccess: done, onError: failed) },
        table.awaitedEnd("mail, awaited") { () throws(OktaError) in try await factor.sendActivationLinkViaEmail() },
      ]
    }
    guard let number = arguments["phoneNumber"]?.string else { return [] }
    return [
      PlayedForm("text") { factor.sendActivationLinkViaSms(with: number, onSuccess: done, onError: failed) },
      table.awaitedEnd("text, awaited") { () throws(OktaError) in
        try await factor.sendActivationLinkViaSms(with: number)
      },
    ]
  }

  private func completeForms() -> [PlayedForm] {
    guard let factor = factor as? OktaFactorOther, let response = arguments["sigResponse"]?.string else { return [] }
    let (done, failed) = (table.done, table.failed)
    return [
      PlayedForm("factor") { factor.complete(signedResponse: response, onSuccess: done, onError: failed) },
      table.awaitedEnd("factor, awaited") { () throws(OktaError) in
        try await factor.complete(signedResponse: response)
      },
    ]
  }

  private func questionForms() -> [PlayedForm] {
    guard let factor = factor as? OktaFactorQuestion else { return [] }
    let (done, failed, listed) = (table.done, table.failed, listed)
    return [
      PlayedForm("question") {
        factor.downloadSecurityQuestions(
          onDownloadComplete: { list in
            listed(list)
            done()
          }, onError: failed)
      },
      table.awaitedEnd("question, awaited") { () throws(OktaError) in
        listed(try await factor.downloadSecurityQuestions())
      },
    ]
  }
}
