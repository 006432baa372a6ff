// Everything that an application sees of a status, its factors and an error, as one line.

import EventStore
import FlowRecording
import Foundation

/// The lines.
enum TrialTexts {
  private static func text<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "-" }

  static func text(_ error: OktaError) -> String {
    "\(Printed.text(error)) | \(error.recoverySuggestion ?? "-") | \(error.httpStatus ?? 0)"
  }

  static func text(_ link: LinksResponse.Link?) -> String {
    link.map { "\($0.name ?? "-") \($0.href.absoluteString) \($0.allow)" } ?? "-"
  }

  private static func text(_ links: LinksResponse?) -> String {
    guard let links else { return "-" }
    let one = [
      links.next, links.prev, links.cancel, links.skip, links.verify, links.enroll, links.questions, links.activate,
    ]
    return one.map { text($0) }.joined(separator: ",")
      + " \(links.send?.count ?? -1) \(links.resend?.links.count ?? -1)"
      + " \(links.qrcode?.href.absoluteString ?? "-")"
  }

  /// All of a status.
  static func text(_ status: OktaAuthStatus) -> String {
    let flags = [status.canReturn(), status.canCancel(), status.canPoll()]
    let common = [
      "\(type(of: status))", status.statusType.rawValue, status.statusType.description,
      flags.map { $0 ? "1" : "0" }.joined(), text(status.links), text(status.user?.profile?.login),
      text(status.factorResult?.rawValue), "\(status.factors.count)", "\(status.responseHandler.pollInterval)",
    ]
    return (common + special(status) + status.factors.map(text)).joined(separator: " ")
  }

  private static func special(_ status: OktaAuthStatus) -> [String] {
    switch status {
    case let status as OktaAuthStatusUnauthenticated: [text(status.stateToken)]
    case let status as OktaAuthStatusSuccess: [text(status.sessionToken), text(status.recoveryType?.rawValue)]
    case let status as OktaAuthStatusPasswordWarning:
      [
        "\(status.canChange()) \(status.canSkip())", status.stateToken,
        text(status.passwordExpiration?.passwordExpireDays), text(status.passwordComplexity?.minLength),
        text(status.passwordAge?.historyCount),
      ]
    case let status as OktaAuthStatusPasswordChange:
      [
        "\(status.canChange())", status.stateToken, text(status.passwordComplexity?.minNumber),
        text(status.passwordAge?.minAgeMinutes),
      ]
    case let status as OktaAuthStatusPasswordReset:
      [
        "\(status.canReset())", status.stateToken, text(status.recoveryType?.rawValue),
        text(status.passwordExpiration?.passwordExpireDays), text(status.passwordComplexity?.minSymbol),
        text(status.passwordAge?.historyCount),
      ]
    case let status as OktaAuthStatusRecovery:
      [
        "\(status.canRecover())", status.stateToken, text(status.recoveryQuestion), text(status.recoveryToken),
        text(status.recoveryType?.rawValue),
      ]
    case let status as OktaAuthStatusRecoveryChallenge:
      [
        "\(status.canVerify()) \(status.canResend())", text(status.stateToken), text(status.recoveryType?.rawValue),
        text(status.factorType?.rawValue),
      ]
    case let status as OktaAuthStatusFactorEnroll:
      [
        status.stateToken, "\(status.canSkipEnrollment()) \(status.availableFactors.count)",
        "\(status.availableFactors.map { status.canEnrollFactor(factor: $0) })",
      ]
    case let status as OktaAuthStatusFactorRequired: [status.stateToken, "\(status.availableFactors.count)"]
    case let status as OktaAuthStatusFactorChallenge:
      [status.stateToken, "\(status.canVerify()) \(status.canResend())", status.factor.id ?? "-"]
    case let status as OktaAuthStatusFactorEnrollActivate:
      [
        status.stateToken, "\(status.canResend()) \(status.canResend(factor: status.factor))", status.factor.id ?? "-",
        text(status.activateLink),
      ]
    case let status as OktaAuthStatusLockedOut: ["\(status.canUnlock())"]
    default: []
    }
  }

  /// All of a factor.
  static func text(_ factor: OktaFactor) -> String {
    let flags = [factor.canEnroll(), factor.canActivate(), factor.canSelect(), factor.canVerify()]
    let common = [
      "\(type(of: factor))", text(factor.id), factor.type.rawValue, text(factor.provider?.rawValue),
      text(factor.vendorName), text(factor.status), text(factor.enrollment), flags.map { $0 ? "1" : "0" }.joined(),
      text(factor.links),
    ]
    return "[" + (common + special(factor)).joined(separator: " ") + "]"
  }

  private static func special(_ factor: OktaFactor) -> [String] {
    switch factor {
    case let factor as OktaFactorQuestion:
      [text(factor.factorQuestionId), text(factor.factorQuestionText), text(factor.securityQuestionsLink)]
    case let factor as OktaFactorPhone: [text(factor.phoneNumber)]
    case let factor as OktaFactorPush:
      [
        text(factor.activation?.sharedSecret), text(factor.activationLinks), text(factor.qrCodeLink?.type),
        text(factor.sendLinks?.count), text(factor.codeViaSmsLink()), text(factor.codeViaEmailLink()),
        text(factor.correctAnswer),
      ]
    case let factor as OktaFactorTotp:
      [
        text(factor.activation?.timeStep), text(factor.activationLinks),
        text(factor.qrCodeLink?.href.absoluteString),
      ]
    case let factor as OktaFactorToken: [text(factor.credentialId), text(factor.factorProvider?.rawValue)]
    case let factor as OktaFactorOther: [text(factor.activation?.encoding)]
    default: []
    }
  }
}
