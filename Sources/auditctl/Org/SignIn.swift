// A sign-in at a terminal, from the password to its end, by either API.

import AuditReports
import Authn
import FlowRecording
import Foundation
import IDX

/// What `auditctl sign-in` was asked for.
struct SignIn: Sendable {
  var url: URL
  var username: String
  var factor: String?
  var pollInterval: Double
  var clientID: String
  var redirectURI: String
  var scopes: String
  var isIdentityEngine: Bool
  var password: PasswordSource
  /// The origins that links may lead to, beside the org's; nil if none was named.
  var allowedOrigins: [String]?

  /// Where the password comes from.
  enum PasswordSource: Sendable {
    /// The terminal, or the next line of standard input.
    case input
    case file(String)
    case descriptor(Int32)
  }

  /// How a sign-in ended.
  struct End: Sendable {
    var flow: String
    var status: String
    var error: (any Error)?
    /// The user who signed in, if the tokens say it.
    var user: String?

    /// The status of a sign-in that ended in tokens.
    static let tokens = "signedIn"

    /// Whether the user is in.
    var signedIn: Bool { error == nil && [AuthStatus.success.raw, "success", Self.tokens].contains(status) }
  }

  /// Asks for the password, and signs in. The flow is released when this returns.
  ///
  /// - Throws: the error, if something is wrong before a flow begins.
  func run(_ environment: FlowEnvironment) async throws -> End {
    let typed = try typed()
    return isIdentityEngine
      ? try await runIdentityEngine(typed, environment) : await runAuthn(typed, environment)
  }

  private func typed() throws -> String {
    switch password {
    case .input: try SecretInput.ask("Password for \(username.printable): ")
    case .file(let path): try SecretInput.file(path)
    case .descriptor(let number): try SecretInput.descriptor(number)
    }
  }

  private func runIdentityEngine(_ password: String, _ environment: FlowEnvironment) async throws -> End {
    guard let redirect = URL(string: redirectURI) else {
      throw CommandFailure(.usage, "'\(redirectURI)' is no redirect URI")
    }
    // An org's URL alone means its default authorization server.
    let issuer = url.path.isEmpty || url.path == "/" ? url.appendingPathComponent("oauth2/default") : url
    let flow = InteractionCodeFlow(
      issuer: issuer, clientId: clientID, scopes: scopes, redirectUri: redirect, allowedOrigins: allowedOrigins,
      environment: environment)
    var end = End(flow: flow.flowID, status: "none", error: nil)
    do {
      let dialog = IdentityEngineDialog(flow: flow, username: username, password: password, choice: factor)
      if let refusal = try await dialog.lead(heard: { end.status = $0 }) {
        end.error = CommandFailure(.finding, refusal)
      }
    } catch {
      end.error = error
    }
    return end
  }

  private func runAuthn(_ password: String, _ environment: FlowEnvironment) async -> End {
    let start = OktaAuthStatusUnauthenticated(
      oktaDomain: url, responseHandler: OktaAuthStatusResponseHandler(pollInterval: pollInterval),
      allowedOrigins: allowedOrigins, environment: environment)
    var end = End(flow: start.flowID, status: "none", error: nil)
    do {
      let first = try await start.authenticate(username: username, password: password)
      let status = try await SignInDialog(factor: factor).lead(from: first) { end.status = $0.statusType.raw }
      if let challenge = status as? OktaAuthStatusFactorChallenge, let result = challenge.factorResult {
        end.error = CommandFailure(.finding, "the push ended as \(challenge.masked(result.raw))")
      } else if status.statusType != .success {
        end.error = CommandFailure(.finding, "the sign-in ended in \(end.status)")
      }
    } catch {
      end.error = error
    }
    return end
  }
}
