import EventStore
import FlowRecording
import Foundation
import OIDC
import Scenarios
import Testing

/// The checks of oidc §3.1, each with a redirect that breaks just it and those behind it, so that their order shows.
@Suite struct RedirectRuleTests {
  private static let rows: [(String, @Sendable (String) -> String, OktaError)] = [
    (
      "another scheme", { "com.evil.app:/callback?code=c&state=\($0)" }, .redirectServerError("/callback")
    ),
    ("another path", { "com.acme.app:/other?code=c&state=\($0)" }, .redirectServerError("/other")),
    ("another host", { "com.acme.app://evil/callback?code=c&state=\($0)" }, .redirectServerError("evil/callback")),
    ("a fragment", { "com.acme.app:/callback?code=c&state=\($0)#x" }, .redirectServerError("/callback")),
    (
      "a state twice", { "com.acme.app:/callback?code=c&state=\($0)&state=\($0)" },
      .APIError("the redirect has the parameter state twice")
    ),
    (
      "a parameter of another standard twice",
      { "com.acme.app:/callback?code=c&state=\($0)&session_state=a&session_state=b" },
      .APIError("the redirect has the parameter session_state twice")
    ),
    ("no state", { _ in "com.acme.app:/callback?error=access_denied&iss=https://evil.example" }, .stateMismatch),
    ("another state", { "com.acme.app:/callback?error=access_denied&state=x\($0)" }, .stateMismatch),
    (
      "another issuer", { "com.acme.app:/callback?error=access_denied&state=\($0)&iss=https%3A%2F%2Fevil.example" },
      .issuerMismatch(expected: TinyProvider.issuer, actual: "https://evil.example")
    ),
    (
      "an error", { "com.acme.app:/callback?error=access_denied&error_description=No+way&code=c&state=\($0)" },
      .authorization(error: "access_denied", description: "No way")
    ),
    ("no code", { "com.acme.app:/callback?state=\($0)" }, .unableToGetAuthCode),
    ("an empty code", { "com.acme.app:/callback?code=&state=\($0)" }, .unableToGetAuthCode),
  ]

  @Test(arguments: rows.indices)
  func `a redirect that breaks a rule fails by it, and no code is sent`(row: Int) async throws {
    let (_, redirect, expected) = Self.rows[row]
    let rig = try OIDCRig(
      TinyProvider { request, response in
        guard request.url.contains("/authorize") else { return }
        let state = TinyProvider.query(request.url)["state"] ?? ""
        response = HTTPResponse(status: 303, headers: [HTTPField("Location", redirect(state))], body: [])
      })
    #expect(await failure { try await rig.signIn() } == expected)
    #expect(!rig.provider.paths.contains("/op/token"))
    try rig.expectReplay()
  }

  @Test func `what the redirect URI has twice itself is the client's own`() async throws {
    let rig = try OIDCRig(
      TinyProvider { request, response in
        guard request.url.contains("/authorize") else { return }
        let query = TinyProvider.query(request.url)
        let redirect = "\(query["redirect_uri"] ?? "")&code=code-of-the-test&state=\(query["state"] ?? "")"
        response = HTTPResponse(status: 302, headers: [HTTPField("Location", redirect)], body: [])
      }, values: ["redirectUri": OIDCRig.redirectURI + "?tag=a&tag=b"])
    #expect(try await rig.signIn().accessToken == "access-canary-1")
    try rig.expectReplay()
  }

  @Test func `an issuer that the server promises to name must be there`() async throws {
    let rig = try OIDCRig(
      TinyProvider(metadata: [("authorization_response_iss_parameter_supported", true)]))
    let expected = OktaError.issuerMismatch(expected: TinyProvider.issuer, actual: "")
    #expect(await failure { try await rig.signIn() } == expected)
    try rig.expectReplay()
  }

  @Test func `a redirect is compared by scheme, user, host, port and path; case counts in the path alone`() {
    let uri = "http://127.0.0.1:4711/callback"
    for same in [
      "http://127.0.0.1:4711/callback", "HTTP://127.0.0.1:4711/callback?x=1",
    ] { #expect(RedirectReading.leads(same, to: uri), "\(same)") }
    for other in [
      "https://127.0.0.1:4711/callback", "http://127.0.0.1:4712/callback", "http://127.0.0.1/callback",
      "http://localhost:4711/callback", "http://127.0.0.1:4711/Callback", "http://127.0.0.1:4711/callback/",
      "http://u@127.0.0.1:4711/callback", "http://127.0.0.1:4711/callback#f", "callback", "",
    ] { #expect(!RedirectReading.leads(other, to: uri), "\(other)") }
    #expect(RedirectReading.leads("https://ACME.example:443/cb?a", to: "https://acme.example/cb"))
  }
}
