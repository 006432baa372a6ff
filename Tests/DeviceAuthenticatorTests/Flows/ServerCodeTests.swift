// What an org's codes mean by the public API, call by call (spec/device.md §13.7, §15), and each error of §15.1.

import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg
import Testing

@Suite struct ServerCodeTests {
  /// A row of §13.7 and §15.3.
  struct Row: CustomTestStringConvertible, Sendable {
    var code: String
    var status: Int
    var state: EnrollmentState
    var isGone = false
    var isSuspended = false
    var testDescription: String { "\(status) \(code): \(state)" }
  }

  @Test(arguments: [
    Row(code: "E0000007", status: 404, state: .active),
    Row(code: "E0000008", status: 404, state: .deleted, isGone: true),
    Row(code: "E0000011", status: 401, state: .active),
    Row(code: "E0000152", status: 403, state: .suspended, isSuspended: true),
    Row(code: "E0000153", status: 410, state: .reset, isGone: true),
    Row(code: "E0000154", status: 410, state: .reset, isGone: true),
    Row(code: "E0000155", status: 423, state: .suspended, isSuspended: true),
    Row(code: "E0000156", status: 410, state: .deleted, isGone: true),
    Row(code: "E0000158", status: 400, state: .active),
    Row(code: "E0000180", status: 423, state: .suspended, isSuspended: true),
    Row(code: "E0000212", status: 403, state: .active), Row(code: "E0000047", status: 429, state: .active),
    Row(code: "E9999999", status: 400, state: .active),
  ])
  func `each call that the org refuses says so, keeps the state, and the next success clears it`(row: Row) async throws
  {
    try await withRig { rig in
      let enrollment = try await rig.enroll(verification: true)
      let token = try rig.token()
      let calls: [(name: String, path: String, make: () async throws -> Void)] = [
        (
          "push token", "/app-authenticators/",
          {
            try await enrollment.updateDeviceToken(.tokenString("beef"), authenticationToken: token)
          }
        ),
        (
          "verification off", "/app-authenticators/",
          {
            try await enrollment.setUserVerification(authenticationToken: token, enable: false)
          }
        ),
        (
          "CIBA", "/app-authenticators/",
          {
            try await enrollment.enableCIBATransactions(authenticationToken: token, enable: true)
          }
        ),
        (
          "pull", "/push/notifications",
          {
            _ = try await enrollment.retrievePushChallenges(authenticationToken: token)
          }
        ),
        ("maintenance token", "/oauth2/v1/token", { _ = try await enrollment.retrieveMaintenanceToken() }),
        (
          "answer", "/verify",
          {
            let challenge = try rig.challenge(enrollment) { $0.requirement = nil }
            try await rig.parse(challenge).resolve(onRemediation: Answers().handle)
          }
        ),
      ]
      for call in calls {
        rig.org.inject(Fault(.refused(row.status, row.code), path: call.path))
        do {
          try await call.make()
          Issue.record("the org took it: \(call.name)")
        } catch DeviceAuthenticatorError.serverAPIError(let result, let model) {
          #expect(result.statusCode == row.status && model?.errorCode?.rawValue == row.code, "\(call.name)")
          #expect(model?.errorCode?.isResourceDeleted == row.isGone, "\(call.name)")
          #expect(model?.errorCode?.isResourceSuspended == row.isSuspended, "\(call.name)")
        }
        #expect(enrollment.state == row.state, "\(call.name)")
        try await enrollment.updateDeviceToken(.tokenString("cafe"), authenticationToken: token)
        #expect(enrollment.state == .active, "\(call.name)")
      }
      #expect(enrollment.userVerificationEnabled && !enrollment.isCIBAEnabled)
    }
  }

