// The authorization server beside the engine: tokens for an interaction code, keys, discovery (idx.md §2.4; oidc.md §2,
// §6, §7, §8).

import Crypto
import Foundation

extension OrgState {
  /// The issuer of an authorization server.
  func issuer(_ server: String) -> String { server == "/oauth2" ? baseURL : baseURL + server }

  /// `…/v1/token`: the grant decides.
  mutating func token(_ server: String, _ call: IDXCall) -> IDXReply {
    let form = call.form
    guard let client = client(call) else {
      return .oauthError("invalid_client", "Invalid value for 'client_id' parameter.", status: 401)
    }
    guard let type = form["grant_type"] else {
      return .oauthError("invalid_request", "The 'grant_type' parameter is required.")
    }
    switch OrgClient.Grant(rawValue: type) {
    case .interactionCode: return interactionToken(server, client, form)
    case .jwtBearer: return bearerToken(server, client, form)
    case .ciba: return backchannelToken(server, client, form)
    case nil: return .oauthError("unsupported_grant_type", "The grant type was not authorized by the server.")
    }
  }

  /// Tokens for the code at the end of a sign-in.
  private mutating func interactionToken(_ server: String, _ client: OrgClient, _ form: [String: String]) -> IDXReply {
    guard client.grants.contains(.interactionCode) else {
      return .oauthError("unauthorized_client", "The client is not authorized to use the provided grant type.")
    }
    guard let code = form["interaction_code"], let grant = idx.grants[code] else {
      return .oauthError("invalid_grant", "The interaction code is invalid or has expired.")
    }
    guard let verifier = form["code_verifier"] else {
      return .oauthError("invalid_request", "PKCE code verifier is required.")
    }
    // Once, whatever comes of it.
    idx.grants[code] = nil
    guard grant.expires > now, grant.interest.client.id == client.id, grant.interest.server == server else {
      return .oauthError("invalid_grant", "The interaction code is invalid or has expired.")
    }
    guard Base64.urlText(SHA256.hash(data: Array(verifier.utf8))) == grant.interest.challenge else {
      return .oauthError("invalid_grant", "PKCE verification failed.")
    }
    idx.transactions = idx.transactions.filter { entry in
      if case .success(code) = entry.value.step { false } else { true }
    }
    return .plain(tokens(grant, code))
  }

  /// The tokens of a sign-in. The org's own server gives tokens that are good for its API.
  mutating func tokens(_ grant: IDXState.Grant, _ code: String) -> OrgJSON {
    var draws = SeededGenerator(seed: configuration.seed, for: "tokens \(code)")
    let access = draws.text("eyJ", length: 60)
    let scopes = grant.scopes
    if grant.interest.server == "/oauth2" {
      keepToken(access, grant.login, client: grant.interest.client.id, scopes: scopes, lifetime: 3600)
    }
    var answer: OrgJSON = [
      "token_type": "Bearer", "expires_in": 3600, "access_token": .string(access),
      "scope": .string(scopes.joined(separator: " ")),
    ]
    if scopes.contains("offline_access") { answer["refresh_token"] = .string(draws.text("", length: 43)) }
    if scopes.contains("openid"), let account = accounts[grant.login] {
      answer["id_token"] = .string(idToken(grant, account, access, jti: draws.text("ID.", length: 32)))
    }
    return answer
  }

  private func idToken(_ grant: IDXState.Grant, _ account: Account, _ access: String, jti: String) -> String {
    let (interest, time) = (grant.interest, now.seconds)
    var claims: OrgJSON = [
      "sub": .string(account.id), "name": .string("\(account.user.firstName) \(account.user.lastName)"), "ver": 1,
      "iss": .string(issuer(interest.server)), "aud": .string(interest.client.id), "iat": .int(Int(time)),
      "exp": .int(Int(time) + 3600), "jti": .string(jti), "amr": .array(grant.methods.map(OrgJSON.string)),
      "idp": "00o1simulatedorg0000", "preferred_username": .string(account.user.login),
      "auth_time": .int(Int(grant.authenticated.seconds)),
      "at_hash": .string(Base64.urlText(Array(SHA256.hash(data: Array(access.utf8))).prefix(16))),
    ]
    if grant.scopes.contains("email") { claims["email"] = .string(account.user.email) }
    if let nonce = interest.nonce { claims["nonce"] = .string(nonce) }
    let header: OrgJSON = ["kid": .string(keyID), "alg": "ES256"]
    let text = Base64.urlText(header.encoded) + "." + Base64.urlText(claims.encoded)
    return text + "." + Base64.urlText(signingKey.sign(Array(text.utf8)))
  }

  /// Whether this org signed an ID token.
  func isOwnIDToken(_ token: CompactJWS) -> Bool {
    guard token.header["alg"] == "ES256",
      let key = try? P256.Signing.PublicKey(rawRepresentation: signingKey.publicKey),
      let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature)
    else { return false }
    return key.isValidSignature(signature, for: SHA256.hash(data: token.signed))
  }

  private var signingKey: CurveKey { CurveKey(name: "org \(configuration.seed)") }

  private var keyID: String {
    var draws = SeededGenerator(seed: configuration.seed, for: "key id")
    return draws.text("", length: 43)
  }

  /// `…/v1/keys`.
  func keys(_ server: String) -> IDXReply {
    let point = signingKey.publicKey
    let key: OrgJSON = [
      "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": .string(keyID),
      "x": .string(Base64.urlText(point.prefix(32))), "y": .string(Base64.urlText(point.suffix(32))),
    ]
    var reply = IDXReply.plain(["keys": .array([key] + signingKeys(Self.signer(server)).published)])
    reply.headers = [("Cache-Control", "max-age=3600, must-revalidate")]
    return reply
  }

  /// Who signs for an authorization server's base path.
  static func signer(_ server: String) -> OrgSigner {
    server == "/oauth2" ? .organization : .authorizationServer(String(server.dropFirst("/oauth2/".count)))
  }

  /// `…/.well-known/openid-configuration`.
  func discovery(_ server: String) -> IDXReply {
    let endpoints = baseURL + server + "/v1/"
    var reply = IDXReply.plain([
      "issuer": .string(issuer(server)), "authorization_endpoint": .string(endpoints + "authorize"),
      "token_endpoint": .string(endpoints + "token"), "jwks_uri": .string(endpoints + "keys"),
      "response_types_supported": ["code"], "response_modes_supported": ["query"],
      "backchannel_authentication_endpoint": .string(endpoints + "bc/authorize"),
      "backchannel_token_delivery_modes_supported": ["poll"],
      "grant_types_supported": .array(OrgClient.Grant.allCases.map { .string($0.rawValue) }),
      "subject_types_supported": ["public"],
      "id_token_signing_alg_values_supported": ["ES256"],
      "scopes_supported": ["openid", "profile", "email", "offline_access"],
      "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
      "code_challenge_methods_supported": ["S256"],
    ])
    reply.headers = [("Cache-Control", "max-age=86400, must-revalidate")]
    return reply
  }
}
