// The life of an enrollment, against an org that checks everything (spec/device.md §13).

import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg
import Testing

@Suite struct EnrollmentTests {
  private func body(_ method: String, in records: [FlowRecord]) -> JSON? {
    records.lazy.compactMap { record in
      if case .requestSent(let sent) = record.event, sent.method == method { sent.body } else { nil }
    }.first
  }

  @Test func `an enrollment has its keys, its device and its person, and prints no secret`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll(verification: true, ciba: true)
      let kept = try #require(rig.org.enrollment(id: enrollment.enrollmentId))
      #expect(
        kept.verificationKeyID != nil && kept.pushToken == "feedc0de" && kept.transactionTypes == [.login, .ciba])
      #expect(enrollment.userVerificationEnabled && enrollment.isCIBAEnabled && enrollment.state == .active)
      #expect(enrollment.user.name == Rig.login && enrollment.organization.url == rig.org.url.absoluteString)
      #expect(try rig.keys.tags().count == 3)
      var dumped = "\(enrollment)"
      dump(enrollment, to: &dumped)
      #expect(!dumped.contains("feedc0de") && dumped.contains(enrollment.enrollmentId))
      #expect(!rig.log.contains("feedc0de"))
    }
  }

  @Test func `a second person of the org shares the device by an attestation`() async throws {
    try await withRig { rig in
      let first = try await rig.enroll()
      let second = try await rig.enroll("bob@acme.example")
      let one = try #require(rig.org.enrollment(id: first.enrollmentId))
      let two = try #require(rig.org.enrollment(id: second.enrollmentId))
      #expect(one.deviceID == two.deviceID && one.clientInstanceID == two.clientInstanceID)
      // One client instance key, and one key each.
      #expect(try rig.keys.tags().count == 3)
      #expect(Rig.data("enrollment.completed", in: rig.lastFlow)?["knownDevice"] == true)
    }
  }

  @Test func `a device that the org has deleted is enrolled once more as a new one`() async throws {
    try await withRig { rig in
      let first = try await rig.enroll()
      rig.org.setDevice(try #require(rig.org.enrollment(id: first.enrollmentId)).deviceID, .deleted)
      let second = try await rig.enroll("bob@acme.example")
      #expect(Rig.events(rig.lastFlow).contains("enrollment.deviceReset"))
      #expect(
        rig.org.enrollment(id: second.enrollmentId)?.deviceID != rig.org.enrollment(id: first.enrollmentId)?.deviceID)
      // A key for each of both, and one of the new device: that of the old one is destroyed.
      #expect(try rig.keys.tags().count == 3)
    }
  }

  @Test func `an enrollment that takes the place of one with the same id leaves no key of that behind`() async throws {
    try await withRig { rig in
      let first = try await rig.enroll(verification: true)
      let old = try #require(try rig.storage.enrollment(id: first.enrollmentId))
      let kept = try #require(rig.org.enrollment(id: first.enrollmentId))
      let device = #"{"id":"\#(kept.deviceID)","status":"ACTIVE","clientInstanceId":"\#(kept.clientInstanceID)"}"#
      let body =
        #"{"id":"\#(old.id)","authenticatorId":"a","user":{"id":"\#(old.userID)"},"device":\#(device),"#
        + #""methods":{"push":{"id":"opf1"}}}"#
      rig.org.inject(Fault(.reply(status: 200, body: body), path: "/idp/myaccount/app-authenticators"))
      let second = try await rig.enroll(verification: true)
      #expect(second.enrollmentId == first.enrollmentId && rig.authenticator.allEnrollments().count == 1)
      let new = try #require(try rig.storage.enrollment(id: second.enrollmentId))
      let tags = try rig.keys.tags()
      #expect(tags.count == 3 && tags.contains(new.proofOfPossessionTag ?? "") && new.methodID == "opf1")
      #expect(!tags.contains(old.proofOfPossessionTag ?? "") && !tags.contains(old.userVerificationTag ?? ""))
    }
  }

  @Test func `a key that another enrolled set has invalidated is not offered again: a new one is made`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll(verification: true)
      let tag = try #require(try rig.storage.enrollment(id: enrollment.enrollmentId)?.userVerificationTag)
      rig.verifier.setEpoch([2])
      try await enrollment.setUserVerification(authenticationToken: try rig.token(), enable: true)
      let next = try #require(try rig.storage.enrollment(id: enrollment.enrollmentId)?.userVerificationTag)
      #expect(next != tag && rig.verifier.requests.count == 2)
      #expect(rig.org.enrollment(id: enrollment.enrollmentId)?.verificationKeyID == next)
      #expect(try rig.keys.tags().count == 3 && !rig.keys.tags().contains(tag))
      let challenge = try rig.challenge(enrollment) { $0.requirement = .required }
      try await rig.parse(challenge).resolve(onRemediation: Answers().handle)
      #expect(rig.org.challenge(id: challenge.id)?.answer?.consent == "APPROVED_USER_VERIFICATION")
    }
  }

  @Test func `a key that cannot be destroyed keeps no other one`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll(verification: true)
      rig.keys.fail(.delete, with: .unavailable(reason: "test"))
      try enrollment.deleteFromDevice()
      #expect(try rig.keys.tags().count == 1)
      #expect(Rig.data("enrollment.deleted", in: rig.lastFlow)?["keys"]?.array?.count == 2)
    }
  }

  @Test func `an enrollment that fails leaves no key behind, and a bad token gets one try on a new device`()
    async throws
  {
    try await withRig { rig in
      for fault in [Fault.Kind.serverError, .connectionReset, .malformedJSON, .emptyBody] {
        rig.org.inject(Fault(fault, path: "/idp/myaccount/app-authenticators"))
        await #expect(throws: DeviceAuthenticatorError.self) { _ = try await rig.enroll(verification: true) }
        #expect(try rig.keys.tags() == [], "\(fault)")
        #expect(rig.authenticator.allEnrollments().isEmpty)
        #expect(Rig.events(rig.lastFlow).suffix(2) == ["enrollment.failed", "enrollment.rolledBack"])
      }
      rig.org.inject(
        Fault(.reply(status: 401, body: #"{"errorCode":"E0000011"}"#), path: "/idp/myaccount/app-authenticators"))
      do {
        _ = try await rig.enroll()
        Issue.record("it was enrolled")
      } catch DeviceAuthenticatorError.serverAPIError(let result, let model) {
        #expect(result.statusCode == 401 && model?.errorCode == .invalidToken)
      }
    }
  }

  @Test func `each change sends what changes and nothing else`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll()
      let token = try rig.token()
      try await enrollment.updateDeviceToken(.tokenData(Data([0xde, 0xad, 0x00, 0x01])), authenticationToken: token)
      #expect(rig.org.enrollment(id: enrollment.enrollmentId)?.pushToken == "dead0001")
      #expect(body("PATCH", in: rig.lastFlow)?["methods"]?["push"]?.object?.members.map(\.key) == ["pushToken"])
      try await enrollment.enableCIBATransactions(authenticationToken: token, enable: true)
      #expect(
        body("PATCH", in: rig.lastFlow) == [
          "methods": ["push": ["capabilities": ["transactionTypes": ["LOGIN", "CIBA"]]]]
        ])
      #expect(enrollment.isCIBAEnabled)
      try await enrollment.enableCIBATransactions(authenticationToken: token, enable: false)
      #expect(
        body("PATCH", in: rig.lastFlow) == ["methods": ["push": ["capabilities": ["transactionTypes": ["LOGIN"]]]]])
      try await enrollment.enableCIBATransactions(authenticationToken: token, enable: true)
      try await enrollment.setUserVerification(authenticationToken: token, enable: true)
      let made = body("PATCH", in: rig.lastFlow)?["methods"]
      #expect(made?.object?.members.map(\.key) == ["push"])
      #expect(made?["push"]?.object?.members.map(\.key) == ["keys"])
      #expect(made?["push"]?["keys"]?.object?.members.map(\.key) == ["userVerification"])
      #expect(
        Set((made?["push"]?["keys"]?["userVerification"]?.object?.members ?? []).map(\.key)) == [
          "kty", "crv", "kid", "x", "y", "okta:kpr",
        ])
      #expect(enrollment.userVerificationEnabled && rig.verifier.requests.count == 1)
      let tag = try #require(try rig.storage.enrollment(id: enrollment.enrollmentId)?.userVerificationTag)
      #expect(rig.org.enrollment(id: enrollment.enrollmentId)?.verificationKeyID == tag)
      // A healthy key is offered again as it is, without a question to the user.
      try await enrollment.setUserVerification(authenticationToken: token, enable: true)
      #expect(rig.verifier.requests.count == 1)
      #expect(try rig.storage.enrollment(id: enrollment.enrollmentId)?.userVerificationTag == tag)
      // A lost one is replaced.
      try rig.keys.delete(tag: tag)
      try await enrollment.setUserVerification(authenticationToken: token, enable: true)
      #expect(try rig.storage.enrollment(id: enrollment.enrollmentId)?.userVerificationTag != tag)
      try await enrollment.setUserVerification(authenticationToken: token, enable: false)
      #expect(
        body("PATCH", in: rig.lastFlow) == ["methods": ["push": ["keys": ["userVerification": .null]]]])
      #expect(
        !enrollment.userVerificationEnabled && rig.org.enrollment(id: enrollment.enrollmentId)?.verificationKeyID == nil
      )
      #expect(try rig.keys.tags().count == 2 && enrollment.isCIBAEnabled)
      #expect(rig.org.enrollment(id: enrollment.enrollmentId)?.pushToken == "dead0001")
    }
  }

  @Test func `a change that fails leaves keys and enrollment as they were`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll()
      let before = try #require(try rig.storage.enrollment(id: enrollment.enrollmentId))
      let tags = Set(try rig.keys.tags())
      rig.org.inject(Fault(.serverError, path: "/app-authenticators/"))
      await #expect(throws: DeviceAuthenticatorError.self) {
        try await enrollment.setUserVerification(authenticationToken: try rig.token(), enable: true)
      }
      #expect(Set(try rig.keys.tags()) == tags)
      let after = try #require(try rig.storage.enrollment(id: enrollment.enrollmentId))
      #expect(
        after.userVerificationTag == before.userVerificationTag && after.transactionTypes == before.transactionTypes)
    }
  }

  /// A row of §13.6.
  struct Deletion: CustomTestStringConvertible, Sendable {
    var code: String?
    var status: Int
    var by: String?
    var testDescription: String { "\(status) \(code ?? "-"): \(by ?? "kept")" }
  }

  @Test(arguments: [
    Deletion(code: "E0000154", status: 410, by: "serverSaidGone"),
    Deletion(code: "E0000156", status: 410, by: "serverSaidGone"),
    Deletion(code: "E0000153", status: 410, by: "serverSaidGone"),
    Deletion(code: "E0000008", status: 404, by: "serverSaidGone"),
    Deletion(code: "E0000152", status: 403, by: "serverSaidSuspended"),
    Deletion(code: "E0000155", status: 423, by: "serverSaidSuspended"),
    Deletion(code: "E0000180", status: 423, by: "serverSaidSuspended"),
    Deletion(code: "E0000007", status: 404), Deletion(code: "E0000011", status: 401),
    Deletion(code: nil, status: 500), Deletion(code: "E0000047", status: 429),
  ])
  func `deleting at the org deletes here if the org has it no more`(row: Deletion) async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll(verification: true)
      let body = row.code.map { #"{"errorCode":"\#($0)"}"# } ?? "{}"
      rig.org.inject(Fault(.reply(status: row.status, body: body), path: "/app-authenticators/"))
      let token = try rig.token()
      if let by = row.by {
        try await rig.authenticator.delete(enrollment: enrollment, authenticationToken: token)
        #expect(rig.authenticator.allEnrollments().isEmpty)
        #expect(try rig.keys.tags() == [])
        #expect(Rig.data("enrollment.deleted", in: rig.lastFlow)?["by"]?.string == by)
      } else {
        await #expect(throws: DeviceAuthenticatorError.self) {
          try await rig.authenticator.delete(enrollment: enrollment, authenticationToken: token)
        }
        #expect(rig.authenticator.allEnrollments().count == 1)
        #expect(try rig.keys.tags().count == 3)
        // And then for good.
        try await rig.authenticator.delete(enrollment: enrollment, authenticationToken: token)
        #expect(rig.org.enrollment(id: enrollment.enrollmentId)?.status == .deleted)
        #expect(try rig.keys.tags() == [])
      }
    }
  }

  @Test func `a suspended enrollment stays if the application wants it to`() async throws {
    try await withRig(configure: { $0.deleteOnSuspended(false) }) { rig in
      let enrollment = try await rig.enroll()
      rig.org.setEnrollment(enrollment.enrollmentId, .suspended)
      await #expect(throws: DeviceAuthenticatorError.self) {
        try await rig.authenticator.delete(enrollment: enrollment, authenticationToken: try rig.token())
      }
      #expect(rig.authenticator.allEnrollments().count == 1 && enrollment.state == .suspended)
      rig.org.setEnrollment(enrollment.enrollmentId, .active)
      try await enrollment.updateDeviceToken(.tokenString("beef"), authenticationToken: try rig.token())
      #expect(enrollment.state == .active)
    }
  }

  @Test func `a token without a person serves pulling, and pulling leaves out what was answered`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll()
      let credential = try await enrollment.retrieveMaintenanceToken(
        scopes: ["okta.myAccount.appAuthenticator.maintenance.read"])
      #expect(credential.token_type == "Bearer" && !rig.log.contains(credential.access_token))
      #expect(!"\(credential)".contains(credential.access_token))
      let token = AuthToken.bearer(credential.access_token)
      #expect(try await enrollment.retrievePushChallenges(authenticationToken: token).isEmpty)
      let challenge = try rig.challenge(enrollment) { $0.requirement = nil }
      let pulled = try await enrollment.retrievePushChallenges(authenticationToken: token)
      #expect(pulled.map(\.transactionId) == [challenge.id])
      try await pulled[0].resolve(onRemediation: Answers().handle)
      #expect(rig.org.challenge(id: challenge.id)?.status == .approved)
      #expect(try await enrollment.retrievePushChallenges(authenticationToken: token).isEmpty)
    }
  }

  @Test func `the configuration is fetched and says what the org wants; an org without push has nothing to enroll`()
    async throws
  {
    let devices = OrgDevices().with { $0.authenticators = [OrgAppAuthenticator(userVerification: .required)] }
    var configuration = OrgConfiguration(users: [OrgUser(login: Rig.login, password: "Correct-horse-1")])
    configuration.devices = devices
    try await withRig(configuration) { rig in
      let policy = try await rig.authenticator.downloadPolicy(
        authenticationToken: try rig.token(), authenticatorConfig: rig.config)
      #expect(policy.userVerificationSetting == .required)
      do {
        _ = try await rig.enroll()
        Issue.record("it was enrolled")
      } catch DeviceAuthenticatorError.serverAPIError(_, let model) {
        #expect(model?.errorCode == .biometricKeyEnrollmentComplianceError)
      }
      #expect(try rig.keys.tags() == [])
    }
  }

  @Test func `keys in hardware are wanted and there are none: no key is made`() async throws {
    let devices = OrgDevices().with { $0.authenticators = [OrgAppAuthenticator(needsHardwareKeys: true)] }
    var configuration = OrgConfiguration(users: [OrgUser(login: Rig.login, password: "Correct-horse-1")])
    configuration.devices = devices
    try await withRig(configuration) { rig in
      await #expect(throws: DeviceAuthenticatorError.securityError(.keyGenFailed(0, ""))) { _ = try await rig.enroll() }
      #expect(!Rig.events(rig.lastFlow).contains("enrollment.keysCreated"))
    }
  }
}
