import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// `OktaAuthSdk`, closure and async forms: each starts a flow of its own in the current environment.
@Suite struct EntryPointTests {
  private static let url = URL(string: Script.org) ?? URL(fileURLWithPath: "/")

  private func expect(
    _ script: Script, _ path: String, _ body: JSON, flows: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(script.transport.requests.last?.url == Script.org + "/api/v1/authn" + path, sourceLocation: sourceLocation)
    #expect(try script.lastBody.sorted == body.sorted, sourceLocation: sourceLocation)
    #expect(script.recorder.streams.count == flows, sourceLocation: sourceLocation)
    try expectReplays(script.recorder, path, sourceLocation: sourceLocation)
  }

  @Test("the closure forms")
  func closures() async throws {
    let url = Self.url
    let rows: [(String, JSON, @Sendable (@escaping @Sendable () -> Void) -> Void)] = [
      (
        "",
        [
          "username": "ann", "password": "x",
          "options": ["multiOptionalFactorEnroll": true, "warnBeforePasswordExpired": true],
        ],
        { done in
          OktaAuthSdk.authenticate(
            with: url, username: "ann", password: "x", onStatusChange: { _ in done() }, onError: { _ in done() })
        }
      ),
      (
        "/recovery/unlock", ["username": "ann", "factorType": "sms"],
        { done in
          OktaAuthSdk.unlockAccount(
            with: url, username: "ann", factorType: .sms, onStatusChange: { _ in done() }, onError: { _ in done() })
        }
      ),
      (
        "/recovery/password", ["username": "ann", "factorType": "email"],
        { done in
          OktaAuthSdk.recoverPassword(
            with: url, username: "ann", factorType: .email, onStatusChange: { _ in done() }, onError: { _ in done() })
        }
      ),
      (
        "", ["stateToken": "state-token-1"],
        { done in
          OktaAuthSdk.fetchStatus(
            with: "state-token-1", using: url, onStatusChange: { _ in done() }, onError: { _ in done() })
        }
      ),
      (
        "/recovery/token", ["recoveryToken": "recovery-1"],
        { done in
          OktaAuthSdk.recover(
            with: "recovery-1", using: url, onStatusChange: { _ in done() }, onError: { _ in done() })
        }
      ),
    ]
    for (path, body, call) in rows {
      let script = Script(Wire.success)
      await withCheckedContinuation { continuation in
        script.environment.run { call { continuation.resume() } }
      }
      try expect(script, path, body)
    }
  }

  @Test("the async forms")
  func asyncForms() async throws {
    let script = Script(Wire.success, Wire.success, Wire.success, Wire.success, Wire.success)
    let (url, environment) = (Self.url, script.environment)
    _ = try await OktaAuthSdk.authenticate(with: url, username: "ann", password: "x", environment: environment)
    _ = try await OktaAuthSdk.fetchStatus(with: "state-token-1", using: url, environment: environment)
    _ = try await OktaAuthSdk.recover(with: "recovery-1", using: url, environment: environment)
    _ = try await OktaAuthSdk.recoverPassword(with: url, username: "ann", factorType: .sms, environment: environment)
    _ = try await OktaAuthSdk.unlockAccount(with: url, username: "ann", factorType: .call, environment: environment)
    try expect(script, "/recovery/unlock", ["username": "ann", "factorType": "call"], flows: 5)
  }

  /// An org whose links name another domain than it is called by.
  private static let renamed: JSON = {
    let other = "https://login.acme.example"
    let verify = Wire.link("\(other)/api/v1/authn/factors/fct1/verify")
    return Wire.required(Wire.factor("token:software:totp", links: [("verify", verify)]))
  }()

  @Test("a code goes to the other domain of an org if the entry point lists it", arguments: [true, false])
  func allowedOrigins(isListed: Bool) async throws {
    let script = Script(Self.renamed, Wire.success)
    let origins = isListed ? ["https://login.acme.example"] : nil
    let status = try await OktaAuthSdk.authenticate(
      with: Self.url, username: "ann", password: "x", allowedOrigins: origins, environment: script.environment)
    let required = try #require(status as? OktaAuthStatusFactorRequired)
    let factor = try #require(required.availableFactors.first as? OktaFactorTotp)
    if isListed {
      #expect(try await factor.select(passCode: "123456").statusType == .success)
      #expect(script.transport.requests.last?.url == "https://login.acme.example/api/v1/authn/factors/fct1/verify")
    } else {
      let error = try await failure { () async throws(OktaError) in try await factor.select(passCode: "123456") }
      #expect(error.localizedDescription.contains("allowedOrigins"))
    }
    try await script.expectWhole(required)
  }

  @Test("each entry point takes the origins, in the closure form and in the async form")
  func origins() async throws {
    let (url, origins) = (Self.url, ["https://login.acme.example"])
    let script = Script(Array(repeating: Script.answer(Wire.success), count: 10))
    let environment = script.environment
    let calls: [@Sendable (@escaping @Sendable () -> Void) -> Void] = [
      { done in
        OktaAuthSdk.authenticate(
          with: url, username: "ann", password: "x", allowedOrigins: origins, onStatusChange: { _ in done() },
          onError: { _ in done() })
      },
      { done in
        OktaAuthSdk.unlockAccount(
          with: url, username: "ann", factorType: .sms, allowedOrigins: origins, onStatusChange: { _ in done() },
          onError: { _ in done() })
      },
      { done in
        OktaAuthSdk.recoverPassword(
          with: url, username: "ann", factorType: .sms, allowedOrigins: origins, onStatusChange: { _ in done() },
          onError: { _ in done() })
      },
      { done in
        OktaAuthSdk.recover(
          with: "recovery-1", using: url, allowedOrigins: origins, onStatusChange: { _ in done() },
          onError: { _ in done() })
      },
      { done in
        OktaAuthSdk.fetchStatus(
          with: "state-token-1", using: url, allowedOrigins: origins, onStatusChange: { _ in done() },
          onError: { _ in done() })
      },
    ]
    for call in calls {
      await withCheckedContinuation { continuation in
        environment.run { call { continuation.resume() } }
      }
    }
    _ = try await OktaAuthSdk.authenticate(
      with: url, username: "ann", password: "x", allowedOrigins: origins, environment: environment)
    _ = try await OktaAuthSdk.unlockAccount(
      with: url, username: "ann", factorType: .sms, allowedOrigins: origins, environment: environment)
    _ = try await OktaAuthSdk.recoverPassword(
      with: url, username: "ann", factorType: .sms, allowedOrigins: origins, environment: environment)
    _ = try await OktaAuthSdk.recover(
      with: "recovery-1", using: url, allowedOrigins: origins, environment: environment)
    _ = try await OktaAuthSdk.fetchStatus(
      with: "state-token-1", using: url, allowedOrigins: origins, environment: environment)
    let settings = script.recorder.streams.compactMap { stream -> JSON? in
      guard case .flowStarted(let started) = script.recorder.records(of: stream).first?.event else { return nil }
      return started.settings["origins"]
    }
    #expect(settings == Array(repeating: ["https://login.acme.example"], count: 10))
    try expectReplays(script.recorder, "origins")
  }
}
