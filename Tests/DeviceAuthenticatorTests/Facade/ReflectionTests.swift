// What whoever prints, reflects or dumps an object of the push authenticator gets to see (DESIGN §5).

import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg
import Testing

/// Every object that an application can hold, at every step of a challenge and after every operation on an enrollment:
/// printed, reflected and dumped, it shows no key, token, push token, PIN, nonce, raw challenge or raw answer. What is asked
/// for by name (`access_token`, `data`) is given.
@Suite struct DeviceReflectionTests {
  private static let pushToken = "canary-push-token-9d1"
  private static let receiptSecret = (0..<32).map { UInt8(131 + ($0 * 37) % 89) }

  /// A challenge, and what becomes of it.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var requirement: OrgUserVerification?
    var verification = ScriptedVerifier.Answer.verified
    var consent = UserConsentResponse.approved
    var isCIBA = false
    var fault: Fault?
    var steps: [String]
    var fails = false

    var testDescription: String { name }
  }

  @Test(arguments: [
    Row(name: "consent", steps: ["consent"]),
    Row(name: "verification", requirement: .required, steps: ["consent", "verification"]),
    Row(name: "denial", requirement: .required, consent: .denied, steps: ["consent"]),
    Row(
      name: "fallback", requirement: .preferred, verification: .cancelled,
      steps: ["consent", "verification", "message"]),
    Row(name: "CIBA", isCIBA: true, steps: ["consent"]),
    Row(
      name: "lost answer", fault: Fault(.connectionClosed, path: "/verify", times: 1, reachesOrg: true),
      steps: ["consent"], fails: true),
    Row(
      name: "rejected", requirement: .required, verification: .failed, steps: ["consent", "verification", "message"]),
  ])
  func `no object of a challenge shows a secret, at any step`(row: Row) async throws {
    try await withWatch(answers: [.verified, row.verification]) { rig, watch, reachable in
      let enrollment = try await rig.enroll(verification: true, ciba: row.isCIBA, pushToken: Self.pushToken)
      let challenge = try rig.challenge(enrollment) {
        $0.requirement = row.requirement
        if row.isCIBA { ($0.transactionType, $0.bindingMessage) = (.ciba, "Pay it") }
      }
      let token = try #require(challenge.token)
      watch.hideTokens(of: token)
      watch.hide(try #require(CompactJWS(token)?.claims["nonce"]?.string))
      let notification = rig.notification(challenge)
      watch.look(
        "notification",
        at: [notification, PushNotificationResponse(notification: notification, actionIdentifier: "APPROVE_BUTTON")])
      let push = try rig.parse(challenge)
      watch.look("parsed", at: [push, push.userResponse, push.userVerificationRequirement] + reachable())
      if let fault = row.fault { rig.org.inject(fault) }
      let steps = Locked<[String]>([])
      do throws(DeviceAuthenticatorError) {
        try await push.resolve { step in
          let name = Self.look(at: step, watch)
          steps.withLock { $0.append(name) }
          if let step = step as? RemediationStepUserConsent { step.provide(row.consent) } else { step.defaultProcess() }
        }
        #expect(!row.fails)
      } catch {
        watch.look("failed", at: Self.values(of: error))
        #expect(row.fails || row.name == "rejected", "\(error)")
      }
      #expect(steps.withLock { $0 } == row.steps)
      let kept = try rig.storage.excerpt(enrollment: enrollment.enrollmentId, orgID: nil, transaction: challenge.id)
      watch.look("resolved", at: [push, enrollment, kept, kept.transaction as Any] + reachable())
      if row.fails {
        // The signed answer is kept, so that it can be sent again.
        #expect(kept.transaction?.response?.hasPrefix("eyJ") == true)
        watch.hide(try #require(kept.transaction?.response))
        try await push.retrySubmission()
        watch.look("sent again", at: [push] + reachable())
      }
      do throws(DeviceAuthenticatorError) {
        try await push.resolve(onRemediation: Answers().handle)
      } catch {
        watch.look("resolved twice", at: Self.values(of: error))
      }
      #expect(watch.moments.isSuperset(of: ["notification", "parsed", "consent", "resolved", "resolved twice"]))
    }
  }

  @Test func `no object of an enrollment shows a secret, after any operation`() async throws {
    try await withWatch { rig, watch, reachable in
      let token = try rig.token()
      let parameters = EnrollmentParameters(deviceToken: .tokenString(Self.pushToken))
      let data = EnrollmentParameters(deviceToken: Data(Self.receiptSecret), enableUserVerification: true)
      let policy = try await rig.authenticator.downloadPolicy(
        authenticationToken: token, authenticatorConfig: rig.config)
      watch.look("policy", at: [token, rig.config, parameters, data, policy])
      let enrollment = try await rig.enroll(verification: true, pushToken: Self.pushToken)
      watch.look("enrolled", at: [enrollment, enrollment.organization, enrollment.user] + reachable())
      try await enrollment.updateDeviceToken(.tokenString("canary-second-token-4b"), authenticationToken: token)
      watch.hide("canary-second-token-4b")
      watch.look("updated", at: [enrollment] + reachable())
      try await enrollment.setUserVerification(authenticationToken: token, enable: false)
      try await enrollment.setUserVerification(authenticationToken: token, enable: true)
      try await enrollment.enableCIBATransactions(authenticationToken: token, enable: true)
      watch.look("changed", at: [enrollment] + reachable())
      let credential = try await enrollment.retrieveMaintenanceToken()
      #expect(credential.access_token.count >= 8)
      watch.hide(credential.access_token)
      watch.look("credential", at: [credential, AuthToken.bearer(credential.access_token)] + reachable())
      let pending = try rig.challenge(enrollment)
      watch.hideTokens(of: pending.token ?? "")
      let pulled = try await enrollment.retrievePushChallenges(authenticationToken: token)
      #expect(pulled.count == 1)
      watch.look("pulled", at: pulled.map { $0 as Any } + reachable())
      try await rig.authenticator.delete(enrollment: enrollment, authenticationToken: token)
      watch.look("deleted", at: [enrollment] + reachable())
      do {
        watch.look("gone", at: [try rig.parse(pending)])
      } catch let error as DeviceAuthenticatorError {
        watch.look("gone", at: Self.values(of: error))
      }
    }
  }

  @Test func `an error shows no secret that the org quotes`() async throws {
    try await withWatch { rig, watch, _ in
      let enrollment = try await rig.enroll(verification: true, pushToken: Self.pushToken)
      let token = try rig.token()
      guard case .bearer(let text) = token else { return }
      for member in ["errorSummary", "errorId", "errorLink", "status", "error_description", "error", "other"] {
        let body =
          #"{"errorCode":"E0000001","\#(member)":"not \#(text), nor \#(Self.pushToken)","errorCauses":[{"#
          + #""errorSummary":"nor \#(text)"}]}"#
        rig.org.inject(Fault(.reply(status: 400, body: body), path: "/app-authenticators/"))
        do throws(DeviceAuthenticatorError) {
          try await enrollment.updateDeviceToken(.tokenString(Self.pushToken), authenticationToken: token)
          Issue.record("the org took it")
        } catch {
          watch.look(member, at: Self.values(of: error))
        }
        rig.org.clearFaults()
      }
      #expect(watch.moments.contains("errorSummary") && watch.secrets.contains(Self.pushToken))
    }
  }

  @Test func `no object over files shows passphrase, PIN, or a key that is made of them`() async throws {
    let folder = try OwnFolder()
    let watch = Watch()
    let (passphrase, number) = ("canary-passphrase-77", "canary-pin-4711")
    watch.hide(passphrase)
    watch.hide(number)
    let seal = KeySeal.passphrase(passphrase, cost: .weakForTests)
    let pin = try PINFile(directory: folder.file("pin"), cost: .weakForTests)
    try pin.setPIN(number)
    let receipt = try pin.verify(number)
    watch.hide("the secret of the PIN", receipt.secret)
    let verifier = PromptVerifier(pin) { _ in number }
    let org = try await SimulatedOrg.start(OrgConfiguration(users: [OrgUser(login: Rig.login, password: "Correct-1")]))
    let builder = DeviceAuthenticatorBuilder(
      applicationConfig: ApplicationConfig(
        applicationName: "com.acme.app", applicationVersion: "1", applicationGroupId: "group")
    ).environment(FlowEnvironment(recorder: MemoryRecorder(), device: nil)).directory(
      folder.file("keys"), sealedBy: seal
    )
    .userVerifier(verifier)
    let authenticator = try builder.create()
    let keys = try FileKeyStore(directory: folder.file("own"), seal: seal)
    let sealed = try #require(keys.key(for: .enrollments))
    watch.hide("the key of enrollments", sealed)
    let storage = try SQLiteEnrollmentStorage(directory: folder.file("own"), key: sealed)
    let bearer = try #require(org.accessToken(for: Rig.login))
    watch.hide(bearer)
    var parameters = EnrollmentParameters(deviceToken: .tokenString(Self.pushToken))
    parameters.enableUserVerification(enable: true)
    watch.hide(Self.pushToken)
    let enrollment = try await authenticator.enroll(
      authenticationToken: .bearer(bearer),
      authenticatorConfig: DeviceAuthenticatorConfig(orgURL: org.url, oidcClientId: OrgClient.sample.id),
      enrollmentParameters: parameters)
    watch.look(
      "files",
      at: [
        seal, pin, receipt, KeyBinding(receipt), VerificationOutcome.verified(receipt),
        PromptVerifier.Answer.verified(secret: receipt.secret), verifier, TerminalPINVerifier(pin), builder,
        authenticator, keys, storage, parameters, enrollment,
        NotificationWebhook(token: bearer) { _ in .taken },
      ])
    #expect(watch.leaks == [])
    await org.stop()
  }

  // MARK: What an application can reach

  /// Plays with a watch, which has seen no secret at the end.
  private func withWatch(
    answers: [ScriptedVerifier.Answer] = [], _ body: (Rig, Watch, () -> [Any]) async throws -> Void
  ) async throws {
    let watch = Watch()
    watch.hide(Self.pushToken)
    watch.hide("the receipt's secret", Self.receiptSecret)
    let keys = WatchedKeys(watch: watch)
    let verifier = ScriptedVerifier(answers: answers, secret: Self.receiptSecret)
    let users = [OrgUser(login: Rig.login, password: "Correct-horse-1")]
    let configuration = OrgConfiguration(
      users: users,
      decorate: { path, body in
        if !path.contains("/keys") { watch.hideTokens(of: String(decoding: body.encoded, as: UTF8.self)) }
        return body
      })
    try await withRig(configuration, verifier: verifier, configure: { $0.keyStore(keys) }) { rig in
      try await body(rig, watch) {
        [rig.authenticator, rig.environment, rig.storage, keys, keys.memory, rig.verifier]
          + rig.authenticator.allEnrollments().map { $0 as Any }
      }
      watch.hide(rig.org.requests)
      // The token of the person, what the device signed, what the org signed, keys, and the push token.
      #expect(watch.secrets.count > 10)
      #expect(watch.leaks == [])
    }
  }

  /// Looks at a step and what hangs on it.
  private static func look(at step: RemediationStep, _ watch: Watch) -> String {
    let own: (String, [Any]) =
      switch step {
      case let step as RemediationStepUserConsent: ("consent", [step.enrollment])
      case is RemediationStepUserVerification:
        ("verification", [UserVerificationParameters(localizedReason: "Sign in?")])
      case let step as RemediationStepMessage: ("message", step.error.map(values) ?? [])
      default: ("unknown", [])
      }
    watch.look(own.0, at: [step, step.challenge] + own.1)
    return own.0
  }

  /// An error and what hangs on it.
  private static func values(of error: DeviceAuthenticatorError) -> [Any] {
    var values: [Any] = [error, error.localizedDescription, error.errorUserInfo, error as NSError]
    if case .serverAPIError(let result, let model) = error { values += [result, model as Any] }
    return values
  }
}
