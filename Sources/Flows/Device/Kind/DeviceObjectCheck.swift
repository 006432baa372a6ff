// Compares the members of a device's objects with the JSON that they were created from. The JSON is read here by
// different code than the objects use.

import EventStore
import FlowRecording
import Foundation

/// Checks the public members of one challenge.
struct DeviceObjectCheck {
  private let challenge: any PushChallengeProtocol
  private let claims: JSON
  private let core: DeviceCore
  private var found: [String] = []

  init(_ challenge: any PushChallengeProtocol, in core: DeviceCore, _ secrets: PlayedSecrets) {
    (self.challenge, self.core) = (challenge, core)
    claims = secrets.reveal(core.challenge?.challenge?.claims ?? .null)
  }

  /// Describes the first member that differs from the claims; `nil` if there is none.
  var complaint: String? {
    var check = self
    check.run()
    return check.found.first.map { "\($0) of the challenge is not what the org sent" }
  }

  private mutating func expect(_ member: String, _ isRight: Bool) { if !isRight { found.append(member) } }

  /// A time in seconds; the claim may be text.
  private func time(_ claim: String) -> Double? {
    claims[claim]?.int.map(Double.init) ?? claims[claim]?.string.flatMap(Double.init)
  }

  private mutating func run() {
    let context = claims["challengeContext"]
    expect("transactionId", challenge.transactionId == claims["transactionId"]?.string)
    expect(
      "originURL",
      challenge.originURL?.absoluteString == claims["iss"]?.string.flatMap { URL(string: $0) }?.absoluteString)
    expect("transactionTime", challenge.transactionTime.timeIntervalSince1970 == time("iat"))
    expect("expiresAt", challenge.expiresAt.timeIntervalSince1970 == time("exp"))
    expect("appInstanceName", challenge.appInstanceName == claims["appInstanceName"]?.string)
    expect("clientLocation", challenge.clientLocation == context?["clientLocation"]?.string)
    expect("clientOS", challenge.clientOS == context?["clientOS"]?.string)
    expect("challengeTextItems", challenge.challengeTextItems == Self.texts(context?["challengeTextItems"]))
    expect("unusualActivities", challenge.unusualActivities == Self.texts(context?["unusualActivitiesTextItems"]))
    let requirements: [String: UserVerificationChallengeRequirement] = [
      "DISCOURAGED": .discouraged, "PREFERRED": .preferred, "REQUIRED": .required,
    ]
    expect(
      "userVerificationRequirement",
      challenge.userVerificationRequirement == requirements[claims["userVerification"]?.string ?? ""] ?? .none)
    expect("isVerified", challenge.isVerified == core.challenge?.isVerified)
    let responses: [String?: PushChallengeUserResponse] = [nil: .userNotResponded, "approved": .userApproved]
    expect("userResponse", challenge.userResponse == responses[core.challenge?.answer] ?? .userDenied)
    let ciba = challenge as? any CIBAChallengeProtocol
    expect("type", (ciba != nil) == (context?["transactionType"] == "CIBA"))
    let message = context?["bindingMessage"]?.string
    // Values that are percent-encoded or hidden have their own tests.
    if let ciba,
      message?.allSatisfy({ $0 != "%" && ($0.isLetter || $0.isNumber || $0 == " " || $0.isPunctuation) }) ?? true
    {
      expect("cibaBindingMessage", ciba.cibaBindingMessage == message)
    }
  }

  private static func texts(_ json: JSON?) -> [String] { (json?.array ?? []).compactMap(\.string) }
}

/// Checks a step of a challenge.
struct DeviceStepCheck {
  private let step: RemediationStep

  init(_ step: RemediationStep) { self.step = step }

  /// Describes how the step that the application received differs from its event; `nil` if it does not.
  func complaint(_ kind: DeviceEvent, _ data: JSON, in core: DeviceCore) -> String? {
    guard step.challenge.transactionId == data["transactionId"]?.string else { return "the step has another challenge" }
    let claims = core.challenge?.challenge?.claims
    switch (kind, step) {
    case (.consentRequested, let step as RemediationStepUserConsent):
      return step.enrollment.enrollmentId == claims?["authenticatorEnrollmentId"]?.string
        ? nil : "the step has another enrollment"
    case (.verificationRequested, is RemediationStepUserVerification): return nil
    case (.keyFallback, let step as RemediationStepMessage):
      let isSame =
        step.message == data["message"]?.string && step.reasonType.rawValue == data["reason"]?.string
        && step.messageType == .nonFatalError && step.error.map { DeviceErrorCheck($0).name } == data["error"]?.string
      return isSame ? nil : "the message is another one"
    case _: return "another step was handed over"
    }
  }
}

/// Checks an authenticator's configuration.
enum DevicePolicyCheck {
  static func complaint(about policy: any AuthenticatorPolicyProtocol, _ answer: JSON) -> String? {
    let active = answer.array?.first { element in
      element["supportedMethods"]?.array?.contains { $0["type"] == "push" && $0["status"] == "ACTIVE" } == true
    }
    let word = active?["settings"]?["userVerification"]?.string?.lowercased() ?? ""
    let setting: UserVerificationPolicySetting =
      switch word {
      case "preferred": .preferred
      case "required": .required
      case _: .unknown(word)
      }
    return policy.userVerificationSetting == setting
      ? nil : "userVerificationSetting of the policy is not what the org sent"
  }
}
