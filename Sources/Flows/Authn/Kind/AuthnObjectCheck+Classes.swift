// The members specific to each class of status.

import EventStore
import Foundation

extension AuthnObjectCheck {
  private static let classes: [String: OktaAuthStatus.Type] = [
    "SUCCESS": OktaAuthStatusSuccess.self, "PASSWORD_WARN": OktaAuthStatusPasswordWarning.self,
    "PASSWORD_EXPIRED": OktaAuthStatusPasswordExpired.self, "PASSWORD_RESET": OktaAuthStatusPasswordReset.self,
    "RECOVERY": OktaAuthStatusRecovery.self, "RECOVERY_CHALLENGE": OktaAuthStatusRecoveryChallenge.self,
    "MFA_ENROLL": OktaAuthStatusFactorEnroll.self, "MFA_ENROLL_ACTIVATE": OktaAuthStatusFactorEnrollActivate.self,
    "MFA_REQUIRED": OktaAuthStatusFactorRequired.self, "MFA_CHALLENGE": OktaAuthStatusFactorChallenge.self,
    "LOCKED_OUT": OktaAuthStatusLockedOut.self, "UNAUTHENTICATED": OktaAuthStatusUnauthenticated.self,
  ]

  mutating func classes() {
    let expected = Self.classes[answer["status"]?.string ?? ""] ?? OktaAuthStatus.self
    expect("the class", type(of: status) == expected)
    factorClasses()
    recoveryClasses()
    passwordClasses()
    switch status {
    case let status as OktaAuthStatusSuccess:
      expect("sessionToken", status.sessionToken == answer["sessionToken"]?.string)
      expect("recoveryType", status.recoveryType?.rawValue == answer["recoveryType"]?.string)
    case let status as OktaAuthStatusLockedOut: expect("canUnlock", status.canUnlock() == hasLink("next"))
    default: break
    }
  }

  private mutating func factorClasses() {
    let (token, next) = (answer["stateToken"]?.string ?? "", hasLink("next"))
    let nextName = Self.usable(answer["_links"]?["next"]).first?["name"]?.string
    let polls = nextName == "poll" || sentFactors.first?["factorType"]?.string?.lowercased() == "push"
    switch status {
    case let status as OktaAuthStatusFactorChallenge:
      expect("canVerify", status.canVerify() == next)
      expect("canResend", status.canResend() == hasLink("resend"))
      expect("canPoll", status.canPoll() == polls)
      expect("stateToken", status.stateToken == token)
      expect("factor", status.factors.first.map { $0 === status.factor } ?? true)
    case let status as OktaAuthStatusFactorEnrollActivate:
      expect("canResend", status.canResend() == hasLink("resend"))
      expect("canResend(factor:)", status.canResend(factor: status.factor) == hasLink("resend"))
      expect("canPoll", status.canPoll() == polls)
      expect("stateToken", status.stateToken == token)
      expect("factor", status.factors.first.map { $0 === status.factor } ?? true)
      let address = Self.usable(answer["_links"]?["next"]).first?["href"]?.string.flatMap { URL(string: $0) }
      if let address { expect("activateLink", status.activateLink.href == address) }
    case let status as OktaAuthStatusFactorEnroll:
      expect("canSkipEnrollment", status.canSkipEnrollment() == hasLink("skip"))
      expect("availableFactors", status.availableFactors.elementsEqual(status.factors) { $0 === $1 })
      expect("stateToken", status.stateToken == token)
      for factor in status.factors {
        expect("canEnrollFactor", status.canEnrollFactor(factor: factor) == factor.canEnroll())
      }
    case let status as OktaAuthStatusFactorRequired:
      expect("availableFactors", status.availableFactors.elementsEqual(status.factors) { $0 === $1 })
      expect("stateToken", status.stateToken == token)
    default: expect("canPoll", !status.canPoll())
    }
  }

  private mutating func recoveryClasses() {
    switch status {
    case let status as OktaAuthStatusRecovery:
      expect("canRecover", status.canRecover() == hasLink("next"))
      let question = answer["_embedded"]?["user"]?["recovery_question"]?["question"]?.string
      expect("recoveryQuestion", status.recoveryQuestion == question)
      expect("recoveryToken", status.recoveryToken == answer["recoveryToken"]?.string)
      expect("recoveryType", status.recoveryType?.rawValue == answer["recoveryType"]?.string)
      expect("stateToken", status.stateToken == answer["stateToken"]?.string ?? "")
    case let status as OktaAuthStatusRecoveryChallenge:
      expect("canVerify", status.canVerify() == hasLink("next"))
      expect("canResend", status.canResend() == hasLink("resend"))
      expect("stateToken", status.stateToken == answer["stateToken"]?.string)
      expect("recoveryType", status.recoveryType?.rawValue == answer["recoveryType"]?.string)
      expect("factorType", status.factorType?.rawValue.lowercased() == answer["factorType"]?.string?.lowercased())
    default: break
    }
  }

  private mutating func passwordClasses() {
    let token = answer["stateToken"]?.string ?? ""
    if let status = status as? OktaAuthStatusPasswordReset {
      expect("canReset", status.canReset() == hasLink("next"))
      expect("stateToken", status.stateToken == token)
      expect("recoveryType", status.recoveryType?.rawValue == answer["recoveryType"]?.string)
      rules(status.passwordComplexity, status.passwordAge)
      expiration(status.passwordExpiration)
    }
    if let status = status as? OktaAuthStatusPasswordChange {
      expect("canChange", status.canChange() == hasLink("next"))
      expect("stateToken", status.stateToken == token)
      rules(status.passwordComplexity, status.passwordAge)
    }
    if let status = status as? OktaAuthStatusPasswordWarning {
      expect("canSkip", status.canSkip() == hasLink("skip"))
      expiration(status.passwordExpiration)
    }
  }
}
