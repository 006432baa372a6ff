// The messages of a response for the person (idx.md §9.1).

/// A message of a step or of one field. The key is contract, the text is not.
struct IonMessage: Equatable {
  var text: String
  var key: String
  var severity = "ERROR"
  var params: [String] = []

  var json: OrgJSON {
    [
      "message": .string(text),
      "i18n": ["key": .string(key), "params": .array(params.map(OrgJSON.string))], "class": .string(severity),
    ]
  }

  static func list(_ messages: [Self]) -> OrgJSON {
    ["type": "array", "value": .array(messages.map(\.json))]
  }
}

extension IonMessage {
  static let sessionExpired = Self(
    text: "You have been logged out due to inactivity. Refresh or return to the sign in screen.",
    key: "idx.session.expired")
  static let badRequest = Self(text: "Bad request.", key: "E0000020")
  static let notNow = Self(
    text: "This operation is not allowed in the current authentication state.", key: "errors.E0000079")
  static let blank = Self(text: "This field cannot be left blank", key: "model.validation.field.blank")
  static let badChoice = Self(text: "The value is none of the options.", key: "model.validation.field.invalid")
  static let failed = Self(text: "Authentication failed", key: "errors.E0000004")
  static let denied = Self(
    text: "You do not have permission to perform the requested action.", key: "security.access_denied")
  static let unsatisfiable = Self(
    text: "Unable to login at this time. For assistance, please contact your administrator.",
    key: "oie.assurance.unsatisfiable")
  static let lockedOut = Self(
    text: "Your account is locked. Please contact your administrator.", key: "errors.E0000119")
  static let wrongCode = Self(text: "Invalid code. Try again.", key: "api.authn.error.PASSCODE_INVALID")
  static let wrongTimeCode = Self(
    text: "Your code doesn't match our records. Please try again.",
    key: "authfactor.challenge.soft_token.invalid_passcode")
  static let usedCode = Self(
    text: "Each code can only be used once. Please wait for a new code and try again.",
    key: "authfactor.challenge.soft_token.used_passcode")
  static let wrongAnswer = Self(
    text: "Your answer doesn't match our records. Please try again.",
    key: "authfactor.challenge.question_factor.answer_invalid")
  static let shortAnswer = Self(
    text: "The security question answer must be at least 4 characters in length",
    key: "securityQuestion.answer.tooShort.arg", params: ["4"])
  static let wrongKey = Self(
    text: "Unable to authenticate with this security key or biometric.", key: "authfactor.webauthn.error")
  static let wrongDuo = Self(
    text: "Duo web signature verification failed.", key: "oie.authenticator.duo.method.duo.verification_failed")
  static let lateDuo = Self(
    text: "We did not hear back from Duo.", key: "oie.authenticator.duo.method.duo.verification_timeout")
  static let tooManyRequests = Self(text: "Too many requests", key: "tooManyRequests")
  static let tooManyTexts = Self(
    text: "You have reached the limit of sms requests, please try again later.", key: "errors.E0000150")
  static let tooManyCalls = Self(
    text: "You have reached the limit of call requests, please try again later.", key: "errors.E0000151")
  static let badPhone = Self(text: "Invalid Phone Number.", key: "api.factors.error.sms.invalid_phone")
  static let badAddress = Self(
    text: "'Email' must be in the form of an email address", key: "registration.error.invalidLoginEmail",
    params: ["Email"])
  static let takenAddress = Self(
    text: "A user with this Email already exists", key: "registration.error.notUniqueWithinOrg", params: ["Email"])
  static let usedPassword = Self(
    text: "Password has been used too recently.", key: "password.passwordRequirementsNotMet.history")
  static let pushRejected = Self(
    text: "You have chosen to reject this login.", key: "api.authn.poll.error.push_rejected")
  static let pushTimedOut = Self(
    text: "Your push notification has expired.", key: "authfactor.challenge.okta_verify_push.timed_out")
  static let pushCancelled = Self(
    text: "Operation cancelled on other device.", key: "idx.operation.cancelled.on.other.device")
  static let returnToTab = Self(
    text: "Please return to the original tab.", key: "idx.return.to.original.tab", severity: "INFO")
  static let linkExpired = Self(
    text: "This email link has expired. To resend it, return to the screen where you requested it.",
    key: "idx.return.link.expired", severity: "INFO")
  static let linkStale = Self(
    text: "This email link is out of date. Return to the screen where you requested it.", key: "idx.return.stale")
  static let unlocked = Self(
    text: "Your account is now unlocked!", key: "oie.selfservice.unlock_user.success.message", severity: "INFO")
  static let cancelledByUser = Self(text: "Operation cancelled by user.", key: "idx.operation.cancelled.by.user")

  static func passwordRules(_ policy: OrgPasswordPolicy) -> Self {
    Self(text: policy.sentence, key: "password.passwordRequirementsNotMet")
  }
  static func unknownUser(_ name: String) -> Self {
    Self(text: "There is no account with the Username \(name).", key: "idx.unknown.user", severity: "INFO")
  }
  static func passwordExpires(_ app: String) -> Self {
    Self(
      text: "When your password expires, you will have to change your password before you can login to \(app).",
      key: "idx.password.expiring.message", severity: "INFO", params: [app])
  }
}
