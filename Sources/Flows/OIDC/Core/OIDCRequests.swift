// The requests of a flow for tokens (oidc §2-§7): where they go and what they carry, secrets as placeholders.

import EventStore
import FlowRecording

enum OIDCRequests {
  static let json = "application/json"
  static let form = "application/x-www-form-urlencoded; charset=UTF-8"
  static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

  /// A GET of a document.
  static func get(_ url: String, accept: String = json) -> RequestPlan {
    RequestPlan(method: "GET", url: url, accept: accept)
  }

  /// A form to an endpoint, with the client's id in it unless a header contains it.
  static func post(
    _ url: String, _ members: [(String, JSON?)], client: OIDCSettings, authorization: String?
  ) -> RequestPlan {
    let own: [(String, JSON?)] = authorization == nil ? [("client_id", .string(client.clientID))] : []
    return RequestPlan(
      url: url, accept: json, contentType: form,
      headers: authorization.map { [HTTPField("Authorization", $0)] } ?? [], body: .members(members + own),
      encoding: .form)
  }

  /// The parameters of an authorization (oidc §3); those of the configuration and of the call come after those of the
  /// protocol.
  static func authorization(_ operation: OIDCOperation, _ settings: OIDCSettings) -> [(String, JSON?)] {
    let proof = operation.proof
    let own: [(String, JSON?)] = [
      ("response_type", "code"), ("client_id", .string(settings.clientID)),
      ("redirect_uri", .string(operation.redirectURI(settings))), ("scope", .string(scope(settings))),
      ("state", proof["state"].map(JSON.string)), ("nonce", proof["nonce"].map(JSON.string)),
      ("code_challenge", proof["challenge"].map(JSON.string)), ("code_challenge_method", "S256"),
      ("sessionToken", operation.arguments["sessionToken"]),
    ]
    return own + extras(operation, settings)
  }

  /// Parameters from the application: those of the call take precedence, and the protocol's own cannot be replaced.
  static func extras(_ operation: OIDCOperation, _ settings: OIDCSettings) -> [(String, JSON?)] {
    let given = operation.arguments["parameters"]?.object?.members ?? []
    var members: [(String, JSON?)] = []
    for member in given + settings.parameters
    where !OktaAuthConfig.protocolParameters.contains(member.key) && !members.contains(where: { $0.0 == member.key }) {
      members.append((member.key, member.value))
    }
    return members
  }

  /// The scopes to request: an ID token is always requested.
  static func scope(_ settings: OIDCSettings) -> String {
    let scopes = settings.scopes.split(separator: " ").map(String.init)
    return (scopes.contains("openid") ? scopes : ["openid"] + scopes).joined(separator: " ")
  }

  /// The form of a token request (oidc §6, §12).
  static func token(_ operation: OIDCOperation, _ settings: OIDCSettings) -> [(String, JSON?)] {
    switch operation.name {
    case .renew:
      [
        ("grant_type", "refresh_token"), ("refresh_token", operation.refreshToken),
        ("scope", operation.arguments["scope"]),
      ]
    case .signInOnDevice:
      [
        ("grant_type", .string(deviceGrant)),
        ("device_code", operation.answers[.deviceAuthorize]?.body?["device_code"]),
      ]
    case .signInWithSessionToken, .signInWithBrowser, .signOut, .introspect, .revoke, .getUser, .store, .read, .clear,
      .clearAll, .adopt, .resume, .cancel:
      [
        ("grant_type", "authorization_code"), ("code", operation.redirect?["code"]),
        ("redirect_uri", .string(operation.redirectURI(settings))),
        ("code_verifier", operation.proof["verifier"].map(JSON.string)),
      ]
    }
  }

  /// The page that ends the browser's session (oidc §7.2).
  static func endSession(_ operation: OIDCOperation, _ settings: OIDCSettings) -> [(String, JSON?)] {
    [
      ("id_token_hint", operation.arguments["idToken"]), ("client_id", .string(settings.clientID)),
      ("post_logout_redirect_uri", .string(operation.redirectURI(settings))),
      ("state", operation.proof["state"].map(JSON.string)),
    ] + extras(operation, settings)
  }
}
