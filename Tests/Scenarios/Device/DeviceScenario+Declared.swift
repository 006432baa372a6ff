// An org that sends every member that the policy of the push authenticator declares.

import DeviceAuthenticator
import EventStore
import FlowRecording
import SimulatedOrg

extension DeviceScenario {
  /// Each answer has what it has, and all else that any may have.
  static let answersWithAll = DeviceScenario("device-declared-answers") { stage in
    let stage = try changing(stage) { _, count in
      .edit { response in
        guard response.status < 300, let usual = try? JSON(parsing: response.body), let known = usual.object?.members
        else { return }
        let all = DeclaredPages.document(DeviceKind.policy.response, count, without: decisive)
        let more = (all.object?.members ?? []).filter { member in !known.contains { $0.key == member.key } }
        response.body = JSON.members((known + more).map { ($0.key, $0.value) }).bytes
      }
    }
    let enrollment = try await stage.enroll(verification: true)
    let challenge = try stage.challenge(enrollment, requirement: .required)
    try await stage.parse(challenge).resolve(onRemediation: DeviceAnswers().handle)
    try await stage.authenticator.delete(enrollment: enrollment, authenticationToken: try stage.token())
  }

  /// By these an answer would be an error, or others keys would count.
  private static let decisive: Set<String> = ["errorCode", "error", "keys", "jwks_uri", "issuer"]
}
