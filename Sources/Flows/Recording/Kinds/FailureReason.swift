// Why a sign-in did not proceed, in one vocabulary for all kinds of flow. Derived from events when they are read, so
// that old logs have reasons too.

public import EventStore

/// Why a factor, a call or a sign-in failed.
public enum FailureReason: String, Sendable, Hashable, CaseIterable {
  /// The password, or the login entered with it, was not accepted by the org.
  case wrongPassword
  /// A code, an answer or another proof was wrong.
  case wrongCode
  /// The person rejected a push, a consent or a verification.
  case rejected
  /// No answer came in time, either from the person or from the org.
  case timedOut
  /// The account is locked.
  case locked
  /// Something that the request needed had expired: the transaction, a token, a challenge.
  case expired
  /// The org answered that there were too many requests.
  case rateLimited
  /// The org could not be reached, or the connection broke.
  case network
  /// The org refused for another reason, or failed itself.
  case org
  /// The SDK or the application refused before anything was sent, or could not read the answer.
  case client
  /// It was abandoned without a failure.
  case abandoned

  /// The reason for the error of a `call.returned`.
  ///
  /// - Parameters:
  ///   - error: the name of the error.
  ///   - details: its details, as the event has them.
  ///   - isPassword: whether a password was tried last, so that a refused credential means the password.
  public init(error: String, details: JSON, isPassword: Bool) {
    let status = details["httpStatus"]?.int
    if status == 429 {
      self = .rateLimited
    } else if let code = details["errorCode"]?.string ?? details["body"]?["errorCode"]?.string,
      let reason = FailureReason(errorCode: code, isPassword: isPassword)
    {
      self = reason
    } else if let code = details["oauthCode"]?.string ?? details["body"]?["error"]?.string {
      self = FailureReason(oauthCode: code)
    } else if Self.networkErrors.contains(error) {
      self = details["code"]?.string == "timedOut" ? .timedOut : .network
    } else if Self.refusals.contains(details["case"]?.string ?? "") {
      self = .rejected
    } else {
      self = status.map { $0 >= 400 } == true ? .org : .client
    }
  }

  private static let networkErrors: Set<String> = ["connectionError", "networkError", "transportError"]
  private static let refusals: Set<String> = ["localAuthenticationCancelled"]

  /// The reason for an error code of the org; nil for a code that adds nothing to its HTTP status.
  public init?(errorCode: String, isPassword: Bool) {
    switch errorCode {
    case "E0000004": self = isPassword ? .wrongPassword : .wrongCode
    case "E0000068", "E0000087": self = .wrongCode
    case "E0000069", "E0000119": self = .locked
    case "E0000011", "E0000105": self = .expired
    case "E0000047", "E0000109", "E0000133": self = .rateLimited
    case _: return nil
    }
  }

  /// The reason for an error code of OAuth 2.0 (RFC 6749 §5.2, RFC 8628 §3.5).
  public init(oauthCode: String) {
    switch oauthCode {
    case "access_denied": self = .rejected
    case "expired_token", "invalid_grant": self = .expired
    case "slow_down": self = .rateLimited
    case _: self = .org
    }
  }

  /// The reason for the key of an error message of the Identity Engine.
  ///
  /// - Parameters:
  ///   - key: `errors.E0000004`, `api.authn.poll.error.push_rejected`.
  ///   - isPassword: whether a password was tried last.
  public init(messageKey key: String, isPassword: Bool) {
    let code = key.hasPrefix("errors.") ? String(key.dropFirst("errors.".count)) : key
    if let reason = FailureReason(errorCode: code, isPassword: isPassword) {
      self = reason
      return
    }
    let words = key.lowercased()
    func has(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
    if has("rejected", "cancelled") {
      self = .rejected
    } else if has("timed_out", "timeout") {
      self = .timedOut
    } else if has("expired") {
      self = .expired
    } else if has("toomanyrequests", "too_many") {
      self = .rateLimited
    } else if has("locked") {
      self = .locked
    } else if has("unknown.user") {
      self = .wrongPassword
    } else if has("invalid", "used_passcode", "incorrect", "verification_failed") {
      self = isPassword ? .wrongPassword : .wrongCode
    } else {
      self = .org
    }
  }
}
