// An application at an authorization server, request by request, with nothing between it and the bytes.

import Crypto
import Foundation
import SimulatedOrg
import Testing

/// One application, its PKCE verifier and its browser.
final class OAuthApp {
  static let redirect = "http://127.0.0.1:8400/callback"
  static let client = OrgClient(
    id: "app", redirectURIs: [redirect], postLogoutRedirectURIs: ["http://127.0.0.1:8400/bye"])

  let org: SimulatedOrg
  let wire: WireClient
  let server: String
  let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  /// Cookies of the browser.
  var cookie: String?
  /// The discovery document.
  private(set) var discovery: WireReply

  init(_ org: SimulatedOrg, _ wire: WireClient, issuer: String = "/oauth2/default") async throws {
    (self.org, self.wire, server) = (org, wire, issuer)
    wire.headers = [("Accept", "application/json")]
    discovery = try await wire.get(issuer + "/.well-known/openid-configuration")
    try #require(discovery.status == 200)
  }

  /// The parameters of an authorization request.
  func request(_ more: [String: String?] = [:]) -> [String: String] {
    var form: [String: String?] = [
      "response_type": "code", "client_id": Self.client.id, "redirect_uri": Self.redirect,
      "scope": "openid profile email offline_access", "state": "st-1", "nonce": "n-1",
      "code_challenge": TestToken.base64url(SHA256.hash(data: Data(verifier.utf8))), "code_challenge_method": "S256",
    ]
    form.merge(more) { $1 }
    return form.compactMapValues(\.self)
  }

  static func encoded(_ form: [String: String]) -> String {
    var plain = CharacterSet.alphanumerics
    plain.insert(charactersIn: "-._~")
    return form.sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value.addingPercentEncoding(withAllowedCharacters: plain) ?? "")" }
      .joined(separator: "&")
  }

  /// Opens an address in the browser.
  func open(_ address: String) async throws -> WireReply {
    wire.headers = [("Accept", "text/html")] + (cookie.map { [("Cookie", $0)] } ?? [])
    return keep(try await wire.get(address))
  }

  /// Sends the form of a page, filled in.
  func submit(_ page: WireReply, _ fields: [String: String]) async throws -> WireReply {
    let start = try #require(page.bodyText.range(of: "action=\"")).upperBound
    let action = page.bodyText[start...].prefix { $0 != "\"" }.replacingOccurrences(of: "&amp;", with: "&")
    wire.headers =
      [("Accept", "text/html"), ("Content-Type", "application/x-www-form-urlencoded")]
      + (cookie.map { [("Cookie", $0)] } ?? [])
    return keep(try await wire.request("POST", action, Self.encoded(fields)))
  }

  private func keep(_ reply: WireReply) -> WireReply {
    for header in reply.headers where header.name == "Set-Cookie" && header.value.hasPrefix("idx=") {
      cookie = String(header.value.prefix { $0 != ";" })
    }
    return reply
  }

  /// The authorization endpoint.
  func authorize(_ more: [String: String?] = [:]) async throws -> WireReply {
    try await open(try discovery.text("authorization_endpoint") + "?" + Self.encoded(request(more)))
  }

  /// What came back in the address of a redirect.
  func answer(_ reply: WireReply) throws -> [String: String] {
    let location = try #require(reply.header("Location"), "\(reply.status) \(reply.bodyText)")
    let parts = try #require(URLComponents(string: location.replacingOccurrences(of: "+", with: "%20")))
    return Dictionary((parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
  }

  /// Posts a form to an endpoint of the discovery document.
  func post(_ endpoint: String, _ form: [String: String?], basic: String? = nil) async throws -> WireReply {
    wire.headers = [("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded")]
    if let basic { wire.headers.append(("Authorization", "Basic \(Data(basic.utf8).base64EncodedString())")) }
    return try await wire.request(
      "POST", try discovery.text(endpoint), Self.encoded(form.compactMapValues(\.self)))
  }

  /// The token endpoint.
  func token(_ form: [String: String?]) async throws -> WireReply {
    let client: [String: String?] = ["client_id": Self.client.id]
    return try await post("token_endpoint", client.merging(form) { $1 })
  }

  /// A code for tokens.
  func redeem(_ code: String, _ more: [String: String?] = [:]) async throws -> WireReply {
    let form: [String: String?] = [
      "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirect, "code_verifier": verifier,
    ]
    return try await token(form.merging(more) { $1 })
  }

  func refresh(_ token: String, _ more: [String: String?] = [:]) async throws -> WireReply {
    let form: [String: String?] = ["grant_type": "refresh_token", "refresh_token": token]
    return try await self.token(form.merging(more) { $1 })
  }

  /// A code for a fresh session token.
  func code(_ more: [String: String?] = [:]) async throws -> String {
    let session = try #require(org.sessionToken(for: People.ann.login))
    let reply = try await authorize(["sessionToken": session].merging(more) { $1 })
    cookie = nil
    return try #require(try answer(reply)["code"], "\(reply.headers)")
  }

  /// Tokens for a fresh session token.
  func tokens(_ more: [String: String?] = [:]) async throws -> WireReply {
    let reply = try await redeem(try await code(more))
    try #require(reply.status == 200, "\(reply.bodyText)")
    return reply
  }

  /// The header of an `Authorization: Bearer` request.
  func bearer(_ method: String, _ endpoint: String, _ token: String?) async throws -> WireReply {
    wire.headers = [("Accept", "application/json")] + (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
    return try await wire.request(method, try discovery.text(endpoint), method == "POST" ? "" : nil)
  }

  func keys() async throws -> WireReply {
    wire.headers = [("Accept", "application/json")]
    return try await wire.get(try discovery.text("jwks_uri"))
  }

  func isActive(_ token: String, at server: OAuthApp? = nil) async throws -> Bool {
    let reply = try await (server ?? self).post(
      "introspection_endpoint", ["token": token, "client_id": Self.client.id])
    try #require(reply.status == 200)
    return try #require(reply.value("active") as? Bool)
  }
}

/// Starts an org with Ann, Bob and the application, and hands an application over.
func withApp<R>(
  _ oidc: OrgOIDC = .init(), issuer: String = "/oauth2/default", clients: [OrgClient] = [OAuthApp.client],
  _ body: (OAuthApp) async throws -> R
) async throws -> R {
  try await withOrg(.init(users: [People.ann, People.bob], clients: clients, oidc: oidc)) { org, wire in
    try await body(try await OAuthApp(org, wire, issuer: issuer))
  }
}
