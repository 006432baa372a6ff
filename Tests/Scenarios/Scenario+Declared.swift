// An org that sends every member that the policy of the classic API declares.

import Authn
import EventStore
import FlowRecording

extension Scenario {
  static let declared: [Scenario] = [
    showing("declared-answers") {
      statuses.enumerated().map { (200, document($0.offset, [], status: $0.element)) }
    },
    showing("declared-errors") {
      (0..<2).map { (403, document($0, ["status", "_embedded", "_links", "factorResult"])) }
    },
  ]

  /// Those that the SDK has objects of, each with all members of any.
  private static let statuses = [
    "MFA_REQUIRED", "MFA_ENROLL", "MFA_ENROLL_ACTIVATE", "MFA_CHALLENGE", "PASSWORD_EXPIRED", "PASSWORD_WARN",
    "RECOVERY",
    "RECOVERY_CHALLENGE", "PASSWORD_RESET", "LOCKED_OUT", "SUCCESS",
  ]

  private static func document(_ number: Int, _ left: Set<String>, status: String? = nil) -> String {
    let document = DeclaredPages.document(AuthnKind.policy.response, number, without: left)
    guard let status else { return document.text }
    let members = (document.object?.members ?? []).map { ($0.key, $0.key == "status" ? .string(status) : $0.value) }
    return JSON.members(members).text
  }
}
