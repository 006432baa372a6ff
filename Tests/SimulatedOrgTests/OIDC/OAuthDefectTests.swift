// Tokens that a client must not take, and habits that it must live with (oidc.md §13).

import Foundation
import SimulatedOrg
import Testing

@Suite struct OAuthDefectTests {
  @Test(arguments: OrgOIDC.Algorithm.allTested)
  func `a spoiled ID token is wrong in one way`(algorithm: OrgOIDC.Algorithm) async throws {
    try await withApp(.init(algorithm: algorithm)) { app in
      func token(_ defect: OrgTokenDefect) async throws -> (header: [String: Any], claims: [String: Any]) {
        app.org.spoilTokens(defect)
        return try TestToken.read(try await app.tokens().text("id_token"))
      }
      let now = Int(app.org.now.timeIntervalSince1970)
      #expect(try await token(.idToken(.unsigned)).header["alg"] as? String == "none")
      #expect(try await token(.idToken(.sharedSecret)).header["alg"] as? String == "HS256")
      let unknown = try await token(.idToken(.unknownKey)).header["kid"] as? String
      #expect(unknown?.hasPrefix("sim-unknown") == true)
      #expect(try await token(.idToken(.header("kid", nil))).header["kid"] == nil)
      #expect(try await token(.idToken(.claim("aud", ["app", "x"]))).claims["aud"] as? [String] == ["app", "x"])
      #expect(try await token(.idToken(.claim("sub", nil))).claims["sub"] == nil)
      #expect(try await token(.idToken(.expired(seconds: 10))).claims["exp"] as? Int == now - 10)
      let skewed = try await token(.skewed(seconds: 900)).claims
      #expect(skewed["iat"] as? Int == now + 900 && skewed["exp"] as? Int == now + 4500)
      #expect(try await token(.member("x", nil)).header["alg"] as? String == algorithm.rawValue)
    }
  }

  @Test func `a member of the answer is another, or missing, once`() async throws {
    try await withApp { app in
      app.org.spoilTokens(.member("token_type", "DPoP"))
      app.org.spoilTokens(.member("expires_in", nil))
      #expect(try await app.tokens().text("token_type") == "DPoP")
      #expect(try await app.tokens().value("expires_in") == nil)
      let right = try await app.tokens()
      #expect(try right.text("token_type") == "Bearer" && right.number("expires_in") == 3600)
    }
  }

  @Test(arguments: [OrgChallengeDefect.wrongSignature, .otherKey])
  func `a signature that is not right is not right`(defect: OrgChallengeDefect) async throws {
    try await withApp { app in
      app.org.spoilTokens(.idToken(defect))
      let text = try await app.tokens().text("id_token")
      #expect(try !TestToken.isSigned(text, by: try await app.keys()))
    }
  }

  @Test func `a refused grant can be 403, and an error can have no body`() async throws {
    try await withApp(.init(habits: [.forbidsBadGrants, .emptyErrors])) { app in
      let reply = try await app.redeem("other")
      #expect(reply.status == 403 && reply.body.isEmpty && reply.header("Content-Type") == nil)
    }
  }

  @Test func `the redirect can carry more than a client expects`() async throws {
    try await withApp(.init(habits: [.extraRedirectParameters, .namesIssuerInRedirect])) { app in
      let session = try #require(app.org.sessionToken(for: People.ann.login))
      let answer = try app.answer(try await app.authorize(["sessionToken": session]))
      #expect(Set(answer.keys) == ["session_state", "code", "state", "iss", "hint"])
      #expect(answer["iss"] == app.org.url.absoluteString + "/oauth2/default" && answer["hint"] == "a b&c")
      #expect(app.discovery.value("authorization_response_iss_parameter_supported") as? Bool == true)
    }
  }

  @Test func `answers may leave out what they may leave out`() async throws {
    try await withApp(.init(habits: [.omitsExpiry, .omitsScope, .smallTokenType, .refreshesWithoutIDToken])) { app in
      let tokens = try await app.tokens()
      #expect(tokens.value("expires_in") == nil && tokens.value("scope") == nil)
      #expect(try tokens.text("token_type") == "bearer")
      let next = try await app.refresh(try tokens.text("refresh_token"))
      #expect(next.status == 200 && next.value("id_token") == nil)
    }
    try await withApp(.init(habits: [.textExpiry, .bareDiscovery, .nullsInDiscovery])) { app in
      let expiry = try await app.tokens().text("expires_in")
      #expect(expiry == "3600")
      #expect(app.discovery.value("userinfo_endpoint") == nil)
      #expect(app.discovery.value("claims_supported") is NSNull)
    }
  }

  @Test func `a provider may take revocations from confidential clients only`() async throws {
    try await withApp(.init(habits: [.revocationNeedsSecret])) { app in
      let access = try await app.tokens().text("access_token")
      let reply = try await app.post("revocation_endpoint", ["token": access, "client_id": "app"])
      #expect(reply.status == 401)
      #expect(try reply.text("error") == "invalid_client")
      #expect(try await app.isActive(access))
    }
  }

  @Test func `a device secret comes with its scope, and the ID token has its hash`() async throws {
    try await withApp { app in
      let tokens = try await app.tokens(["scope": "openid device_sso offline_access"])
      #expect(try tokens.text("device_secret") != "")
      #expect(try TestToken.read(try tokens.text("id_token")).claims["ds_hash"] != nil)
    }
  }
}

extension OrgOIDC.Algorithm {
  static let allTested: [Self] = [.rs256, .es256]
}
