// Which operation a path stands for (authn.md §2).

import Foundation
/// One operation of the authentication API, with the values in its path.
enum Operation: Equatable {
  case authenticate, introspect, previous, skip, cancel
  case changePassword, resetPassword
  case startRecovery(RecoveryType), recoveryToken, recoveryAnswer
  case verifyRecovery(factor: String), resendRecovery(factor: String)
  case enroll
  case activate(String), pollActivation(String), resendActivation(String)
  case sendActivation(String, by: OutboxMessage.Channel)
  case verify(String), resend(String), duoCallback(String)
  case questions(user: String), qrCode, stepUpRedirect

  /// The operation at a path, or `nil` if there is none.
  init?(path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(Self.decoded)
    if parts.contains(where: { $0.contains("/") }) { return nil }
    if let found = Self.fixed[parts.joined(separator: "/")] {
      self = found
      return
    }
    guard parts.starts(with: ["api", "v1"]) else { return nil }
    let rest = Array(parts.dropFirst(2))
    // `users/{id}/factors/…` is where some links of an activation live.
    let tail = Array(rest.count > 3 && rest[0] == "users" && rest[2] == "factors" ? rest[3...] : [])
    if rest.starts(with: ["authn", "factors"]), let found = Self.factor(Array(rest.dropFirst(2))) {
      self = found
    } else if rest.count == 5, rest.starts(with: ["authn", "recovery", "factors"]), rest[4] == "verify" {
      self = .verifyRecovery(factor: rest[3].uppercased())
    } else if rest.count == 5, rest.starts(with: ["authn", "recovery", "factors"]), rest[4] == "resend" {
      self = .resendRecovery(factor: rest[3].uppercased())
    } else if tail == ["questions"] {
      self = .questions(user: rest[1])
    } else if tail.count == 3, tail[1] == "qr" {
      self = .qrCode
    } else if let found = Self.factor(tail) {
      self = found
    } else {
      return nil
    }
  }

  /// The one method it answers to.
  var method: String {
    switch self {
    case .questions, .qrCode, .stepUpRedirect: "GET"
    default: "POST"
    }
  }

  private static let fixed: [String: Operation] = [
    "api/v1/authn": .authenticate, "api/v1/authn/introspect": .introspect, "api/v1/authn/previous": .previous,
    "api/v1/authn/skip": .skip, "api/v1/authn/cancel": .cancel,
    "api/v1/authn/credentials/change_password": .changePassword,
    "api/v1/authn/credentials/reset_password": .resetPassword,
    "api/v1/authn/recovery/password": .startRecovery(.password),
    "api/v1/authn/recovery/unlock": .startRecovery(.unlock), "api/v1/authn/recovery/token": .recoveryToken,
    "api/v1/authn/recovery/answer": .recoveryAnswer, "api/v1/authn/factors": .enroll,
    "login/step-up/redirect": .stepUpRedirect,
  ]

  /// What follows `…/factors/`.
  private static func factor(_ parts: [String]) -> Operation? {
    guard let id = parts.first, !id.isEmpty else { return nil }
    return switch parts.dropFirst().joined(separator: "/") {
    case "verify": .verify(id)
    case "verify/resend": .resend(id)
    case "lifecycle/activate": .activate(id)
    case "lifecycle/activate/poll": .pollActivation(id)
    case "lifecycle/activate/email": .sendActivation(id, by: .mail)
    case "lifecycle/activate/sms": .sendActivation(id, by: .sms)
    case "lifecycle/resend": .resendActivation(id)
    case "lifecycle/duoCallback": .duoCallback(id)
    default: nil
    }
  }

  private static func decoded(_ part: Substring) -> String { part.removingPercentEncoding ?? String(part) }
}
