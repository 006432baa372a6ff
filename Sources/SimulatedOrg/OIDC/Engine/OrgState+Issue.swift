// From a grant to tokens (oidc.md §6.3, §8.1).

import Crypto
import Foundation

extension OrgState {
  /// Whether a verifier belongs to a challenge of PKCE (RFC 7636 §4.6).
  static func fits(_ verifier: String, _ challenge: String) -> Bool {
    (43...128).contains(verifier.utf8.count) && Base64.urlText(SHA256.hash(data: Array(verifier.utf8))) == challenge
  }

  /// The left half of the hash of a token (OpenID Connect Core §3.1.3.6).
  private static func halfHash(_ text: String) -> OrgJSON {
    .string(Base64.urlText(Array(SHA256.hash(data: Array(text.utf8))).prefix(16)))
  }

  /// How often this name was drawn for before.
  mutating func turn(_ name: String) -> Int {
    if oauth.turns.count > 50_000 { oauth.turns = [:] }
    defer { oauth.turns[name, default: 0] += 1 }
    return oauth.turns[name, default: 0]
  }

  /// The tokens of a grant.
  ///
  /// - Parameters:
  ///   - grant: The user, and what was allowed; on a refresh, the scopes that are asked for now.
  ///   - code: The code that was exchanged for the grant. Tokens follow from it and the seed.
  ///   - refreshing: The refresh token that is used.
  mutating func tokens(_ grant: TokenGrant, _ code: String, refreshing: String? = nil) -> OrgJSON {
    forgetOldTokens()
    let settings = configuration.oidc
    let number = turn("tokens \(code)")
    let name = number == 0 ? "tokens \(code)" : "tokens \(code) \(number)"
    var draws = SeededGenerator(seed: configuration.seed, for: name)
    let access = draws.text("eyJ", length: 60)
    let authorization = refreshing.flatMap { oauth.refreshTokens[$0]?.authorization } ?? code
    if refreshing == nil { oauth.authorizations[authorization] = Authorization(grant: grant) }
    keepToken(
      access,
      AccessToken(
        server: grant.server, login: grant.login, client: grant.client.id, scopes: Set(grant.scopes), issued: now,
        expires: now + settings.accessTokenLifetime, authorization: authorization))
    var answer: OrgJSON = [
      "token_type": settings.habits.contains(.smallTokenType) ? "bearer" : "Bearer",
      "expires_in": .int(Int(settings.accessTokenLifetime)), "access_token": .string(access),
      "scope": .string(grant.scopes.joined(separator: " ")),
    ]
    if settings.habits.contains(.omitsExpiry) { answer["expires_in"] = nil }
    if settings.habits.contains(.textExpiry) {
      answer["expires_in"] = .string(String(Int(settings.accessTokenLifetime)))
    }
    if settings.habits.contains(.omitsScope) { answer["scope"] = nil }
    if grant.scopes.contains("offline_access") || refreshing != nil,
      let token = nextRefreshToken(authorization, refreshing, draws.text("", length: 43))
    {
      answer["refresh_token"] = .string(token)
    }
    let defect = oauth.defects.isEmpty ? nil : oauth.defects.removeFirst()
    if grant.scopes.contains("openid"), let account = accounts[grant.login],
      refreshing == nil || !settings.habits.contains(.refreshesWithoutIDToken)
    {
      let id = draws.text("ID.", length: 32)
      var claims = claims(grant, account, access, jti: id)
      if grant.scopes.contains("device_sso"), refreshing == nil {
        let secret = draws.text("", length: 43)
        oauth.deviceSecrets[secret] = authorization
        answer["device_secret"] = .string(secret)
        claims["ds_hash"] = Self.halfHash(secret)
      }
      answer["id_token"] = .string(idToken(grant, claims, defect))
    }
    if case .member(let name, let value) = defect { answer[name] = value }
    return answer
  }

