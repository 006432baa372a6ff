// What the core decides, phase by phase: pure, without transport, timers or masking.

import EventStore
import FlowRecording
import FlowTestKit
import OIDC
import Testing

@Suite struct OIDCDecisionTests {
  private static let settings: JSON = [
    "issuer": "https://id.example", "clientId": "c", "scopes": "openid", "redirectUri": "http://127.0.0.1/callback",
  ]
  private static let metadata: JSON = [
    "issuer": "https://id.example", "authorization_endpoint": "https://id.example/authorize",
    "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/keys",
    "device_authorization_endpoint": "https://id.example/device",
  ]

  /// A stage that an operation has begun on.
  private func began(_ call: OIDCCall, _ arguments: JSON) -> CoreStage<OIDCCore> {
    var stage = CoreStage<OIDCCore>(settings: Self.settings)
    stage.take(.callMade(CallMade(call: call.rawValue, arguments: arguments)))
    return stage
  }

  @Test func `an operation goes from step to step, and ends by what fails`() {
    let signIn = began(.signInWithSessionToken, ["sessionToken": "s"])
    var known = signIn
    known.answer(Self.metadata)
    let lines = DecisionTable.lines(
      of: StageInput.ofAnyKind + [.reply("metadata", .answer(Self.metadata)), .call("cancel"), .call("renew")],
      at: [("discovery", signIn), ("authorization", known)])
    #expect(lines.contains("  give the last call up: call 1 cancelled, ended cancelled"))
    #expect(lines.contains("  release: call 1 cancelled, ended abandoned"))
    #expect(lines.contains("  answer metadata: GET /authorize"), "\(lines.joined(separator: "\n"))")
    #expect(lines.contains { $0.contains("call cancel") && $0.contains("userCancelledAuthorizationFlow") })
    #expect(lines.contains { $0.contains("call renew") && $0.contains("alreadyInProgress") })
  }

  @Test func `nothing is sent for what cannot be done`() {
    let rows: [(OIDCCall, JSON, String)] = [
      (.renew, [:], "noRefreshToken"), (.introspect, ["token": ""], "noBearerToken"), (.revoke, [:], "noBearerToken"),
      (.getUser, [:], "noBearerToken"), (.signOut, ["options": ["signOutFromOkta"]], "missingIdToken"),
      (.signOut, ["options": ["signOutFromOkta"], "idToken": "t"], "missingConfigurationValues"),
    ]
    for (call, arguments, expected) in rows {
      var stage = CoreStage<OIDCCore>(settings: Self.settings)
      let outputs = stage.take(.callMade(CallMade(call: call.rawValue, arguments: arguments)))
      #expect(Decision.brief(outputs) == "token \(call.rawValue), call 1 \(expected), ended failed", "\(call)")
    }
  }

  @Test func `an issuer of another form has no metadata`() {
    for issuer in [
      "http://id.example", "https://id.example?x", "https://id.example#x", "https://a@id.example", "id", "",
    ] {
      var stage = CoreStage<OIDCCore>(settings: ["issuer": .string(issuer), "clientId": "c"])
      let outputs = stage.take(.callMade(CallMade(call: "signInWithBrowser", arguments: [:])))
      #expect(Decision.brief(outputs).contains("noDiscoveryEndpoint"), "\(issuer)")
    }
  }

  @Test func `an answer to a renewal that takes its time asks in order: lock, request, store`() {
    var stage = began(
      .renew,
      ["refreshToken": "r", "persists": true, "tokenId": "id", "stored": ["id": "id", "issuer": "i", "clientId": "c"]])
    #expect(stage.records.last?.event.type == DrawAsked.type)
    var asked = stage.last(DrawAsked.type)
    func drawn(_ kind: DrawKind, _ value: JSON) -> FlowEvent {
      .drawMade(DrawMade(kind: kind, ordinal: 9, result: .success(value)))
    }
    #expect(Decision.brief(stage.take(drawn(.tokensClaim, ["tokens": .null]), cause: asked)).hasPrefix("GET "))
    stage.answer(Self.metadata)
    stage.answer(["access_token": "a", "refresh_token": "n"])
    #expect(stage.records.suffix(2).map(\.event.type) == ["token.refreshed", DrawAsked.type])
    asked = stage.last(DrawAsked.type)
    #expect(stage.core.openCalls == [1])
    let end = Decision.brief(stage.take(drawn(.tokensStore, true), cause: asked))
    #expect(end == "token id, call 1 done, ended success")
  }

  @Test func `tokens that another process has got meanwhile are taken without a request`() {
    var stage = began(.renew, ["refreshToken": "r", "persists": true])
    let claimed: JSON = ["tokens": ["id": "i", "issuer": "https://id.example", "clientId": "c"]]
    let outputs = stage.take(
      .drawMade(DrawMade(kind: .tokensClaim, ordinal: 9, result: .success(claimed))), cause: stage.last(DrawAsked.type))
    #expect(Decision.brief(outputs) == "call 1 done, ended success")
  }

  @Test func `a draw of a step that has an answer matters no more`() {
    var stage = began(.signInWithBrowser, [:])
    stage.answer(Self.metadata)
    let listen = stage.last(DrawAsked.type) ?? 0
    #expect(stage.core.awaits(draw: listen))
    stage.take(
      .drawMade(DrawMade(kind: .browserListen, ordinal: 9, result: .success("http://127.0.0.1:1/callback"))),
      cause: listen)
    let browse = stage.last(DrawAsked.type) ?? 0
    #expect(!stage.core.awaits(draw: listen) && stage.core.awaits(draw: browse) && stage.core.awaitsRedirect)
    stage.take(.callMade(CallMade(call: "cancel", arguments: [:])))
    #expect(!stage.core.awaits(draw: browse) && !stage.core.awaitsRedirect)
  }
}
