// What a flow of the Identity Engine refuses before anything is sent, and answers beside the usual ones on the way to tokens.

import EventStore
import FlowRecording
import Foundation
import IDX
import OIDC
import SimulatedOrg

extension IDXScenario {
  static let refused: [IDXScenario] = [issuersUnusable, formsUnusable, codesUnusable, endpointsUnusable, answersLost]

  private static func anyhow(_ operation: () async throws -> Void) async {
    do { try await operation() } catch {}
  }

  private static func flow(
    _ stage: IDXStage, issuer: String = Stage.orgURL + "/oauth2/default", parameters: [String: String]? = nil,
    origins: [String]? = nil
  ) -> InteractionCodeFlow {
    InteractionCodeFlow(
      issuer: URL(string: issuer) ?? stage.org.url, clientId: OrgClient.sample.id,
      scopes: "openid profile offline_access",
      redirectUri: URL(string: OrgClient.sample.redirectURIs[0]) ?? stage.org.url, additionalParameters: parameters,
      allowedOrigins: origins, environment: stage.environment)
  }

  /// Issuers that no request can go to, and that of an org itself, with parameters that a flow says by itself.
  static let issuersUnusable = IDXScenario("idx-issuers-unusable", org(.named("password"), [user()])) { stage in
    for issuer in [
      "ftp://acme.example/oauth2/default", "https://acme.example/oauth2/default?tenant=7",
      "https://acme.example/oauth2/default#part", "https://acme.example//oauth2/default",
      "https://ann@acme.example/oauth2/default",
    ] {
      let flow = flow(stage, issuer: issuer)
      await anyhow { _ = try await flow.start() }
      await anyhow { _ = try await flow.resume() }
    }
    let parameters = ["scope": "all", "login_hint": "ann@acme.example", "max_age": "60"]
    let own = flow(stage, issuer: Stage.orgURL, parameters: parameters)
    await anyhow { _ = try await own.start(options: [.maxAge: "30"]) }
    let asked = flow(stage, parameters: parameters)
    await anyhow { _ = try await lead(from: try await asked.start(), on: stage) }
  }

  private static func unusual(_ name: String, _ members: String) -> String {
    "{\"name\":\"\(name)\",\(members),\"value\":[{\"name\":\"identifier\",\"label\":\"Username\"}]}"
  }

  /// Forms without a method, of other types, with types that no header can carry, and that lead away from the org.
  static let formsUnusable = IDXScenario("idx-forms-unusable", org(.named("password"), [user()])) { stage in
    let home = Stage.orgURL + "/idp/idx/"
    let forms = [
      unusual("identify", "\"href\":\"\(home)plain\""),
      unusual("identify", "\"href\":\"\(home)encoded\",\"accepts\":\"application/x-www-form-urlencoded\""),
      unusual("identify", "\"href\":\"\(home)word\",\"accepts\":\"application/jsoń\""),
      unusual("identify", "\"href\":\"\(home)empty\",\"accepts\":\"\",\"method\":\"put\""),
      unusual("identify", "\"href\":\"\(home)read\",\"method\":\"GET\""),
      unusual("identify", "\"href\":\"\(home)trace\",\"method\":\"TRACE\""),
      unusual("identify", "\"href\":\"http://acme.example/idp/idx/plain\""),
      unusual("identify", "\"href\":\"https://elsewhere.example/idp/idx/plain\""),
      unusual("identify", "\"href\":\"/idp/idx/relative\""), unusual("identify", "\"method\":\"POST\""),
    ]
    for origins in [nil, ["https://login.acme.example"]] {
      for form in forms {
        let flow = flow(answering(stage, [page([form])]), origins: origins)
        guard let response = try? await flow.start(), let identify = response.remediations[.identify] else { continue }
        // Without an entry first: that may lead anywhere.
        await anyhow { _ = try await identify.proceed() }
        identify["identifier"]?.value = Scenario.login
        await anyhow { _ = try await identify.proceed() }
      }
    }
    // A form that is polled leads away too, once it was.
    for place in ["http://acme.example/poll", "https://elsewhere.example/poll", "/relative"] {
      let poll = "{\"name\":\"challenge-poll\",\"href\":\"\(place)\",\"refresh\":4000,\"value\":[]}"
      let stage = answering(stage, [page([poll])])
      let flow = flow(stage, origins: [])
      let response = try await flow.start()
      guard let pollable = response.remediations[.challengePoll]?.pollable else { continue }
      await anyhow { _ = try await stage.firingTimers { try await pollable.startPolling() } }
    }
  }

