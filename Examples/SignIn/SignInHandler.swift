// Every status of the classic API, handled the way the README of okta-auth-swift shows: one switch.

import Authn
import Foundation

/// Walks a person through a sign-in, a recovery, an unlock or an enrolment, whatever the org asks for.
@MainActor
final class SignInHandler {
  private let dialog = Dialog()
  private let finished: (Int32) -> Void
  /// The last status, to go on from after an error that leaves it as it was.
  private var current: OktaAuthStatus?

  /// - Parameter finished: gets the code to exit with.
  init(finished: @escaping (Int32) -> Void) { self.finished = finished }

  /// What to do first.
  func start(_ org: URL) {
    let username = dialog.ask("user name")
    switch dialog.choose("what now", of: ["sign in", "forgot password", "unlock account"]) {
    case 0:
      OktaAuthSdk.authenticate(
        with: org, username: username, password: dialog.askSecret("password"), onStatusChange: handleStatus,
        onError: handleError)
    case 1:
      OktaAuthSdk.recoverPassword(
        with: org, username: username, factorType: recoveryFactor(), onStatusChange: handleStatus,
        onError: handleError)
    default:
      OktaAuthSdk.unlockAccount(
        with: org, username: username, factorType: recoveryFactor(), onStatusChange: handleStatus,
        onError: handleError)
    }
  }

  func handleStatus(status: OktaAuthStatus) {
    current = status
    switch status.statusType {
    case .success:
      guard let success = status as? OktaAuthStatusSuccess else { return }
      dialog.say(success.sessionToken == nil ? "done" : "signed in; the session token was received")
      end(status, code: 0)
    case .passwordWarning:
      guard let warning = status as? OktaAuthStatusPasswordWarning else { return }
      handlePasswordWarning(warning)
    case .passwordExpired:
      guard let expired = status as? OktaAuthStatusPasswordExpired else { return }
      dialog.say("the password has expired")
      expired.changePassword(
        oldPassword: dialog.askSecret("old password"), newPassword: dialog.askSecret("new password"),
        onStatusChange: handleStatus, onError: handleError)
    case .MFAEnroll:
      guard let enroll = status as? OktaAuthStatusFactorEnroll else { return }
      handleEnrollment(enroll)
    case .MFAEnrollActivate:
      guard let activate = status as? OktaAuthStatusFactorEnrollActivate else { return }
      handleActivation(activate)
    case .MFARequired:
      guard let required = status as? OktaAuthStatusFactorRequired else { return }
      handleFactorRequired(required)
    case .MFAChallenge:
      guard let challenge = status as? OktaAuthStatusFactorChallenge else { return }
      handleChallenge(challenge)
    case .recovery:
      guard let recovery = status as? OktaAuthStatusRecovery else { return }
      recovery.recoverWithAnswer(
        dialog.askSecret(recovery.recoveryQuestion ?? "answer"), onStatusChange: handleStatus, onError: handleError)
    case .recoveryChallenge:
      guard let challenge = status as? OktaAuthStatusRecoveryChallenge else { return }
      handleRecoveryChallenge(challenge)
    case .passwordReset:
      guard let reset = status as? OktaAuthStatusPasswordReset else { return }
      reset.resetPassword(
        newPassword: dialog.askSecret("new password"), onStatusChange: handleStatus, onError: handleError)
    case .lockedOut:
      guard let locked = status as? OktaAuthStatusLockedOut else { return }
      handleLockedOut(locked)
    case .unauthenticated:
      guard let start = status as? OktaAuthStatusUnauthenticated else { return }
      start.authenticate(
        username: dialog.ask("user name"), password: dialog.askSecret("password"), onStatusChange: handleStatus,
        onError: handleError)
    case .unknown(let name):
      dialog.say("this program does not know the status \(name)")
      end(status, code: 1)
    }
  }

  func handleError(_ error: OktaError) {
    dialog.say(error.description)
    guard case .serverRespondedWithError(let response) = error, let current,
      Self.retryable.contains(response.errorCode ?? "")
    else {
      finished(1)
      return
    }
    handleStatus(status: current)
  }

  /// Codes that leave the status as it is, so that the person may try again (authn §9.2).
  private static let retryable: Set<String> = ["E0000014", "E0000068", "E0000080", "E0000082", "E0000083", "E0000087"]

  private func end(_ status: OktaAuthStatus, code: Int32) {
    dialog.say("recorded as \(status.flowID)")
    finished(code)
  }

  // MARK: One status each

  private func handlePasswordWarning(_ warning: OktaAuthStatusPasswordWarning) {
    let days = warning.passwordExpiration?.passwordExpireDays.map { "in \($0) days" } ?? "soon"
    dialog.say("the password expires \(days)")
    if warning.canSkip(), dialog.choose("what now", of: ["change it", "later"]) == 1 {
      warning.skipPasswordChange(onStatusChange: handleStatus, onError: handleError)
    } else {
      warning.changePassword(
        oldPassword: dialog.askSecret("old password"), newPassword: dialog.askSecret("new password"),
        onStatusChange: handleStatus, onError: handleError)
    }
  }

