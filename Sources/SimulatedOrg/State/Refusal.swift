// The errors of authn.md §9.2. Code and HTTP status are contract, the texts are not.

/// An answer that is an error object.
struct Refusal: Error {
  var status: Int
  var code: String
  var summary: String
  var causes: [String] = []

  init(_ status: Int, _ code: String, _ summary: String, _ causes: [String] = []) {
    (self.status, self.code, self.summary, self.causes) = (status, code, summary, causes)
  }

  /// The error object; `errorId` is unique per occurrence.
  func body(errorId: String) -> OrgJSON {
    [
      "errorCode": .string(code), "errorSummary": .string(summary), "errorLink": .string(code),
      "errorId": .string(errorId), "errorCauses": .array(causes.map { ["errorSummary": .string($0)] }),
    ]
  }

  static func invalidField(_ name: String, _ why: String) -> Self {
    Self(400, "E0000001", "Api validation failed: \(name)", ["\(name): \(why)"])
  }
  static let notJSON = Self(400, "E0000003", "The request body was not well-formed.")
  static let badCredentials = Self(401, "E0000004", "Authentication failed")
  static func noSuchResource(_ what: String) -> Self {
    Self(404, "E0000007", "Not found: Resource not found: \(what)")
  }
  static let noSuchPath = Self(404, "E0000008", "The requested path was not found")
  static let misdirected = Self(421, "E0000008", "This org is not served under that host name.")
  static let internalError = Self(500, "E0000009", "Internal Server Error")
  static let invalidToken = Self(401, "E0000011", "Invalid token provided")
  static func updateFailed(_ cause: String) -> Self { Self(403, "E0000014", "Update of credentials failed", [cause]) }
  static let noContentType = Self(400, "E0000018", "Bad request. Accept and/or Content-Type headers likely not set.")
  static let noAccept = Self(400, "E0000019", "Bad request. Accept and/or Content-Type headers likely not set.")
  static let otherContentType = Self(
    400, "E0000021", "Bad request. Accept and/or Content-Type headers likely do not match supported values.")
  static let wrongMethod = Self(405, "E0000022", "The endpoint does not support the provided HTTP method")
  static let unlockForbidden = Self(403, "E0000032", "Unlock is not allowed for this user.")
  static let recoveryForbidden = Self(403, "E0000034", "Forgot password not allowed on specified user.")
  static let rateLimit = Self(429, "E0000047", "API call exceeded rate limit due to too many requests.")
  static let wrongCode = Self(
    403, "E0000068", "Invalid Passcode/Answer", ["Your passcode doesn't match our records. Please try again."])
  static let lockedByCodes = Self(
    403, "E0000069", "User Locked", ["Maximum number of attempts reached. Account is locked."])
  static let notInThisState: Self = {
    let text = "This operation is not allowed in the current authentication state."
    return Self(403, "E0000079", text, [text])
  }()
  static func weakPassword(_ cause: String) -> Self {
    Self(
      403, "E0000080", "The password does not meet the complexity requirements of the current password policy.", [cause]
    )
  }
  static let codeReplayed = Self(
    403, "E0000082", "Each code can only be used once. Please wait for a new code and try again.")
  static let codeTooLate = Self(
    403, "E0000083", "PassCode is valid but exceeded time window.", ["PassCode is valid but exceeded time window."])
  static let wrongRecoveryAnswer = Self(403, "E0000087", "The recovery question answer did not match our records.")
  static let recoveryUnknown = Self(403, "E0000095", "Recovery not allowed for unknown user.")
  static let noPhone = Self(
    403, "E0000097", "There is no verified phone number on file.", ["There is no verified phone number on file."])
  static let badPhone = Self(400, "E0000098", "This phone number is invalid.")
  static let recoveryTokenUsed = Self(403, "E0000105", "You have accessed an account recovery link that has expired.")
  static let textTooSoon = Self(
    429, "E0000109", "An SMS message was recently sent. Please wait 30 seconds before trying again.")
  static let mailTooSoon = Self(
    429, "E0000118", "An email was recently sent. Please wait 5 seconds before trying again.")
  static let lockedRecovery = Self(403, "E0000119", "Your account is locked. Please contact your administrator.")
  static let otherAccept = Self(406, "E0000122", "The Accept header does not match any supported media type.")
  static let callTooSoon = Self(
    429, "E0000133", "A call was recently made. Please wait 30 seconds before trying again.")
}
