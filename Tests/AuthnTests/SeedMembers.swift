import Authn
import Foundation

/// The methods of the seed documents, called with their labels.
extension SeedMembersTests.Method {
  private static func row<Status: OktaAuthStatus>(
    _ name: String, _ status: String, _ intent: String, _ type: Status.Type,
    _ call: @escaping @Sendable (Status, @escaping @Sendable () -> Void) -> Void
  ) -> SeedMembersTests.Method {
    SeedMembersTests.Method(name: name, status: status, factor: "sms", intent: intent) { object, done in
      if let status = object as? Status { call(status, done) } else { done() }
    }
  }

  private static func row<Factor: OktaFactor>(
    _ name: String, _ status: String, _ intent: String, _ factor: String, _ type: Factor.Type,
    _ call: @escaping @Sendable (Factor, @escaping @Sendable () -> Void) -> Void
  ) -> SeedMembersTests.Method {
    SeedMembersTests.Method(name: name, status: status, factor: factor, intent: intent) { object, done in
      if let factor = object.factors.first as? Factor { call(factor, done) } else { done() }
    }
  }

  static let all: [SeedMembersTests.Method] = statuses + factors

  private static let statuses: [SeedMembersTests.Method] = [
    row(
      "OktaAuthStatusUnauthenticated.authenticate(username:password:onStatusChange:onError:)", "", "authenticate",
      OktaAuthStatusUnauthenticated.self
    ) { status, done in
      status.authenticate(username: "ann", password: "x", onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaAuthStatusUnauthenticated.unlockAccount(username:factorType:onStatusChange:onError:)", "", "unlockAccount",
      OktaAuthStatusUnauthenticated.self
    ) { status, done in
      status.unlockAccount(username: "ann", factorType: .sms, onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaAuthStatusUnauthenticated.recoverPassword(username:factorType:onStatusChange:onError:)", "",
      "recoverPassword", OktaAuthStatusUnauthenticated.self
    ) { status, done in
      status.recoverPassword(
        username: "ann", factorType: .email, onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaAuthStatus.returnToPreviousStatus(onStatusChange:onError:)", "MFA_CHALLENGE", "returnToPreviousStatus",
      OktaAuthStatus.self
    ) { status, done in
      status.returnToPreviousStatus(onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row("OktaAuthStatus.cancel(onSuccess:onError:)", "MFA_CHALLENGE", "cancel", OktaAuthStatus.self) { status, done in
      status.cancel(onSuccess: { done() }, onError: { _ in done() })
    },
    row(
      "OktaAuthStatusFactorEnroll.skipEnrollment(onStatusChange:onError:)", "MFA_ENROLL", "skipEnrollment",
      OktaAuthStatusFactorEnroll.self
    ) { status, done in
      status.skipEnrollment(onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaAuthStatusFactorEnroll.enrollFactor(factor:questionId:answer:credentialId:passCode:phoneNumber:onStatusChange:onError:)",
      "MFA_ENROLL", "enrollFactor", OktaAuthStatusFactorEnroll.self
    ) { status, done in
      status.enrollFactor(
        factor: status.availableFactors[0], questionId: nil, answer: nil, credentialId: nil, passCode: nil,
        phoneNumber: "+1", onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaAuthStatusFactorEnrollActivate.activateFactor(passCode:onStatusChange:onError:onFactorStatusUpdate:)",
      "MFA_ENROLL_ACTIVATE", "activateFactor", OktaAuthStatusFactorEnrollActivate.self
    ) { status, done in
      status.activateFactor(
        passCode: "1", onStatusChange: { _ in done() }, onError: { _ in done() }, onFactorStatusUpdate: { _ in })
    },
    row(
      "OktaAuthStatusFactorEnrollActivate.resendFactor(onStatusChange:onError:)", "MFA_ENROLL_ACTIVATE", "resendFactor",
      OktaAuthStatusFactorEnrollActivate.self
    ) { status, done in
      status.resendFactor(onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaAuthStatusFactorRequired.selectFactor(_:onStatusChange:onError:)", "MFA_REQUIRED", "selectFactor",
      OktaAuthStatusFactorRequired.self
    ) { status, done in
      status.selectFactor(status.availableFactors[0], onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaAuthStatusFactorChallenge.verifyFactor(passCode:answerToSecurityQuestion:onStatusChange:onError:onFactorStatusUpdate:)",
      "MFA_CHALLENGE", "verifyFactor", OktaAuthStatusFactorChallenge.self
    ) { status, done in
      status.verifyFactor(
        passCode: "1", answerToSecurityQuestion: nil, onStatusChange: { _ in done() }, onError: { _ in done() },
        onFactorStatusUpdate: { _ in })
    },
    row(
      "OktaAuthStatusFactorChallenge.resendFactor(onStatusChange:onError:)", "MFA_CHALLENGE", "resendFactor",
      OktaAuthStatusFactorChallenge.self
    ) { status, done in
      status.resendFactor(onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaAuthStatusPasswordExpired.changePassword(oldPassword:newPassword:onStatusChange:onError:)",
      "PASSWORD_EXPIRED", "changePassword", OktaAuthStatusPasswordExpired.self
    ) { status, done in
      status.changePassword(
        oldPassword: "a", newPassword: "b", onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaAuthStatusPasswordWarning.changePassword(oldPassword:newPassword:onStatusChange:onError:)", "PASSWORD_WARN",
      "changePassword", OktaAuthStatusPasswordWarning.self
    ) { status, done in
      status.changePassword(
        oldPassword: "a", newPassword: "b", onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaAuthStatusPasswordWarning.skipPasswordChange(onStatusChange:onError:)", "PASSWORD_WARN",
      "skipPasswordChange", OktaAuthStatusPasswordWarning.self
    ) { status, done in
      status.skipPasswordChange(onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaAuthStatusRecovery.recoverWithAnswer(_:onStatusChange:onError:)", "RECOVERY", "recoverWithAnswer",
      OktaAuthStatusRecovery.self
    ) { status, done in
      status.recoverWithAnswer("tea", onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaAuthStatusRecoveryChallenge.verifyFactor(passCode:onStatusChange:onError:)", "RECOVERY_CHALLENGE",
      "verifyFactor", OktaAuthStatusRecoveryChallenge.self
    ) { status, done in
      status.verifyFactor(passCode: "1", onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaAuthStatusRecoveryChallenge.resendFactor(onStatusChange:onError:)", "RECOVERY_CHALLENGE", "resendFactor",
      OktaAuthStatusRecoveryChallenge.self
    ) { status, done in
      status.resendFactor(onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaAuthStatusPasswordReset.resetPassword(newPassword:onStatusChange:onError:)", "PASSWORD_RESET",
      "resetPassword", OktaAuthStatusPasswordReset.self
    ) { status, done in
      status.resetPassword(newPassword: "b", onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaAuthStatusLockedOut.unlock(username:factorType:onStatusChange:onError:)", "LOCKED_OUT", "unlock",
      OktaAuthStatusLockedOut.self
    ) { status, done in
      status.unlock(username: "ann", factorType: .sms, onStatusChange: { _ in done() }, onError: { _ in done() })
    },
  ]

  private static let factors: [SeedMembersTests.Method] = [
    row(
      "OktaFactorSms.enroll(phoneNumber:onStatusChange:onError:onFactorStatusUpdate:)", "MFA_ENROLL", "enrollFactor",
      "sms", OktaFactorSms.self
    ) { factor, done in
      factor.enroll(
        phoneNumber: "+1", onStatusChange: { _ in done() }, onError: { _ in done() }, onFactorStatusUpdate: { _ in })
    },
    row(
      "OktaFactorSms.activate(passCode:onStatusChange:onError:onFactorStatusUpdate:)", "MFA_ENROLL_ACTIVATE",
      "activateFactor", "sms", OktaFactorSms.self
    ) { factor, done in
      factor.activate(
        passCode: "1", onStatusChange: { _ in done() }, onError: { _ in done() }, onFactorStatusUpdate: { _ in })
    },
    row("OktaFactorSms.select(onStatusChange:onError:)", "MFA_REQUIRED", "selectFactor", "sms", OktaFactorSms.self) {
      factor, done in
      factor.select(onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaFactorSms.verify(passCode:onStatusChange:onError:onFactorStatusUpdate:)", "MFA_CHALLENGE", "verifyFactor",
      "sms", OktaFactorSms.self
    ) { factor, done in
      factor.verify(
        passCode: "1", onStatusChange: { _ in done() }, onError: { _ in done() }, onFactorStatusUpdate: { _ in })
    },
    row(
      "OktaFactorCall.enroll(phoneNumber:onStatusChange:onError:onFactorStatusUpdate:)", "MFA_ENROLL", "enrollFactor",
      "call", OktaFactorCall.self
    ) { factor, done in
      factor.enroll(
        phoneNumber: "+1", onStatusChange: { _ in done() }, onError: { _ in done() }, onFactorStatusUpdate: { _ in })
    },
    row(
      "OktaFactorCall.activate(passCode:onStatusChange:onError:onFactorStatusUpdate:)", "MFA_ENROLL_ACTIVATE",
      "activateFactor", "call", OktaFactorCall.self
    ) { factor, done in
      factor.activate(
        passCode: "1", onStatusChange: { _ in done() }, onError: { _ in done() }, onFactorStatusUpdate: { _ in })
    },
    row("OktaFactorCall.select(onStatusChange:onError:)", "MFA_REQUIRED", "selectFactor", "call", OktaFactorCall.self) {
      factor, done in
      factor.select(onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaFactorCall.verify(passCode:onStatusChange:onError:onFactorStatusUpdate:)", "MFA_CHALLENGE", "verifyFactor",
      "call", OktaFactorCall.self
    ) { factor, done in
      factor.verify(
        passCode: "1", onStatusChange: { _ in done() }, onError: { _ in done() }, onFactorStatusUpdate: { _ in })
    },
    row("OktaFactorPush.enroll(onStatusChange:onError:)", "MFA_ENROLL", "enrollFactor", "push", OktaFactorPush.self) {
      factor, done in
      factor.enroll(onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaFactorPush.activate(onStatusChange:onError:onFactorStatusUpdate:)", "MFA_ENROLL_ACTIVATE", "activateFactor",
      "push", OktaFactorPush.self
    ) { factor, done in
      factor.activate(onStatusChange: { _ in done() }, onError: { _ in done() }, onFactorStatusUpdate: { _ in })
    },
    row(
      "OktaFactorPush.sendActivationLinkViaSms(with:onSuccess:onError:)", "MFA_ENROLL_ACTIVATE", "sendActivationLink",
      "push", OktaFactorPush.self
    ) { factor, done in
      factor.sendActivationLinkViaSms(with: "+1", onSuccess: { done() }, onError: { _ in done() })
    },
    row(
      "OktaFactorPush.sendActivationLinkViaEmail(onSuccess:onError:)", "MFA_ENROLL_ACTIVATE", "sendActivationLink",
      "push", OktaFactorPush.self
    ) { factor, done in
      factor.sendActivationLinkViaEmail(onSuccess: { done() }, onError: { _ in done() })
    },
    row("OktaFactorPush.select(onStatusChange:onError:)", "MFA_REQUIRED", "selectFactor", "push", OktaFactorPush.self) {
      factor, done in
      factor.select(onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaFactorPush.verify(onStatusChange:onError:onFactorStatusUpdate:)", "MFA_CHALLENGE", "verifyFactor", "push",
      OktaFactorPush.self
    ) { factor, done in
      factor.verify(onStatusChange: { _ in done() }, onError: { _ in done() }, onFactorStatusUpdate: { _ in })
    },
    row(
      "OktaFactorTotp.enroll(onStatusChange:onError:)", "MFA_ENROLL", "enrollFactor", "token:software:totp",
      OktaFactorTotp.self
    ) { factor, done in
      factor.enroll(onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaFactorTotp.activate(passCode:onStatusChange:onError:onFactorStatusUpdate:)", "MFA_ENROLL_ACTIVATE",
      "activateFactor", "token:software:totp", OktaFactorTotp.self
    ) { factor, done in
      factor.activate(
        passCode: "1", onStatusChange: { _ in done() }, onError: { _ in done() }, onFactorStatusUpdate: { _ in })
    },
    row(
      "OktaFactorTotp.select(passCode:onStatusChange:onError:)", "MFA_REQUIRED", "selectFactor", "token:software:totp",
      OktaFactorTotp.self
    ) { factor, done in
      factor.select(passCode: "1", onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaFactorTotp.verify(passCode:onStatusChange:onError:onFactorStatusUpdate:)", "MFA_CHALLENGE", "verifyFactor",
      "token:software:totp", OktaFactorTotp.self
    ) { factor, done in
      factor.verify(
        passCode: "1", onStatusChange: { _ in done() }, onError: { _ in done() }, onFactorStatusUpdate: { _ in })
    },
    row(
      "OktaFactorQuestion.enroll(questionId:answer:onStatusChange:onError:)", "MFA_ENROLL", "enrollFactor", "question",
      OktaFactorQuestion.self
    ) { factor, done in
      factor.enroll(questionId: "q", answer: "tea", onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaFactorQuestion.downloadSecurityQuestions(onDownloadComplete:onError:)", "MFA_ENROLL",
      "downloadSecurityQuestions", "question", OktaFactorQuestion.self
    ) { factor, done in
      factor.downloadSecurityQuestions(onDownloadComplete: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaFactorQuestion.select(answerToSecurityQuestion:onStatusChange:onError:onFactorStatusUpdate:)",
      "MFA_REQUIRED", "selectFactor", "question", OktaFactorQuestion.self
    ) { factor, done in
      factor.select(
        answerToSecurityQuestion: "tea", onStatusChange: { _ in done() }, onError: { _ in done() },
        onFactorStatusUpdate: { _ in })
    },
    row(
      "OktaFactorQuestion.verify(answerToSecurityQuestion:onStatusChange:onError:onFactorStatusUpdate:)",
      "MFA_CHALLENGE", "verifyFactor", "question", OktaFactorQuestion.self
    ) { factor, done in
      factor.verify(
        answerToSecurityQuestion: "tea", onStatusChange: { _ in done() }, onError: { _ in done() },
        onFactorStatusUpdate: { _ in })
    },
    row(
      "OktaFactorToken.enroll(credentialId:passCode:onStatusChange:onError:)", "MFA_ENROLL", "enrollFactor", "token",
      OktaFactorToken.self
    ) { factor, done in
      factor.enroll(credentialId: "c", passCode: "1", onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaFactorToken.select(passCode:onStatusChange:onError:)", "MFA_REQUIRED", "selectFactor", "token",
      OktaFactorToken.self
    ) { factor, done in
      factor.select(passCode: "1", onStatusChange: { _ in done() }, onError: { _ in done() })
    },
    row(
      "OktaFactorToken.verify(passCode:onStatusChange:onError:onFactorStatusUpdate:)", "MFA_CHALLENGE", "verifyFactor",
      "token", OktaFactorToken.self
    ) { factor, done in
      factor.verify(
        passCode: "1", onStatusChange: { _ in done() }, onError: { _ in done() }, onFactorStatusUpdate: { _ in })
    },
    row(
      "OktaFactorOther.sendRequest(with:keyValuePayload:onStatusChange:onError:onFactorStatusUpdate:)", "MFA_CHALLENGE",
      "sendRequest", "u2f", OktaFactorOther.self
    ) { factor, done in
      guard let url = URL(string: "https://acme.example/x") else { return done() }
      factor.sendRequest(
        with: LinksResponse.Link(href: url), keyValuePayload: ["a": 1],
        onStatusChange: { _ in done() }, onError: { _ in done() }, onFactorStatusUpdate: { _ in })
    },
  ]

}
