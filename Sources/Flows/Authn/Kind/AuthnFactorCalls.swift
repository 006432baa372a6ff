// The calls of factors in a replay, each by the method that the factor's class has for it.

import EventStore
import FlowRecording

/// Makes one recorded call on a factor, or on the status that it belongs to.
struct AuthnFactorCalls {
  let arguments: JSON
  let object: OktaAuthStatus
  /// Listens on the way, in every form that says something on the way.
  let hearing: AuthnHearing
  let changed: (OktaAuthStatus) -> Void
  let done: () -> Void
  let listed: ([SecurityQuestion]) -> Void
  let failed: (OktaError) -> Void

  private var passCode: String? { arguments["passCode"]?.string }
  private var answer: String? { arguments["answer"]?.string }
  private var remembers: Bool? { arguments["rememberDevice"]?.bool }

  /// The factor that the call names; the only one if it names none.
  private var factor: OktaFactor? {
    let index = arguments["factor"]?.int ?? 0
    let factors = object.factors
    return factors.indices.contains(index) ? factors[index] : nil
  }

  /// Makes the call; false if there is no public form of it.
  func call(_ name: AuthnCall) -> Bool {
    switch name {
    case .enrollFactor: enroll()
    case .activateFactor: activate()
    case .selectFactor: select()
    case .verifyFactor: verify()
    case .checkFactorResult: check()
    case .resendFactor: resend()
    case .sendActivationLink: sendLink()
    case .completeFactor: complete()
    case .downloadSecurityQuestions: questions()
    case .authenticate, .fetchStatus, .unlockAccount, .recoverPassword, .recoverWithToken, .unlock, .cancel,
      .returnToPreviousStatus, .skipEnrollment, .skipPasswordChange, .changePassword, .resetPassword,
      .recoverWithAnswer, .sendRequest, .stopPolling:
      false
    }
  }

  private func enroll() -> Bool {
    switch factor {
    case let factor as OktaFactorQuestion:
      guard let question = arguments["question"]?.string, let answer else { return anyEnroll() }
      factor.enroll(questionId: question, answer: answer, onStatusChange: changed, onError: failed)
    case let factor as OktaFactorPhone:
      factor.enroll(
        phoneNumber: arguments["phoneNumber"]?.string, phoneExtension: arguments["phoneExtension"]?.string,
        updatePhone: arguments["updatePhone"]?.bool, onStatusChange: changed, onError: failed,
        onFactorStatusUpdate: hearing.result())
    case let factor as OktaFactorToken:
      guard let credential = arguments["credentialId"]?.string, let passCode else { return anyEnroll() }
      factor.enroll(
        credentialId: credential, passCode: passCode, nextPassCode: arguments["nextPassCode"]?.string,
        onStatusChange: changed, onError: failed)
    case let factor as OktaFactorPush: factor.enroll(onStatusChange: changed, onError: failed)
    case let factor as OktaFactorTotp: factor.enroll(onStatusChange: changed, onError: failed)
    default: return anyEnroll()
    }
    return true
  }

  /// The form that takes all that a factor may need.
  private func anyEnroll() -> Bool {
    guard let status = object as? OktaAuthStatusFactorEnroll, let factor else { return false }
    status.enrollFactor(
      factor: factor, questionId: arguments["question"]?.string, answer: answer,
      credentialId: arguments["credentialId"]?.string, passCode: passCode,
      phoneNumber: arguments["phoneNumber"]?.string, phoneExtension: arguments["phoneExtension"]?.string,
      nextPassCode: arguments["nextPassCode"]?.string, updatePhone: arguments["updatePhone"]?.bool,
      onStatusChange: changed, onError: failed)
    return true
  }

  private func activate() -> Bool {
    if let factor = factor as? OktaFactorPush, passCode == nil {
      factor.activate(onStatusChange: changed, onError: failed, onFactorStatusUpdate: hearing.result())
    } else if let factor = factor as? OktaFactorTotp, let passCode {
      factor.activate(
        passCode: passCode, onStatusChange: changed, onError: failed, onFactorStatusUpdate: hearing.result())
    } else if let status = object as? OktaAuthStatusFactorEnrollActivate {
      status.activateFactor(
        passCode: passCode, onStatusChange: changed, onError: failed, onFactorStatusUpdate: hearing.result(),
        onWaitingStatus: hearing.waiting())
    } else if let factor {
      factor.activate(
        passCode: passCode, onStatusChange: changed, onError: failed, onFactorStatusUpdate: hearing.result())
    } else {
      return false
    }
    return true
  }