  @Test func `a connection that is lost, and an error without a code, change no state`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll()
      let token = try rig.token()
      func update() async throws {
        try await enrollment.updateDeviceToken(.tokenString("beef"), authenticationToken: token)
      }
      rig.org.inject(Fault(.refused(423, "E0000180"), path: "/app-authenticators/"))
      await #expect(throws: DeviceAuthenticatorError.self) { try await update() }
      for fault in [Fault.Kind.connectionReset, .reply(status: 500, body: "{}"), .plainTextError] {
        rig.org.inject(Fault(fault, path: "/app-authenticators/"))
        await #expect(throws: DeviceAuthenticatorError.self) { try await update() }
        #expect(enrollment.state == .suspended, "\(fault)")
      }
    }
  }

  // MARK: §15.1

  /// A row of §15.1: what is done, and the error's code.
  struct Failing: CustomTestStringConvertible, Sendable {
    var name: String
    var code: Int
    var provoke: @Sendable (Rig) async throws -> Void
    var testDescription: String { "\(code): \(name)" }
  }

  private static func parsed(
    _ rig: Rig, _ enrollment: any AuthenticatorEnrollmentProtocol,
    _ change: (inout OrgChallengeRequest) -> Void = { _ in }
  ) throws -> any PushChallengeProtocol {
    try rig.parse(
      try rig.challenge(enrollment) {
        $0.requirement = nil
        change(&$0)
      })
  }

  static let failing: [Failing] = [
    Failing(name: "the org refuses", code: -1) { rig in
      rig.org.inject(Fault(.refused(403, "E0000006"), path: "/idp/myaccount"))
      _ = try await rig.enroll()
    },
    Failing(name: "no connection", code: -2) { rig in
      rig.org.inject(Fault(.connectionReset))
      _ = try await rig.enroll()
    },
    Failing(name: "a challenge of another key", code: -3) { rig in
      try await parsed(rig, try await rig.enroll()) { $0.defect = .otherKey }.resolve(onRemediation: Answers().handle)
    },
    Failing(name: "the person cancels the verification of an enrollment", code: -3) { rig in
      _ = try await rig.enroll(verification: true)
    },
    Failing(name: "a storage that cannot be written", code: -4) { rig in
      rig.storage.fail(with: .sqlite(code: 13, reason: "full"))
      _ = try await rig.enroll()
    },
    Failing(name: "a storage that fails when the person has answered", code: -4) { rig in
      let push = try parsed(rig, try await rig.enroll())
      try await push.resolve { step in
        rig.storage.fail(with: .sqlite(code: 13, reason: "full"))
        (step as? RemediationStepUserConsent)?.provide(.approved)
      }
    },
    Failing(name: "the key that signs silently is gone", code: -5) { rig in
      let enrollment = try await rig.enroll()
      let push = try parsed(rig, enrollment)
      try rig.keys.delete(
        tag: try rig.storage.enrollment(id: enrollment.enrollmentId)?.proofOfPossessionTag ?? "")
      try await push.resolve(onRemediation: Answers().handle)
    },
    Failing(name: "an org without an id", code: -5) { rig in
      rig.org.inject(Fault(.reply(status: 200, body: "{}"), path: "/.well-known/okta-organization"))
      _ = try await rig.enroll()
    },
    Failing(name: "no policy", code: -5) { rig in
      rig.org.inject(Fault(.reply(status: 200, body: "[]"), path: "app-authenticator-configuration"))
      _ = try await rig.enroll()
    },
    Failing(name: "a policy of another shape", code: -6) { rig in
      rig.org.inject(Fault(.reply(status: 200, body: "{}"), path: "app-authenticator-configuration"))
      _ = try await rig.enroll()
    },
    Failing(name: "an answer without an enrollment", code: -6) { rig in
      rig.org.inject(Fault(.emptyBody, path: "/idp/myaccount/app-authenticators"))
      _ = try await rig.enroll()
    },
    Failing(name: "a challenge without a context", code: -6) { rig in
      _ = try parsed(rig, try await rig.enroll()) { $0.defect = .claim("challengeContext", nil) }
    },
    Failing(name: "an enrollment that is not here", code: -7) { rig in
      let enrollment = try await rig.enroll()
      let challenge = try rig.challenge(enrollment)
      try enrollment.deleteFromDevice()
      _ = try rig.parse(challenge)
    },
    Failing(name: "a notification of another kind", code: -8) { rig in
      _ = try rig.authenticator.parsePushNotification(["payloadVersion": "IDXv2", "challenge": "x"])
    },
    Failing(name: "a policy without push", code: -9) { rig in
      let policy: JSON = [
        [
          "authenticatorId": "aut1", "orgId": "00o1", "key": "custom_app",
          "supportedMethods": [["type": "totp", "status": "ACTIVE"]],
          "appAuthenticatorEnrollEndpoint": .string(rig.org.url.absoluteString + "/idp/myaccount/app-authenticators"),
        ]
      ]
      rig.org.inject(Fault(.reply(status: 200, body: policy.text), path: "app-authenticator-configuration"))
      _ = try await rig.enroll()
    },
    Failing(name: "a challenge that was answered", code: -101) { rig in
      let push = try parsed(rig, try await rig.enroll())
      try await push.resolve(onRemediation: Answers().handle)
      try await push.resolve(onRemediation: Answers().handle)
    },
    Failing(name: "CIBA without the capability", code: -102) { rig in
      try await parsed(rig, try await rig.enroll()) { $0.transactionType = .ciba }
        .resolve(onRemediation: Answers().handle)
    },
    Failing(name: "a log that cannot be written", code: -103) { rig in
      _ = try await rig.enroll()
      var environment = rig.environment
      environment.recorder = FullRecorder()
      let config = ApplicationConfig(
        applicationName: "a", applicationVersion: "1", applicationGroupId: "g", applicationInstallationId: "i")
      let authenticator = try DeviceAuthenticatorBuilder(applicationConfig: config).environment(environment)
        .keyStore(rig.keys).enrollmentStorage(rig.storage).create()
      let before = rig.org.requests.count
      defer { #expect(rig.org.requests.count == before) }
      _ = try await authenticator.enroll(
        authenticationToken: try rig.token(), authenticatorConfig: rig.config,
        enrollmentParameters: EnrollmentParameters(deviceToken: .empty))
    },
  ]

  @Test(arguments: failing)
  func `each error of the table comes by the public API, with its code`(row: Failing) async throws {
    try await withRig(verifier: ScriptedVerifier(answers: [.cancelled])) { rig in
      do {
        try await row.provoke(rig)
        Issue.record("nothing failed")
      } catch let error as DeviceAuthenticatorError {
        #expect(error.errorCode == row.code, "\(error)")
      }
      rig.storage.fail(with: nil)
    }
  }
}

/// A log on a disk that is full.
private struct FullRecorder: Recorder, FlowJournal {
  func journal(for stream: String) -> any FlowJournal { self }
  func append(_ entries: [JournalEntry]) throws(AuditError) { throw AuditError("the disk is full") }
  func barrier(resume: @escaping @Sendable (AuditError?) -> Void) -> JournalBarrier { .passed }
}
