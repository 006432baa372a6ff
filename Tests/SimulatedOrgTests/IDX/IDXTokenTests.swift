// interact, token, keys, discovery (idx.md §2; oidc.md §2, §6, §8).

import Crypto
import Foundation
import Testing

@testable import SimulatedOrg

@Suite struct IDXTokenTests {
  @Test(
    "interact refuses what is missing or wrong",
    arguments: [
      ("client_id", "unknown", "invalid_client"), ("client_id", nil, "invalid_client"), ("scope", nil, "invalid_scope"),
      ("redirect_uri", "com.example.app:/other", "invalid_request"), ("state", nil, "invalid_request"),
      ("code_challenge", nil, "invalid_request"), ("code_challenge", "short", "invalid_request"),
      ("code_challenge_method", "plain", "invalid_request"), ("code_challenge_method", nil, "invalid_request"),
    ] as [(String, String?, String)])
  func interact(name: String, value: String?, error: String) async throws {
    try await withOrg { _, wire in
      var form = IDXWalker.interest("v")
      form[name] = value
      let reply = try await IDXWalker.interact(wire, "/oauth2/default", form)
      #expect(reply.status == (error == "invalid_client" ? 401 : 400))
      #expect(try reply.text("error") == error)
      #expect(try reply.text("error_description") != "")
      #expect(reply.header("Content-Type") == "application/json")
    }
  }

  @Test(
    "each authorization server has its own addresses", arguments: ["/oauth2/default", "/oauth2/aus1custom", "/oauth2"])
  func servers(server: String) async throws {
    try await withOrg { org, wire in
      let issuer = server == "/oauth2" ? "" : server
      wire.headers = [("Accept", "application/json")]
      let discovery = try await wire.get(issuer + "/.well-known/openid-configuration")
      #expect(try discovery.text("issuer") == org.url.absoluteString + issuer)
      #expect(try discovery.text("token_endpoint") == org.url.absoluteString + server + "/v1/token")
      let walk = try await IDXWalker(org, wire, server: server, ["nonce": "n-1"])
      try await walk.password(People.ann)
      let tokens = try await walk.tokens()
      let parts = try tokens.text("id_token").split(separator: ".").map(String.init)
      let claims = try json(parts[1])
      #expect(claims["iss"] as? String == org.url.absoluteString + issuer)
      #expect(claims["aud"] as? String == OrgClient.sample.id)
      #expect(claims["nonce"] as? String == "n-1")
      #expect(claims["email"] as? String == "ann@acme.example")
      #expect(claims["amr"] as? [String] == ["pwd"])
      #expect(claims["iat"] as? Int == Int(org.now.timeIntervalSince1970))
      let hash = Array(SHA256.hash(data: Data(try tokens.text("access_token").utf8))).prefix(16)
      #expect(claims["at_hash"] as? String == Base64.urlText(hash))
      wire.headers = [("Accept", "application/json")]
      let keys = try await wire.get(try discovery.text("jwks_uri"))
      let kid = try keys.text("keys.0.kid")
      #expect(try json(parts[0])["kid"] as? String == kid)
      let point = try [keys.text("keys.0.x"), keys.text("keys.0.y")].flatMap { try #require(Base64.bytes($0)) }
      let key = try P256.Signing.PublicKey(rawRepresentation: point)
      let signature = try P256.Signing.ECDSASignature(rawRepresentation: try #require(Base64.bytes(parts[2])))
      #expect(key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
    }
  }

  private func json(_ part: String) throws -> [String: Any] {
    let data = Data(try #require(Base64.bytes(part)))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test("a code is good once, for its client's verifier, within its time")
  func grants() async throws {
    try await withWalk(policy("password")) { walk in
      try await walk.password(People.ann)
      #expect(try await walk.tokens(verifier: "another").text("error") == "invalid_grant")
      #expect(try await walk.tokens().text("error") == "invalid_grant")
      let late = try await IDXWalker(walk.org, walk.wire)
      try await late.password(People.ann)
      walk.org.advanceClock(by: 301)
      #expect(try await late.tokens().text("error") == "invalid_grant")
      let once = try await IDXWalker(walk.org, walk.wire)
      try await once.password(People.ann)
      #expect(try await once.tokens().status == 200)
      #expect(try await once.tokens().text("error") == "invalid_grant")
      try await once.introspect()
      #expect(once.reply.status == 401)
    }
  }

  @Test("the token endpoint names what is wrong with a request")
  func errors() async throws {
    try await withOrg { _, wire in
      let path = "/oauth2/default/v1/token"
      func error(_ form: [String: String]) async throws -> String {
        try await IDXWalker.post(wire, path, form).text("error")
      }
      let id = OrgClient.sample.id
      let nobody = try await error([:])
      #expect(nobody == "invalid_client")
      #expect(try await error(["client_id": id]) == "invalid_request")
      #expect(try await error(["client_id": id, "grant_type": "password"]) == "unsupported_grant_type")
      #expect(try await error(["client_id": id, "grant_type": "interaction_code", "code": "c"]) == "invalid_grant")
    }
  }

  @Test("a confidential client shows its secret, in the header or in the form")
  func secret() async throws {
    let client = OrgClient(id: "web", redirectURIs: ["https://app.example/cb"], secret: "s3cret")
    try await withOrg(.init(users: [People.ann], clients: [client])) { _, wire in
      var form = IDXWalker.interest("v")
      (form["client_id"], form["redirect_uri"]) = ("web", "https://app.example/cb")
      #expect(try await IDXWalker.interact(wire, "/oauth2/default", form).status == 401)
      form["client_secret"] = "s3cret"
      #expect(try await IDXWalker.interact(wire, "/oauth2/default", form).status == 200)
      form["client_id"] = nil
      form["client_secret"] = nil
      let text = form.sorted { $0.key < $1.key }.map { "\($0.key)=\(OrgState.queryText($0.value))" }
      wire.headers.append(("Authorization", "Basic \(Base64.text(Array("web:s3cret".utf8)))"))
      let reply = try await wire.request("POST", "/oauth2/default/v1/interact", text.joined(separator: "&"))
      #expect(reply.status == 200)
    }
  }

  @Test("two orgs of one seed give the same answers, the signature of the ID token included")
  func deterministic() async throws {
    func run() async throws -> [String] {
      try await withOrg(.init(users: [People.bob], seed: 5, publicBaseURL: "https://acme.example")) { _, wire in
        var bodies: [String] = []
        let handle = try await IDXWalker.interact(wire, "/oauth2/default", IDXWalker.interest("v"))
        bodies.append(handle.bodyText)
        wire.headers = [("Accept", "*/*"), ("Content-Type", "application/json")]
        let first = try await wire.post(
          "/idp/idx/introspect", ["interactionHandle": try handle.text("interaction_handle")])
        bodies.append(first.bodyText)
        let state = try first.text("stateHandle")
        for (path, body) in [
          ("identify", ["identifier": "bob@acme.example"]),
          ("challenge/answer", ["credentials": ["passcode": People.password]]),
        ] as [(String, [String: Any])] {
          let reply = try await wire.post("/idp/idx/\(path)", body.merging(["stateHandle": state]) { $1 })
          bodies.append(reply.bodyText)
        }
        return bodies
      }
    }
    let (first, second) = (try await run(), try await run())
    #expect(first == second)
  }
}
