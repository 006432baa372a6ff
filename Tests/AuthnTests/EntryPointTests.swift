import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// `OktaAuthSdk`, closure and async forms: each starts a flow of its own in the current environment.
@Suite struct EntryPointTests {
  private static let url = URL(string: Script.org) ?? URL(fileURLWithPath: "/")

  private func expect(_ script: Script, _ path: String, _ body: JSON, flows: Int = 1) throws {
    #expect(script.transport.requests.last?.url == Script.org + "/api/v1/authn" + path)
    #expect(try script.lastBody.sorted == body.sorted)
    #expect(script.recorder.streams.count == flows)
    try expectReplays(script.recorder, path)
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
}
