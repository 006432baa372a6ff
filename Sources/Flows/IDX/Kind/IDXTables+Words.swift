// Which case each word of a response becomes in the public API.

import FlowRecording

extension IDXKind {
  static var spoken: Set<String> {
    let kinds = [
      "app", "email", "phone", "password", "security_question", "device", "security_key", "federated",
    ]
    let methods = [
      "sms", "voice", "push", "signed_nonce", "signedNonce", "totp", "otp", "webauthn", "idp", "duo",
    ]
    let intents = [
      "ENROLL_NEW_USER", "LOGIN", "CREDENTIAL_ENROLLMENT", "CREDENTIAL_UNENROLLMENT", "CREDENTIAL_RECOVERY",
      "CREDENTIAL_MODIFY",
    ]
    let documented =
      IDXWords.remediations.keys.sorted() + kinds + methods + intents
      + ["ERROR", "INFO", "any", "sso", "recovery", "none"]
    let words = documented.flatMap { [$0, $0.lowercased(), $0.uppercased()] } + ["", "odd", "WARNING"]
    return Set(words.map { "\($0)|\(meanings(of: $0))" })
  }

  private static let intents: [Response.Intent] = [
    .enrollNewUser, .login, .credentialEnrollment, .credentialUnenrollment, .credentialRecovery, .credentialModify,
  ]
  private static let severities: [Response.Message.Severity] = [.error, .info, .unknown]
  private static let goals: [Authenticator.Goal] = [.any, .sso, .recovery, .none]

  /// What a word means in each vocabulary.
  private static func meanings(of word: String) -> String {
    let type = Remediation.RemediationType(string: word)
    let names = IDXWords.remediations.filter { $0.value == type }.keys.sorted()
    let (kind, method) = (Authenticator.Kind(string: word), Authenticator.Method(string: word))
    let intent = Response.Intent(wire: word)
    let goal = Authenticator.Goal(rawValue: word).flatMap { goals.firstIndex(of: $0) } ?? -1
    let severity = severities.firstIndex(of: Response.Message.Severity(string: word)) ?? -1
    let unknown = [type.isUnknown, kind.isUnknown, method.isUnknown, intent.isUnknown]
    return "\(names) \(kind.stringValue) \(method.stringValue ?? "-") \(intents.firstIndex(of: intent) ?? -1) "
      + "\(severity) \(goal) \(unknown)"
  }
}
