// A sign-in in the person's browser, with its redirect awaited on loopback.

import AuditReports
import ArgumentParser
import FlowRecording
import Foundation
import OIDC

/// What `auditctl sign-in --api oidc` was asked for.
struct BrowserSignIn: Sendable {
  var issuer: String
  var clientID: String
  var redirectURI: String
  var scopes: String
  /// Prints the page to open; `nil` to open it in the system's browser.
  var show: (@Sendable (String) -> Void)?

  /// Signs in. The flow is released when this returns.
  ///
  /// - Parameters:
  ///   - environment: the seams, which must have `recorder` for their recorder.
  ///   - recorder: knows the flow.
  /// - Throws: the error, if something is wrong before a flow begins.
  func run(_ environment: FlowEnvironment, _ recorder: NotingRecorder) async throws -> SignIn.End {
    let auth = try OktaAppAuth(
      configuration: OktaAuthConfig(with: [
        "issuer": issuer, "clientId": clientID, "redirectUri": redirectURI, "scopes": scopes,
      ]), environment: environment)
    var end = SignIn.End(flow: "", status: "none", error: nil)
    do {
      let tokens = try await auth.signInWithBrowser(from: show.map(Screen.init))
      end.status = SignIn.End.tokens
      let claims = try tokens.idToken.flatMap { try OktaAuthStateManager.decodeJWT($0) }
      end.user = claims?["preferred_username"] as? String ?? claims?["email"] as? String
    } catch {
      end.error = error
    }
    end.flow = recorder.streams.last ?? ""
    return end
  }

  /// Shows pages as lines.
  private struct Screen: URLPresenter {
    var show: @Sendable (String) -> Void

    func show(_ url: URL) { show(url.absoluteString) }
  }

  /// Checks an issuer as it was typed.
  ///
  /// - Throws: `ValidationError` if it is not a URL, or one that would take secrets in clear text to another machine.
  static func check(issuer: String) throws {
    guard let parts = URLParts(issuer), ["http", "https"].contains(parts.scheme),
      issuer.utf8.allSatisfy({ $0 > 0x20 })
    else { throw ValidationError("'\(issuer)' is no issuer; write https://acme.example/oauth2/default") }
    guard parts.scheme == "https" || parts.isLoopback else {
      throw ValidationError("\(parts.origin) would get codes and tokens in clear text; use https")
    }
  }

  /// Checks a redirect URI as it was typed.
  ///
  /// - Throws: `ValidationError` if a browser cannot come back by it to this machine.
  static func check(redirectURI: String) throws {
    guard let parts = URLParts(redirectURI), parts.scheme == "http", parts.isLoopback else {
      throw ValidationError(
        "'\(redirectURI)' does not lead back to this machine; write http://127.0.0.1:8400/callback, as it is registered"
      )
    }
  }
}