  private static func success(_ href: String, _ values: [(String, String?)], name: String = "issue") -> Page {
    let fields = values.map { name, value in
      "{\"name\":\"\(name)\"" + (value.map { ",\"value\":\"\($0)\"" } ?? "") + "}"
    }
    return page(
      [],
      """
      "successWithInteractionCode":{"rel":["create-form"],"name":"\(name)","href":"\(href)","method":"POST",\
      "accepts":"application/x-www-form-urlencoded","value":[\(fields.joined(separator: ","))]}
      """)
  }

  /// Forms for an exchange that are of another client, have no code, lead away, or are not for that.
  static let codesUnusable = IDXScenario("idx-codes-unusable", org(.named("password"), [user()])) { stage in
    let token = Stage.orgURL + "/oauth2/default/v1/token"
    let code = ("interaction_code", Optional("code-of-the-page"))
    let pages = [
      success(token, [code, ("client_id", "another-client")]), success(token, [("client_id", OrgClient.sample.id)]),
      success("http://acme.example/token", [code]), success("https://elsewhere.example/token", [code]),
      success("/relative", [code]), success(token, [code], name: "other"), success(token, [code, ("unset", nil)]),
    ]
    for page in pages {
      let flow = answering(stage, [page]).begin()
      guard let response = try? await flow.start() else { continue }
      await anyhow { _ = try await response.exchangeCode() }
      await anyhow { _ = try await response.exchangeCode() }
    }
  }

  /// Redirects with a code whose exchange cannot be: the metadata are not there, of another issuer, or name no place for it.
  static let endpointsUnusable = IDXScenario("idx-endpoints-unusable", org(.named("password"), [user()])) { stage in
    let changes: [@Sendable (inout HTTPResponse) -> Void] = [
      { $0.status = 404 }, { $0.body = Array("<html>".utf8) }, { $0.edit { $0["issuer"] = "https://other.example" } },
      { $0.edit { $0["issuer"] = nil } }, { $0.edit { $0["token_endpoint"] = nil } },
      { $0.edit { $0["token_endpoint"] = "http://acme.example/token" } },
      { $0.edit { $0["token_endpoint"] = "https://elsewhere.example/token" } }, { _ in },
      { $0.edit { $0["jwks_uri"] = nil } }, { $0.edit { $0["jwks_uri"] = "http://acme.example/keys" } },
    ]
    for change in changes {
      let stage = changing(stage) { request, _ in request.url.contains("/.well-known/") ? .edit(change) : .none }
      let flow = flow(stage)
      _ = try await flow.start()
      let state = flow.context?.state ?? ""
      let text = OrgClient.sample.redirectURIs[0] + "?state=\(state)&interaction_code=code-of-the-redirect"
      guard let redirect = URL(string: text) else { continue }
      await anyhow { _ = try await flow.exchangeCode(redirect: redirect) }
      let other = begunAnew(stage)
      await anyhow { _ = try await lead(from: try await other.start(), on: stage) }
    }
  }

  /// A flow that has the metadata of no other in its memory.
  private static func begunAnew(_ stage: IDXStage) -> InteractionCodeFlow {
    var stage = stage
    stage.environment[MetadataCacheSeam.self] = MetadataCache()
    stage.environment[KeyCacheSeam.self] = KeyCache()
    return flow(stage)
  }

  /// The network fails at each step on the way to tokens, one after the other.
  static let answersLost = IDXScenario("idx-answers-lost", org(.named("password"), [user()])) { stage in
    for place in ["/interact", "/introspect", "/identify", "/challenge/answer", "/v1/token", "/.well-known/", "/keys"] {
      for code in [TransportError.Code.connectionLost, .cannotResolveHost] {
        let stage = changing(stage) { request, _ in
          request.url.contains(place) ? .failure(TransportError(code, "The network is away.")) : .none
        }
        let flow = begunAnew(stage)
        await anyhow { _ = try await lead(from: try await flow.start(), on: stage) }
      }
    }
  }
}
