// An org that sends every member that the policy of the Identity Engine declares.

import EventStore
import FlowRecording
import IDX

extension IDXScenario {
  static let declared: [IDXScenario] = [
    showing("idx-declared-answers") { (0..<2).map { (200, document($0, without: errors)) } },
    showing("idx-declared-error") { [(400, document(0, without: shown))] },
  ]

  /// Members by which an answer is an error.
  private static let errors: Set<String> = ["errorCode", "errorSummary", "error", "error_description"]

  /// Members of an answer that is shown.
  private static let shown: Set<String> = [
    "authenticators", "authenticatorEnrollments", "currentAuthenticator", "currentAuthenticatorEnrollment",
    "recoveryAuthenticator", "enrollmentAuthenticator", "remediation", "successWithInteractionCode", "cancel",
  ]

  /// A document with a form that leads to the next.
  private static func document(_ number: Int, without left: Set<String>) -> String {
    let declared = DeclaredPages.document(IDXKind.policy.response, number, without: left)
    guard let next = try? JSON(parsing: Array(form("skip").utf8)) else { return "{}" }
    let members = (declared.object?.members ?? []).map { member -> (String, JSON?) in
      switch member.key {
      case "stateHandle": ("stateHandle", "handle-of-the-pages")
      case "version": ("version", "1.0.0")
      case "remediation":
        ("remediation", ["type": "array", "value": .array((member.value["value"]?.array ?? []) + [next])])
      default: (member.key, member.value)
      }
    }
    return JSON.members(members).text
  }
}
