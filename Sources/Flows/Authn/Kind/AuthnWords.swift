// The words of the API with the cases they must become: a word that is mistyped in a model reads and writes the same
// text, but becomes a different case.

import FlowRecording

/// Compares words with the documentation of the API, independently of the models.
enum AuthnWords {
  static let factors: [String: FactorType] = [
    "question": .question, "sms": .sms, "call": .call, "push": .push, "token:software:totp": .TOTP, "token": .token,
    "token:hardware": .tokenHardware, "web": .web, "u2f": .u2f, "email": .email,
  ]
  static let providers: [String: FactorProvider] = [
    "OKTA": .okta, "GOOGLE": .google, "RSA": .rsa, "SYMANTEC": .symantec, "YUBICO": .yubico, "DUO": .duo, "FIDO": .fido,
  ]
  static let results: [String: OktaAPISuccessResponse.FactorResult] = [
    "WAITING": .waiting, "SUCCESS": .success, "ACTIVE": .active, "PENDING_ACTIVATION": .pending,
    "CANCELLED": .cancelled, "REJECTED": .rejected, "TIMEOUT": .timeout, "TIME_WINDOW_EXCEEDED": .timeWindowExceeded,
    "PASSCODE_REPLAYED": .passcodeReplayed, "ERROR": .error,
  ]
  /// The description of each status.
  static let statuses = [
    "UNAUTHENTICATED": "Unauthenticated", "PASSWORD_WARN": "Password Warning", "PASSWORD_EXPIRED": "Password Expired",
    "RECOVERY": "Recovery", "RECOVERY_CHALLENGE": "Recovery Challenge", "PASSWORD_RESET": "Password Reset",
    "LOCKED_OUT": "Locked Out", "MFA_ENROLL": "MFA Enroll", "MFA_ENROLL_ACTIVATE": "MFA Enroll Activate",
    "MFA_REQUIRED": "MFA Required", "MFA_CHALLENGE": "MFA Challenge", "SUCCESS": "Success",
  ]
  /// The advice for each error code.
  static let advice: [OktaErrorAdvice: [String]] = [
    .retryStep: ["E0000014", "E0000068", "E0000080", "E0000082", "E0000083", "E0000087"],
    .waitThenRetry: ["E0000047", "E0000109", "E0000118", "E0000133", "E0000204", "E0000205"],
    .startOver: ["E0000011", "E0000069", "E0000079", "E0000105", "E0000110"],
    .checkConfiguration: ["E0000015", "E0000018", "E0000019", "E0000021", "E0000022", "E0000122"],
    .tryLater: ["E0000009", "E0000010", "E0000067", "E0000138", "E0000139"],
  ]

  /// Whether a word became its case; words without a table are not checked.
  static func isCase<Word: Equatable>(_ word: Word?, _ text: String?, of cases: [String: Word]) -> Bool {
    guard let text, let expected = cases[text] else { return true }
    return word == expected
  }
}
