// The keys that tokens are signed with, and discovery (oidc.md §2, §8.2).

import Crypto
import Foundation

extension OrgState {
  /// The key that signs ID tokens of a server.
  func signer(_ server: String, _ algorithm: OrgOIDC.Algorithm) -> TokenSigner {
    switch algorithm {
    case .rs256: return signingKeys(Self.signer(server)).signer
    case .es256:
      let key = curveKey
      let other = CurveKey(name: "org \(configuration.seed) unpublished")
      return TokenSigner(
        id: curveKeyID, algorithm: "ES256", sign: { key.sign($0) }, signOtherwise: { other.sign($0) },
        publicBytes: key.publicKey)
    }
  }

  /// True if this org signed an ID token. Does not check whether it is still valid.
  func isOwnIDToken(_ token: CompactJWS) -> Bool {
    switch token.header["alg"]?.string {
    case "ES256":
      guard let key = try? P256.Signing.PublicKey(rawRepresentation: curveKey.publicKey),
        let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature)
      else { return false }
      return key.isValidSignature(signature, for: SHA256.hash(data: token.signed))
    case "RS256":
      guard let issuer = token.text("iss"), issuer.hasPrefix(baseURL) else { return false }
      let path = String(issuer.dropFirst(baseURL.count))
      let signer = signingKeys(Self.signer(path.isEmpty ? "/oauth2" : path)).signer
      // PKCS #1 v1.5 signs a message in one way only.
      return signer.id == token.header["kid"]?.string && signer.sign(token.signed) == token.signature
    case _: return false
    }
  }

  private var curveKey: CurveKey { CurveKey(name: "org \(configuration.seed)") }

  private var curveKeyID: String {
    var draws = SeededGenerator(seed: configuration.seed, for: "key id")
    return draws.text("", length: 43)
  }

  /// The key set of a server.
  func keys(_ server: String) -> IDXReply {
    let point = curveKey.publicKey
    let key: OrgJSON = [
      "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": .string(curveKeyID),
      "x": .string(Base64.urlText(point.prefix(32))), "y": .string(Base64.urlText(point.suffix(32))),
    ]
    return document(["keys": .array([key] + signingKeys(Self.signer(server)).published)])
  }

  /// The signer for an authorization server's base path.
  static func signer(_ server: String) -> OrgSigner {
    server == "/oauth2" ? .organization : .authorizationServer(String(server.split(separator: "/").last ?? ""))
  }

  /// The discovery document of a server.
  func discovery(_ server: String) -> IDXReply {
    let habits = configuration.oidc.habits
    func address(_ endpoint: OAuthRoute.Endpoint) -> OrgJSON {
      .string(baseURL + OAuthRoute.path(endpoint, of: server))
    }
    let methods: OrgJSON = ["none", "client_secret_basic", "client_secret_post"]
    var found: OrgJSON = [
      "issuer": .string(issuer(server)), "authorization_endpoint": address(.authorize),
      "token_endpoint": address(.token), "jwks_uri": address(.keys),
      "response_types_supported": ["code"], "subject_types_supported": ["public"],
      "id_token_signing_alg_values_supported": ["RS256", "ES256"],
    ]
    let optional: OrgJSON = [
      "userinfo_endpoint": address(.userinfo), "introspection_endpoint": address(.introspect),
      "revocation_endpoint": address(.revoke), "end_session_endpoint": address(.logout),
      "device_authorization_endpoint": address(.device), "pushed_authorization_request_endpoint": address(.par),
      "response_modes_supported": ["query", "fragment", "form_post"],
      "grant_types_supported": .array(OrgClient.Grant.allCases.map { .string($0.rawValue) }),
      "scopes_supported": .array(Self.commonScopes.map(OrgJSON.string)),
      "claims_supported": ["iss", "sub", "aud", "iat", "exp", "auth_time", "amr", "name", "email"],
      "token_endpoint_auth_methods_supported": methods, "introspection_endpoint_auth_methods_supported": methods,
      "revocation_endpoint_auth_methods_supported": methods,
      "code_challenge_methods_supported": ["S256"], "request_parameter_supported": false,
    ]
    if case .object(let members) = optional, !habits.contains(.bareDiscovery) {
      for member in members { found[member.name] = member.value }
    }
    if server.hasPrefix("/oauth2"), !habits.contains(.bareDiscovery) {
      found["backchannel_authentication_endpoint"] = .string(baseURL + server + "/v1/bc/authorize")
      found["backchannel_token_delivery_modes_supported"] = ["poll"]
    }
    if habits.contains(.namesIssuerInRedirect) { found["authorization_response_iss_parameter_supported"] = true }
    if habits.contains(.nullsInDiscovery) {
      for name in ["registration_endpoint", "dpop_signing_alg_values_supported", "claims_supported"] {
        found[name] = .null
      }
    }
    return document(found)
  }

  /// A cacheable JSON document.
  private func document(_ json: OrgJSON) -> IDXReply {
    var reply = IDXReply.plain(json)
    let age = configuration.oidc.documentMaxAge
    reply.headers = [("Cache-Control", age > 0 ? "max-age=\(age), must-revalidate" : "no-store")]
    return reply
  }

  /// The scopes that every client may ask for.
  static let commonScopes = [
    "openid", "profile", "email", "address", "phone", "offline_access", "device_sso", "groups",
  ]
}