  private func select() -> Bool {
    switch factor {
    case let factor as OktaFactorQuestion where answer != nil:
      factor.select(
        answerToSecurityQuestion: answer ?? "", rememberDevice: remembers, onStatusChange: changed, onError: failed,
        onFactorStatusUpdate: hearing.result())
    case let factor as OktaFactorCode where passCode != nil:
      factor.select(passCode: passCode ?? "", rememberDevice: remembers, onStatusChange: changed, onError: failed)
    case let factor as OktaFactorPush where passCode == nil && remembers == nil:
      factor.select(autoPush: arguments["autoPush"]?.bool, onStatusChange: changed, onError: failed)
    case let factor as OktaFactorOther:
      factor.select(passCode: passCode, rememberDevice: remembers, onStatusChange: changed, onError: failed)
    case let factor?:
      guard passCode == nil, remembers == nil else { return false }
      if let status = object as? OktaAuthStatusFactorRequired {
        status.selectFactor(factor, onStatusChange: changed, onError: failed)
      } else {
        factor.select(onStatusChange: changed, onError: failed)
      }
    case nil: return false
    }
    return true
  }

  private func verify() -> Bool {
    if let status = object as? OktaAuthStatusRecoveryChallenge {
      guard let passCode else { return false }
      status.verifyFactor(passCode: passCode, onStatusChange: changed, onError: failed)
      return true
    }
    let autoPush = arguments["autoPush"]?.bool
    switch factor {
    case let factor as OktaFactorQuestion where answer != nil && autoPush == nil:
      factor.verify(
        answerToSecurityQuestion: answer ?? "", rememberDevice: remembers, onStatusChange: changed, onError: failed,
        onFactorStatusUpdate: hearing.result())
    case let factor as OktaFactorCode where passCode != nil && autoPush == nil:
      factor.verify(
        passCode: passCode ?? "", rememberDevice: remembers, onStatusChange: changed, onError: failed,
        onFactorStatusUpdate: hearing.result())
    case let factor as OktaFactorOptionalCode where answer == nil && autoPush == nil:
      factor.verify(
        passCode: passCode, rememberDevice: remembers, onStatusChange: changed, onError: failed,
        onFactorStatusUpdate: hearing.result())
    case let factor as OktaFactorPush where passCode == nil && answer == nil:
      factor.verify(
        rememberDevice: remembers, autoPush: autoPush, onStatusChange: changed, onError: failed,
        onFactorStatusUpdate: hearing.result())
    default:
      guard let status = object as? OktaAuthStatusFactorChallenge else { return false }
      status.verifyFactor(
        passCode: passCode, answerToSecurityQuestion: answer, rememberDevice: remembers, autoPush: autoPush,
        onStatusChange: changed, onError: failed, onFactorStatusUpdate: hearing.result(),
        onWaitingStatus: hearing.waiting())
    }
    return true
  }

  private func check() -> Bool {
    guard let factor = factor as? OktaFactorPush else { return false }
    factor.checkFactorResult(onStatusChange: changed, onError: failed)
    return true
  }

  private func resend() -> Bool {
    guard arguments.object?.members.contains(where: { $0.key != "pollMilliseconds" }) != true else { return false }
    switch object {
    case let object as OktaAuthStatusFactorChallenge: object.resendFactor(onStatusChange: changed, onError: failed)
    case let object as OktaAuthStatusRecoveryChallenge: object.resendFactor(onStatusChange: changed, onError: failed)
    default: return false
    }
    return true
  }

  private func sendLink() -> Bool {
    guard let factor = factor as? OktaFactorPush else { return false }
    let channel = arguments["channel"]?.string
    // A link that was masked as a whole leads nowhere here.
    let link = channel == "sms" ? factor.codeViaSmsLink() : factor.codeViaEmailLink()
    guard link.flatMap({ URLParts($0.address) })?.origin == arguments["link"]?.string else { return false }
    switch channel {
    case "sms":
      guard let number = arguments["phoneNumber"]?.string else { return false }
      factor.sendActivationLinkViaSms(with: number, onSuccess: done, onError: failed)
    case "email": factor.sendActivationLinkViaEmail(onSuccess: done, onError: failed)
    default: return false
    }
    return true
  }

  private func complete() -> Bool {
    guard let factor = factor as? OktaFactorOther, let response = arguments["sigResponse"]?.string else { return false }
    factor.complete(signedResponse: response, onSuccess: done, onError: failed)
    return true
  }

  private func questions() -> Bool {
    guard let factor = factor as? OktaFactorQuestion else { return false }
    factor.downloadSecurityQuestions(
      onDownloadComplete: { list in
        listed(list)
        done()
      }, onError: failed)
    return true
  }
}
