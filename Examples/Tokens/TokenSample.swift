// A terminal program that signs in by a browser, uses its tokens and gives them back, recorded to a log.
//
//   auditctl simulate &                                   # an org to try it on
//   swift run token-sample http://127.0.0.1:PORT/oauth2/default audit 0oa1sampleapp0000001 http://127.0.0.1:8400/callback
//   auditctl token list --store audit
//
// The page to open is printed on a line of its own. The same address takes the browser back from the sign-out.

import FlowRecording
import Foundation
import OIDC

@main
struct TokenSample {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 5 else {
      say("usage: token-sample ISSUER STORE-DIRECTORY CLIENT-ID REDIRECT-URI")
      exit(64)
    }
    let recorder = LogRecorder(directory: arguments[2])
    var code: Int32 = 0
    do {
      try await run(issuer: arguments[1], clientId: arguments[3], redirectUri: arguments[4], recorder)
    } catch {
      say("\(error)")
      code = 1
    }
    do {
      try recorder.close()
    } catch {
      say("\(error)")
      code = 74
    }
    exit(code)
  }

  /// One life of tokens: issued, used, renewed, revoked. Only what the server answers with an error ends it early, and the
  /// sign-out is tried in any case.
  private static func run(
    issuer: String, clientId: String, redirectUri: String, _ recorder: LogRecorder
  ) async throws {
    let auth = try OktaAppAuth(
      configuration: OktaAuthConfig(with: [
        "issuer": issuer, "clientId": clientId, "redirectUri": redirectUri, "logoutRedirectUri": redirectUri,
        "scopes": "openid profile email offline_access",
      ]), environment: FlowEnvironment(recorder: recorder))
    let tokens = try await auth.signInWithBrowser(from: Screen())
    say("signed in")
    await step("user") { try await tokens.getUser()["sub"] == nil ? "nameless" : "known" }
    await step("access token") {
      try await tokens.introspect(token: tokens.accessToken)["active"].map { "active \($0)" }
    }
    await step("renewal") {
      let old = tokens.accessToken
      try await tokens.renew()
      return tokens.accessToken == old ? "the same token" : "a new token"
    }
    await step("revocation") {
      try await tokens.revoke(tokens.accessToken)
      return "done"
    }
    try await auth.signOutOfOkta(tokens, from: Screen())
    say("signed out")
  }

  /// Does something, and says what came of it.
  private static func step(_ name: String, _ body: () async throws -> String?) async {
    do {
      say("\(name): \(try await body() ?? "nothing")")
    } catch {
      say("\(name): \(error)")
    }
  }

  static func say(_ text: String) {
    print(text)
    fflush(nil)
  }
}

/// Shows pages as lines to copy into a browser.
struct Screen: URLPresenter {
  func show(_ url: URL) { TokenSample.say(url.absoluteString) }
}
