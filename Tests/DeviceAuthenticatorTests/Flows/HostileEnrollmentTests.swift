// Orgs that say they are another one (spec/device.md §2, §13.1).

import DeviceAuthenticator
import EventStore
import FlowRecording
import SimulatedOrg
import Testing

@Suite struct HostileEnrollmentTests {
  /// Another org, with the same person.
  private func other(_ organizationID: String) async throws -> SimulatedOrg {
    var configuration = OrgConfiguration(users: [OrgUser(login: Rig.login, password: "Correct-horse-1")])
    configuration.devices.organizationID = organizationID
    return try await SimulatedOrg.start(configuration)
  }

  private func enroll(_ rig: Rig, at org: SimulatedOrg) async throws {
    let token = try #require(org.accessToken(for: Rig.login))
    _ = try await rig.authenticator.enroll(
      authenticationToken: .bearer(token),
      authenticatorConfig: DeviceAuthenticatorConfig(orgURL: org.url, oidcClientId: OrgClient.sample.id),
      enrollmentParameters: EnrollmentParameters(deviceToken: .empty))
  }

  @Test func `an org that names itself as another one gets neither its device nor its enrollment`() async throws {
    try await withRig { rig in
      let mine = try await rig.enroll()
      let (keys, stored) = (try rig.keys.tags().sorted(), try rig.storage.enrollments())
      let device = try rig.storage.device(orgID: mine.organization.id)
      let evil = try await other(mine.organization.id)
      await #expect(throws: DeviceAuthenticatorError.self) {
        try await enroll(rig, at: evil)
      }
      #expect(
        !rig.lastFlow.contains { if case .requestSent(let sent) = $0.event { sent.method == "POST" } else { false } })
      #expect(try rig.keys.tags().sorted() == keys && rig.storage.enrollments() == stored)
      #expect(try rig.storage.device(orgID: mine.organization.id) == device)
      let challenge = try rig.challenge(mine) { $0.requirement = nil }
      try await rig.parse(challenge).resolve(onRemediation: Answers().handle)
      #expect(rig.org.challenge(id: challenge.id)?.status == .approved)
    }
  }

  @Test func `an org that gives an enrollment the id of another org's is refused, and its keys are destroyed`()
    async throws
  {
    try await withRig { rig in
      let mine = try await rig.enroll()
      let (keys, stored) = (try rig.keys.tags().sorted(), try rig.storage.enrollments())
      // Both orgs have one seed, and so give the same ids.
      let evil = try await other("00o1evil")
      await #expect(throws: DeviceAuthenticatorError.storageError(.generalStorageError(""))) {
        try await enroll(rig, at: evil)
      }
      #expect(try rig.keys.tags().sorted() == keys && rig.storage.enrollments() == stored)
      #expect(try rig.storage.device(orgID: "00o1evil") == nil)
      #expect(rig.authenticator.allEnrollments().map(\.enrollmentId) == [mine.enrollmentId])
    }
  }
}