  /// The refresh token that the answer carries; `nil` if the one that was used stays.
  private mutating func nextRefreshToken(_ authorization: String, _ old: String?, _ new: String) -> String? {
    let expires = now + configuration.oidc.refreshTokenLifetime
    if let old {
      guard case .rotating = configuration.oidc.rotation else {
        oauth.refreshTokens[old]?.expires = expires
        return nil
      }
      // The grace begins with the first replacement.
      let replaced = oauth.refreshTokens[old]?.replaced ?? now
      oauth.refreshTokens[old]?.replaced = replaced
    }
    oauth.refreshTokens[new] = RefreshToken(authorization: authorization, issued: now, expires: expires)
    return new
  }

  private func claims(_ grant: TokenGrant, _ account: Account, _ access: String, jti: String) -> OrgJSON {
    let time = Int(now.seconds)
    var claims: OrgJSON = [
      "sub": .string(account.id), "name": .string("\(account.user.firstName) \(account.user.lastName)"), "ver": 1,
      "iss": .string(issuer(grant.server)), "aud": .string(grant.client.id), "iat": .int(time),
      "exp": .int(time + Int(configuration.oidc.idTokenLifetime)), "jti": .string(jti),
      "amr": .array(grant.methods.map(OrgJSON.string)),
      "idp": "00o1simulatedorg0000", "preferred_username": .string(account.user.login),
      "auth_time": .int(Int(grant.authenticated.seconds)), "at_hash": Self.halfHash(access),
    ]
    if grant.scopes.contains("email") { claims["email"] = .string(account.user.email) }
    if let nonce = grant.nonce { claims["nonce"] = .string(nonce) }
    if let assurance = grant.assurance { claims["acr"] = .string(assurance) }
    return claims
  }

  private func idToken(_ grant: TokenGrant, _ claims: OrgJSON, _ defect: OrgTokenDefect?) -> String {
    let signer = signer(grant.server, grant.algorithm)
    let header: OrgJSON = ["kid": .string(signer.id), "alg": .string(signer.algorithm)]
    var claims = claims
    switch defect {
    case .idToken(let defect): return signer.token(header, claims, defect, at: now)
    case .skewed(let seconds):
      for name in ["iat", "exp", "auth_time"] {
        claims[name] = claims[name]?.number.map { .int($0 + seconds) }
      }
    case .member, nil: break
    }
    return signer.token(header, claims, nil, at: now)
  }

  /// Keeps an access token.
  mutating func keepToken(_ text: String, _ token: AccessToken) { oauth.accessTokens[text] = token }

  /// The access token with that text, while it is good.
  func accessToken(_ text: String) -> AccessToken? {
    guard let token = oauth.accessTokens[text], token.expires > now else { return nil }
    if let authorization = token.authorization, oauth.authorizations[authorization]?.isRevoked != false { return nil }
    return token
  }

  /// The refresh token with that text, while it is good.
  func refreshToken(_ text: String) -> (token: RefreshToken, grant: TokenGrant)? {
    guard let token = oauth.refreshTokens[text], token.expires > now, token.replaced == nil,
      let authorization = oauth.authorizations[token.authorization], !authorization.isRevoked
    else { return nil }
    return (token, authorization.grant)
  }

  /// Drops ended tokens, once there are many.
  private mutating func forgetOldTokens() {
    guard oauth.accessTokens.count + oauth.refreshTokens.count + oauth.codes.count > 50_000 else { return }
    let now = now
    oauth.codes = oauth.codes.filter { $0.value.expires > now }
    oauth.accessTokens = oauth.accessTokens.filter { $0.value.expires > now }
    oauth.refreshTokens = oauth.refreshTokens.filter { $0.value.expires > now }
    let used = Set(oauth.accessTokens.values.compactMap(\.authorization))
      .union(oauth.refreshTokens.values.map(\.authorization))
    oauth.authorizations = oauth.authorizations.filter { used.contains($0.key) }
  }
}
