// Holds what a status object shows against the answer that it was made of, read here apart from the code that the object
// reads it with.

import EventStore
import FlowRecording
import Foundation

/// Checks the public members of one status object.
struct AuthnObjectCheck {
  private let status: OktaAuthStatus
  private let answer: JSON
  private var found: [String] = []

  init(_ status: OktaAuthStatus) {
    self.status = status
    answer = status.object.session.flow.vault.reveal(status.object.state.current?.body ?? .null)
  }

  /// The first member that shows something else, in a sentence; nil if all show the answer.
  var complaint: String? {
    var check = self
    check.transaction()
    check.classes()
    for factor in status.factors { check.factor(factor) }
    return check.found.first.map { "\($0) of the status object is not what the org sent" }
  }

  private mutating func expect(_ member: String, _ isRight: Bool) { if !isRight { found.append(member) } }

  /// Whether the answer has a link of that relation. An address that is no text is a secret in the state, and that is one.
  private func link(_ name: String) -> Bool {
    Self.list(answer["_links"]?[name]).contains { link in
      switch link["href"] {
      case .string, .number, .bool: true
      case .null, .array, .object, nil: false
      }
    }
  }

  /// Whether there is a link that leads somewhere.
  private static func isLink(_ json: JSON?) -> Bool {
    list(json).contains { $0["href"]?.string.flatMap { URL(string: $0) } != nil }
  }

  /// A link alone, or a list of links.
  private static func list(_ json: JSON?) -> [JSON] { json.map { $0.array ?? [$0] } ?? [] }

  private mutating func transaction() {
    expect("statusType", status.statusType.raw == answer["status"]?.string)
    expect("model", status.model.json == answer)
    let model = status.model
    expect("stateToken", model.stateToken == answer["stateToken"]?.string)
    expect("sessionToken", model.sessionToken == answer["sessionToken"]?.string)
    expect("recoveryToken", model.recoveryToken == answer["recoveryToken"]?.string)
    expect("relayState", model.relayState == answer["relayState"]?.string)
    expect("factorResult", status.factorResult?.rawValue == answer["factorResult"]?.string)
    expect("recoveryType", model.recoveryType?.rawValue == answer["recoveryType"]?.string)
    expect("factorType", model.factorType?.rawValue.lowercased() == answer["factorType"]?.string?.lowercased())
    let user = answer["_embedded"]?["user"]
    expect("user.id", status.user?.id == user?["id"]?.string)
    let profile = user?["profile"]
    expect("user.profile.login", status.user?.profile?.login == profile?["login"]?.string)
    expect("user.profile.firstName", status.user?.profile?.firstName == profile?["firstName"]?.string)
    expect("user.profile.lastName", status.user?.profile?.lastName == profile?["lastName"]?.string)
    expect("canReturn", status.canReturn() == link("prev"))
    expect("canCancel", status.canCancel() == link("cancel"))
  }

  private mutating func classes() {
    let (token, next) = (answer["stateToken"]?.string ?? "", link("next"))
    switch status {
    case let status as OktaAuthStatusSuccess:
      expect("sessionToken", status.sessionToken == answer["sessionToken"]?.string)
    case let status as OktaAuthStatusFactorChallenge:
      expect("canVerify", status.canVerify() == next)
      expect("canResend", status.canResend() == link("resend"))
      expect("stateToken", status.stateToken == token)
    case let status as OktaAuthStatusFactorEnrollActivate:
      expect("canResend", status.canResend() == link("resend"))
      expect("stateToken", status.stateToken == token)
    case let status as OktaAuthStatusFactorEnroll:
      expect("canSkipEnrollment", status.canSkipEnrollment() == link("skip"))
      expect("availableFactors", status.availableFactors.count == status.factors.count)
    case let status as OktaAuthStatusFactorRequired:
      expect("availableFactors", status.availableFactors.count == status.factors.count)
      expect("stateToken", status.stateToken == token)
    case let status as OktaAuthStatusPasswordReset:
      expect("canReset", status.canReset() == next)
    case let status as OktaAuthStatusPasswordWarning:
      expect("canSkip", status.canSkip() == link("skip"))
      expect("canChange", status.canChange() == next)
    case let status as OktaAuthStatusPasswordChange: expect("canChange", status.canChange() == next)
    case let status as OktaAuthStatusRecovery:
      expect("canRecover", status.canRecover() == next)
      let question = answer["_embedded"]?["user"]?["recovery_question"]?["question"]?.string
      expect("recoveryQuestion", status.recoveryQuestion == question)
    case let status as OktaAuthStatusRecoveryChallenge:
      expect("canVerify", status.canVerify() == next)
      expect("canResend", status.canResend() == link("resend"))
    case let status as OktaAuthStatusLockedOut: expect("canUnlock", status.canUnlock() == next)
    default: break
    }
  }

  private mutating func factor(_ factor: OktaFactor) {
    let json = sent(factor.index)
    expect("factor.id", factor.id == json?["id"]?.string)
    expect("factor.type", factor.type.raw.lowercased() == (json?["factorType"]?.string ?? "").lowercased())
    expect("factor.provider", factor.provider?.raw == json?["provider"]?.string)
    expect("factor.vendorName", factor.vendorName == json?["vendorName"]?.string)
    expect("factor.status", factor.status == json?["status"]?.string)
    expect("factor.enrollment", factor.enrollment == json?["enrollment"]?.string)
    let profile = json?["profile"]
    expect("factor.profile.phoneNumber", factor.profile?.phoneNumber == profile?["phoneNumber"]?.string)
    expect("factor.profile.credentialId", factor.profile?.credentialId == profile?["credentialId"]?.string)
    expect("factor.profile.question", factor.profile?.question == profile?["question"]?.string)
    expect("factor.profile.questionText", factor.profile?.questionText == profile?["questionText"]?.string)
    expect("factor.canEnroll", factor.canEnroll() == Self.isLink(json?["_links"]?["enroll"]))
    expect("factor.canSelect", factor.canSelect() == Self.isLink(json?["_links"]?["verify"]))
    if let push = factor as? OktaFactorPush, case .number? = json?["_embedded"]?["challenge"]?["correctAnswer"] {
      let number = json?["_embedded"]?["challenge"]?["correctAnswer"]
      expect("factor.correctAnswer", push.correctAnswer == number?.int)
    }
  }

  /// The factor as the org sent it: in a list, or alone.
  private func sent(_ index: Int) -> JSON? {
    let embedded = answer["_embedded"]
    let list = embedded?["factors"] ?? embedded?["factor"]
    let all = (list?.array ?? list.map { [$0] } ?? []).filter { $0.object != nil }
    return all.indices.contains(index) ? all[index] : nil
  }
}
