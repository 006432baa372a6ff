// Everything that an application sees of a response and its parts, on one line.

import EventStore
import FlowRecording
import Foundation

/// The lines.
enum ObjectTexts {
  private static func text<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "-" }

  static func text(_ response: Response) -> String {
    let user = response.user
    return [
      FlowTrials.text(response), text(response.expiresAt?.timeIntervalSince1970), text(user?.id),
      text(user?.profile?.firstName), text(user?.profile?.lastName), text(user?.profile?.locale),
      text(user?.profile?.timeZone),
      text(response.app?.id), text(response.app?.label), text(response.app?.name), text(response.captcha?.siteKey),
      text(response.captcha?.type), "\(response.canRestart)", response.description,
      response.messages.map(text).joined(separator: ","),
      response.messages.allMessages.map(text).joined(separator: ","),
      response.remediations.map(text).joined(separator: "\n "),
      response.authenticators.map(text).joined(separator: "\n "),
      text(response.authenticators.current?.id), "\(response.authenticators.enrolled.compactMap(\.id))",
      text(response.authenticators[.phone]?.id), "\(response.remediations.allSocialIdps.map(\.id))",
      equality(response),
    ].joined(separator: " ")
  }

  /// What descriptions and dumps show of the objects.
  static func printed(_ response: Response) -> String {
    let authenticators: [Any?] = response.authenticators.flatMap { authenticator -> [Any?] in
      [
        authenticator, authenticator.sendable, authenticator.resendable, authenticator.recoverable,
        authenticator.pollable, authenticator.numberChallenge, authenticator.otp, authenticator.duo,
      ]
    }
    let remediations: [Any?] = response.remediations.flatMap { remediation -> [Any?] in
      [
        remediation, remediation.form, remediation.pollable, remediation.socialIdp, remediation.webAuthnRegistration,
        remediation.webAuthnAuthentication,
      ] + Array(remediation.form)
    }
    let all: [Any?] = [response] + Array(response.messages) + authenticators + remediations
    return all.map(Printed.text).joined(separator: "\n ")
  }

  /// Which objects are equal, and how many of them a set contains.
  private static func equality(_ response: Response) -> String {
    let messages = response.messages.allMessages
    let pairs = messages.map { one in messages.map { one == $0 ? "1" : "0" }.joined() }
    let authenticators = response.authenticators.map { one in
      response.authenticators.map { one == $0 ? "1" : "0" }.joined()
    }
    return "\(pairs) \(Set(messages).count) \(authenticators) \(Set(response.authenticators).count) "
      + "\(Set(response.remediations).count) \(Set(response.remediations.allSocialIdps).count)"
  }

  private static func text(_ message: Response.Message) -> String {
    "\(message.type) \(message.localizationKey ?? "-") \(message.message) \(message.field?.name ?? "-") \(message)"
  }

  static func text(_ remediation: Remediation) -> String {
    let key = remediation.webAuthnRegistration
    let proof = remediation.webAuthnAuthentication
    return [
      remediation.name, "\(remediation.type)", text(remediation.href?.absoluteString), remediation.description,
      "\(remediation.capabilities.count)", "\(remediation.authenticators.compactMap(\.id))",
      remediation.form.map(text).joined(separator: ","), "\(remediation.messages.allMessages.count)",
      text(remediation.messages.message(for: "identifier")?.message),
      text(remediation.messages.message(for: "a.b.passcode")?.message),
      text(remediation.messages.message(for: "passcode.other")?.message), text(remediation.pollable?.isPolling),
      text(remediation.socialIdp.map { "\($0.redirectUrl) \($0.id) \($0.idpName) \($0.service)" }),
      text(key?.challenge.base64EncodedString()), text(key?.name), text(key?.displayName), text(key?.userId.count),
      text(key?.userVerification), text(key?.attestation), text(key?.algorithms), text(key?.relyingPartyIdentifier),
      text(key?.activationData.count), text(proof?.challenge.base64EncodedString()), text(proof?.userVerification),
      text(proof?.relyingPartyIdentifier), text(proof?.challengeData.count),
    ].joined(separator: " ")
  }

  static func text(_ field: Remediation.Form.Field) -> String {
    [
      text(field.name), text(field.label), text(field.type),
      [field.isMutable, field.isRequired, field.isSecret, field.isSelectedOption].map { $0 ? "1" : "0" }.joined(),
      text(field.value?.stringValue), text(field.selectedOption?.label), text(field.authenticator?.id), "\(field)",
      field.messages.map(text).joined(separator: ","),
      (field.form.map(Array.init) ?? []).map(text).description, (field.options ?? []).map(text).description,
    ].joined(separator: " ")
  }

  static func text(_ authenticator: Authenticator) -> String {
    let settings = authenticator.passwordSettings
    let profile = (authenticator.profile?.values ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let has: [Bool] = [
      authenticator.sendable != nil, authenticator.resendable != nil, authenticator.recoverable != nil,
      authenticator.pollable != nil,
    ]
    return [
      text(authenticator.id), text(authenticator.displayName), authenticator.type.stringValue, text(authenticator.key),
      "\(authenticator.state)", "\(authenticator.methods?.map { $0.stringValue ?? "-" } ?? [])",
      text(authenticator.allowedFor?.rawValue), authenticator.description, has.map { $0 ? "1" : "0" }.joined(),
      "\(profile)", text(settings?.passwordRules), text(settings?.daysToExpiry), text(settings?.excludeUsername),
      text(settings?.excludeAttributes), text(authenticator.otp.map { "\($0) \($0.sharedSecret ?? "-")" }),
      text(authenticator.duo?.host), text(authenticator.numberChallenge?.correctAnswer),
      "\((authenticator.context ?? [:]).keys.sorted())", "\(authenticator.capabilities.count)",
    ].joined(separator: " ")
  }
}