  private func handleEnrollment(_ enroll: OktaAuthStatusFactorEnroll) {
    let factors = enroll.availableFactors.filter { enroll.canEnrollFactor(factor: $0) }
    var options = factors.map { "set up \($0.provider?.rawValue ?? "") \($0.type.rawValue)" }
    if enroll.canSkipEnrollment() { options.append("go on without") }
    guard !options.isEmpty else {
      dialog.say("there is no factor that can be set up")
      return end(enroll, code: 1)
    }
    let choice = dialog.choose("which", of: options)
    guard factors.indices.contains(choice) else {
      return enroll.skipEnrollment(onStatusChange: handleStatus, onError: handleError)
    }
    if let question = factors[choice] as? OktaFactorQuestion { return enrollQuestion(question) }
    let needsPhone = factors[choice] is OktaFactorSms || factors[choice] is OktaFactorCall
    let needsToken = factors[choice] is OktaFactorToken
    enroll.enrollFactor(
      factor: factors[choice], questionId: nil, answer: nil,
      credentialId: needsToken ? dialog.ask("token id") : nil, passCode: needsToken ? dialog.askSecret("code") : nil,
      phoneNumber: needsPhone ? dialog.ask("phone number") : nil, onStatusChange: handleStatus, onError: handleError)
  }

  private func enrollQuestion(_ factor: OktaFactorQuestion) {
    factor.downloadSecurityQuestions(
      onDownloadComplete: { questions in
        let texts = questions.map { $0.questionText ?? $0.question ?? "" }
        guard !texts.isEmpty else { return self.handleError(.invalidResponse) }
        let question = questions[self.dialog.choose("which", of: texts)]
        factor.enroll(
          questionId: question.question ?? "", answer: self.dialog.askSecret("answer"),
          onStatusChange: self.handleStatus, onError: self.handleError)
      }, onError: handleError)
  }

  private func handleActivation(_ activate: OktaAuthStatusFactorEnrollActivate) {
    let waits = activate.factor is OktaFactorPush
    if let link = (activate.factor as? OktaFactorPush)?.qrCodeLink ?? (activate.factor as? OktaFactorTotp)?.qrCodeLink {
      dialog.say("scan the code at \(link.href)")
    }
    if let secret = (activate.factor as? OktaFactorTotp)?.activation?.sharedSecret {
      dialog.say("or type this secret into the authenticator: \(secret)")
    }
    if waits { dialog.say("waiting for the device …") }
    activate.activateFactor(
      passCode: waits ? nil : dialog.askSecret("code"), onStatusChange: handleStatus, onError: handleError)
  }

  private func handleFactorRequired(_ required: OktaAuthStatusFactorRequired) {
    let factors = required.availableFactors.filter { $0.canSelect() }
    guard !factors.isEmpty else {
      dialog.say("there is no factor that can be used")
      return end(required, code: 1)
    }
    let names = factors.map { "\($0.vendorName ?? $0.provider?.rawValue ?? "") \($0.type.rawValue)" }
    switch factors[factors.count == 1 ? 0 : dialog.choose("verify with", of: names)] {
    case let totp as OktaFactorTotp:
      totp.select(passCode: dialog.askSecret("code"), onStatusChange: handleStatus, onError: handleError)
    case let token as OktaFactorToken:
      token.select(passCode: dialog.askSecret("code"), onStatusChange: handleStatus, onError: handleError)
    case let question as OktaFactorQuestion:
      question.select(
        answerToSecurityQuestion: dialog.askSecret(question.factorQuestionText ?? "answer"),
        onStatusChange: handleStatus, onError: handleError)
    case let other: required.selectFactor(other, onStatusChange: handleStatus, onError: handleError)
    }
  }

  private func handleChallenge(_ challenge: OktaAuthStatusFactorChallenge) {
    guard challenge.factor is OktaFactorPush else {
      return challenge.verifyFactor(
        passCode: dialog.askSecret("code"), answerToSecurityQuestion: nil, onStatusChange: handleStatus,
        onError: handleError)
    }
    if let result = challenge.factorResult, result != .waiting {
      dialog.say("the push was answered: \(result.rawValue)")
      guard challenge.canResend(), dialog.choose("what now", of: ["send another", "give up"]) == 0 else {
        challenge.cancel(onSuccess: { self.end(challenge, code: 1) }, onError: { _ in self.end(challenge, code: 1) })
        return
      }
      return challenge.resendFactor(onStatusChange: handleStatus, onError: handleError)
    }
    dialog.say("a push was sent; approve it on the device")
    var shown: Int?
    challenge.verifyFactor(
      passCode: nil, answerToSecurityQuestion: nil, onStatusChange: handleStatus, onError: handleError,
      onWaitingStatus: { waiting in
        guard let number = (waiting.factor as? OktaFactorPush)?.correctAnswer, number != shown else { return }
        shown = number
        self.dialog.say("choose \(number) on the device")
      })
  }

  private func handleRecoveryChallenge(_ challenge: OktaAuthStatusRecoveryChallenge) {
    guard challenge.canVerify() else {
      dialog.say("a mail was sent, if the user is known; its link goes on from there")
      return end(challenge, code: 0)
    }
    challenge.verifyFactor(
      passCode: dialog.askSecret("code"), onStatusChange: handleStatus, onError: handleError)
  }

  private func handleLockedOut(_ locked: OktaAuthStatusLockedOut) {
    dialog.say("the account is locked")
    guard locked.canUnlock(), dialog.choose("what now", of: ["unlock it", "leave"]) == 0 else {
      return end(locked, code: 1)
    }
    locked.unlock(
      username: dialog.ask("user name"), factorType: recoveryFactor(), onStatusChange: handleStatus,
      onError: handleError)
  }

  private func recoveryFactor() -> OktaRecoveryFactors {
    let factors = OktaRecoveryFactors.allCases
    return factors[dialog.choose("reach you by", of: factors.map(\.rawValue))]
  }
}
