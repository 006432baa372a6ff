// What an authenticator takes that its application does not give: the machine's signals, stores in a directory.

import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg
import Testing

@Suite struct BuilderTests {
  private let folder: OwnFolder
  private let recorder = MemoryRecorder()
  private let config = ApplicationConfig(
    applicationName: "com.acme.app", applicationVersion: "1", applicationGroupId: "group.com.acme.app")

  init() throws { folder = try OwnFolder() }

  private func make(
    at org: SimulatedOrg, sealedBy seal: KeySeal = .none
  ) throws -> any DeviceAuthenticatorProtocol {
    let time = VirtualTime(start: Timestamp(microseconds: Int64(org.now.timeIntervalSince1970) * 1_000_000))
    return try DeviceAuthenticatorBuilder(applicationConfig: config)
      .environment(FlowEnvironment(recorder: recorder, clock: time, timers: time, device: nil))
      .directory(folder.file("device"), sealedBy: seal).create()
  }

  private func enroll(
    _ authenticator: any DeviceAuthenticatorProtocol, at org: SimulatedOrg
  ) async throws -> any AuthenticatorEnrollmentProtocol {
    try await authenticator.enroll(
      authenticationToken: .bearer(try #require(org.accessToken(for: Rig.login))),
      authenticatorConfig: DeviceAuthenticatorConfig(orgURL: org.url, oidcClientId: OrgClient.sample.id),
      enrollmentParameters: EnrollmentParameters(deviceToken: .empty))
  }

  private func org() async throws -> SimulatedOrg {
    try await SimulatedOrg.start(OrgConfiguration(users: [OrgUser(login: Rig.login, password: "Correct-horse-1")]))
  }

  /// What was recorded, as text.
  private var log: String {
    recorder.streams.flatMap(recorder.records).map {
      String(decoding: EventCoding.encode($0.event).data, as: UTF8.self)
    }.joined(separator: "\n")
  }

  @Test func `without signals of its own an application says of the device what the machine says of itself`()
    async throws
  {
    let org = try await org()
    _ = try await enroll(try make(at: org), at: org)
    let machine = LinuxDeviceSignals(applicationID: "com.acme.app").read()
    let facts = recorder.streams.flatMap(recorder.records).compactMap { record -> JSON? in
      if case .drawMade(let draw) = record.event, draw.kind == .deviceFacts { draw.value["device"] } else { nil }
    }
    #expect(facts.last?["osVersion"]?.string == machine.osVersion)
    #expect(facts.last?["udid"]?.string == machine.udid && facts.last?["model"]?.string == machine.model)
  }

  @Test func `a passphrase seals the enrollments too, and another one opens nothing`() async throws {
    let org = try await org()
    let seal = KeySeal.passphrase("correct horse", cost: .weakForTests)
    let enrollment = try await enroll(try make(at: org, sealedBy: seal), at: org)
    let database = try Data(contentsOf: URL(fileURLWithPath: folder.file("device/enrollments.sqlite")))
    let log = try? Data(contentsOf: URL(fileURLWithPath: folder.file("device/enrollments.sqlite-wal")))
    #expect((database + (log ?? Data())).range(of: Data(Rig.login.utf8)) == nil)
    #expect(try make(at: org, sealedBy: seal).allEnrollments().map(\.enrollmentId) == [enrollment.enrollmentId])
    #expect(throws: DeviceAuthenticatorError.self) { try make(at: org) }
    do {
      _ = try make(at: org, sealedBy: .passphrase("another", cost: .weakForTests))
      Issue.record("another passphrase opens it")
    } catch DeviceAuthenticatorError.storageError(.generalStorageError(let reason)) {
      #expect(reason.contains("another passphrase"))
    }
    #expect(throws: StorageFailure.self) { try SQLiteEnrollmentStorage(directory: folder.file("device")) }
  }

  @Test func `where keys and enrollments are stays out of the log, whatever goes wrong with them`() async throws {
    let org = try await org()
    let authenticator = try make(at: org)
    let enrollment = try await enroll(authenticator, at: org)
    let challenge = try #require(
      org.challenge(OrgChallengeRequest(.enrollment(enrollment.enrollmentId), requirement: nil)).first)
    // Keys that others may read are not used.
    let keys = folder.file("device/keys")
    for name in try FileManager.default.contentsOfDirectory(atPath: keys) where name.hasSuffix(".key") {
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: keys + "/" + name)
    }
    let push = try authenticator.parsePushNotification([
      "payloadVersion": "IDXv1", "challenge": challenge.token ?? "",
    ])
    await #expect(throws: DeviceAuthenticatorError.securityError(.generalEncryptionError(0, nil, ""))) {
      try await push.resolve(onRemediation: Answers().handle)
    }
    // An enrollment that cannot be read.
    try Data("no database".utf8).write(to: URL(fileURLWithPath: folder.file("device/enrollments.sqlite")))
    _ = try? authenticator.parsePushNotification(["payloadVersion": "IDXv1", "challenge": challenge.token ?? ""])
    try? enrollment.deleteFromDevice()
    #expect(log.contains("the key store cannot be used"))
    #expect(!log.contains(folder.file("")) && !log.contains("enrollments.sqlite"))
  }

  @Test func `a directory that others can read is said to be that`() async throws {
    let org = try await org()
    try FileManager.default.createDirectory(
      atPath: folder.file("device/keys"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755])
    do {
      _ = try make(at: org)
      Issue.record("others can read it")
    } catch DeviceAuthenticatorError.storageError(.missingAppGroupEntitlement) {}
  }

  @Test func `how long the org's keys are waited for is the application's choice`() async throws {
    for (limit, milliseconds): (Duration?, Int?) in [(nil, nil), (.milliseconds(1_500), 1_500), (.zero, 1)] {
      try await withRig(configure: { $0.keyDiscoveryTimeout(limit) }) { rig in
        let challenge = try rig.challenge(try await rig.enroll()) { $0.requirement = nil }
        try await rig.parse(challenge).resolve(onRemediation: Answers().handle)
        let limits = rig.lastFlow.compactMap { record -> Int? in
          guard case .timerSet(let timer) = record.event, timer.purpose == "discovery" else { return nil }
          return timer.milliseconds
        }
        #expect(limits == [milliseconds].compactMap(\.self))
        #expect(rig.org.challenge(id: challenge.id)?.status == .approved)
      }
    }
  }

  @Test(arguments: [false, true])
  func `with the decisions of the reference a lost key is no consent, a bare percent no message, and CIBA is answered`(
    isReference: Bool
  ) async throws {
    try await withRig(configure: { isReference ? $0.compatibility(.reference) : $0 }) { rig in
      let enrollment = try await rig.enroll()
      let fallback = try rig.challenge(enrollment) { $0.requirement = .preferred }
      try await rig.parse(fallback).resolve(onRemediation: Answers().handle)
      let consent = rig.org.challenge(id: fallback.id)?.answer?.consent
      #expect(consent == (isReference ? "NONE" : "APPROVED_CONSENT_PROMPT"))
      let ciba = try rig.challenge(enrollment) {
        ($0.transactionType, $0.requirement, $0.bindingMessage) = (.ciba, nil, "100% sure")
      }
      let push = try #require(try rig.parse(ciba) as? any CIBAChallengeProtocol)
      #expect(push.cibaBindingMessage == (isReference ? nil : "100% sure"))
      if isReference {
        try await push.resolve(onRemediation: Answers().handle)
      } else {
        await #expect(throws: DeviceAuthenticatorError.unsupportedTransactionType("CIBA")) {
          try await push.resolve(onRemediation: Answers().handle)
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func `with the decisions of the reference a challenge that was answered is signed and sent again, and no one asked`(
    isReference: Bool
  ) async throws {
    try await withRig(configure: { isReference ? $0.compatibility(.reference) : $0 }) { rig in
      let enrollment = try await rig.enroll()
      let challenge = try rig.challenge(enrollment) { $0.requirement = nil }
      let push = try rig.parse(challenge)
      let answers = Answers()
      try await push.resolve(onRemediation: answers.handle)
      var said: DeviceAuthenticatorError?
      do { try await push.resolve(onRemediation: answers.handle) } catch let error as DeviceAuthenticatorError {
        said = error
      }
      // What the org says of a second answer is its own matter.
      #expect((said == .duplicateChallenge(transactionId: "")) == !isReference, "\(String(describing: said))")
      #expect(answers.steps == ["consent"] && push.userResponse == .userApproved)
      let posts = rig.lastFlow.filter {
        if case .requestSent(let sent) = $0.event { sent.url.hasSuffix("/verify") } else { false }
      }
      let signed = rig.lastFlow.filter { $0.event.type == "response.signed" }.map { $0.event.data["jti"] }
      #expect(posts.count == (isReference ? 2 : 1) && signed.count == posts.count && Set(signed).count == posts.count)
      #expect(rig.org.challenge(id: challenge.id)?.status == .approved)
    }
  }
}
