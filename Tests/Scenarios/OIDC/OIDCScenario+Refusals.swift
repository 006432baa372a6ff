// Operations that cannot begin, and networks that fail at each step of those that can.

import EventStore
import FlowRecording
import Foundation
import OIDC

extension OIDCScenario {
  static let refusals: [OIDCScenario] = [
    documentsUnusable, pagesUnusable, identityMissing, answersLost,
  ]

  private static func anyhow(_ operation: () async throws -> Void) async {
    do { try await operation() } catch {}
  }

  /// A stage over another transport, with memories of its own.
  private static func stage(_ base: OIDCStage, over transport: any Transport) throws -> OIDCStage {
    var environment = base.environment
    environment.transport = transport
    return try OIDCStage(environment)
  }

  private enum Work: CaseIterable {
    case session, browser, device, introspect, user, revoke, signOut, renew
  }

  /// Operations, one after the other; what fails does not keep the next from its turn.
  private static func work(
    _ works: [Work] = Work.allCases, _ stage: OIDCStage, with known: OktaAuthStateManager
  ) async {
    var state = known.authState
    // Of {"sub":"ann"}.
    state.tokens.idToken = "e30.eyJzdWIiOiJhbm4ifQ.canary"
    let manager = OktaAuthStateManager(
      authState: state, configuration: stage.configuration, environment: stage.environment)
    for work in works {
      await anyhow {
        switch work {
        case .session: _ = try await stage.signIn()
        case .browser: _ = try await stage.auth.signInWithBrowser()
        case .device: _ = try await stage.auth.signInOnDevice { _ in }
        case .introspect: _ = try await manager.introspect(token: manager.accessToken)
        case .user: _ = try await manager.getUser()
        case .revoke: try await manager.revoke(manager.refreshToken)
        case .signOut: try await stage.auth.signOutOfOkta(manager)
        case .renew: try await manager.renew()
        }
      }
    }
  }

  private static let more: [(String, JSON?)] = [
    ("device_authorization_endpoint", .string(TinyProvider.home + "/device")),
    ("pushed_authorization_request_endpoint", .string(TinyProvider.home + "/par")),
  ]

  /// Answers that are no document of their kind.
  static let documentsUnusable = OIDCScenario("oidc-documents-unusable") { base in
    let known = try await base.signIn()
    let answers: [HTTPResponse] = [
      .json([]), .json([:]), HTTPResponse(status: 200, headers: [], body: []),
      HTTPResponse(
        status: 200, headers: [HTTPField("Content-Type", "text/html")], body: Array("<html>".utf8)),
      .json(["error": "temporarily_unavailable"], status: 503),
    ]
    let places: [(String, [Work])] = [
      ("/openid-configuration", [.session, .user]), ("/token", [.session, .device, .renew]), ("/par", [.browser]),
      ("/device", [.device]), ("/introspect", [.introspect]), ("/userinfo", [.user]),
    ]
    for (place, works) in places {
      for answer in answers {
        let provider = TinyProvider(metadata: more) { request, response in
          if request.url.hasSuffix(place) { response = answer }
        }
        // A server that fails is asked for the answer of another device until the code is out of date.
        await work(
          answer.status == 503 ? works.filter { $0 != .device } : works, try stage(base, over: provider), with: known)
      }
    }
  }

  /// Servers whose pages and endpoints are not there, or no https addresses.
  static let pagesUnusable = OIDCScenario("oidc-pages-unusable") { base in
    let known = try await base.signIn()
    let http = JSON.string("http://login.example/op/other")
    let names: [(String, [Work])] = [
      ("end_session_endpoint", [.signOut]), ("introspection_endpoint", [.introspect]),
      ("revocation_endpoint", [.revoke]),
      ("userinfo_endpoint", [.user]), ("device_authorization_endpoint", [.device]),
      ("token_endpoint", [.session, .renew]),
      ("pushed_authorization_request_endpoint", [.browser]),
    ]
    for (name, works) in names {
      for value in [nil, http, "no address", ""] {
        await work(works, try stage(base, over: TinyProvider(metadata: [(name, value)])), with: known)
      }
    }
    let bare = try OktaAuthConfig(with: [
      "issuer": TinyProvider.issuer, "clientId": "client-7", "redirectUri": "http://127.0.0.1/callback",
      "scopes": "profile offline_access",
    ])
    let auth = try OktaAppAuth(configuration: bare, environment: base.environment)
    var state = known.authState
    state.tokens.idToken = "e30.e30.canary"
    let manager = OktaAuthStateManager(authState: state, configuration: bare, environment: base.environment)
    await anyhow { try await auth.signOutOfOkta(manager) }
    _ = await auth.signOut(manager)
    await anyhow { _ = try await auth.authenticate(withSessionToken: "") }
    state.tokens.refreshToken = nil
    state.tokens.accessToken = ""
    let empty = OktaAuthStateManager(authState: state, configuration: bare, environment: base.environment)
    await anyhow { try await empty.renew() }
    await anyhow { _ = try await empty.getUser() }
    await anyhow { _ = try await empty.introspect(token: "") }
    await anyhow { try await empty.revoke("") }
  }

  /// Of each operation one answer is lost: that of its first request, of its second, and so on.
  static let answersLost = OIDCScenario("oidc-answers-lost") { base in
    let known = try await base.signIn()
    let codes: [TransportError.Code] = [.cannotConnect, .timedOut, .tlsFailed, .connectionLost]
    // A server that does not answer is asked for the tokens of another device again and again.
    for (place, work) in Work.allCases.filter({ $0 != .device }).enumerated() {
      for number in 0..<4 {
        let provider = TinyProvider(metadata: more)
        let sent = Locked(0)
        let lossy = ChangedAnswers(over: provider) { _, _ in
          let count = sent.withLock { sent in
            defer { sent += 1 }
            return sent
          }
          guard count == number else { return .none }
          return .failure(TransportError(codes[(place + number) % codes.count], "The answer was lost."))
        }
        await Self.work([work], try stage(base, over: lossy), with: known)
        guard sent.withLock({ $0 }) > number else { break }
      }
    }
  }

  /// The person's identity is asked for, and is not in the answer, or is one that cannot be checked.
  static let identityMissing = OIDCScenario("oidc-identity-missing") { base in
    let configuration = try OktaAuthConfig(with: [
      "issuer": TinyProvider.issuer, "clientId": "client-7", "redirectUri": "http://127.0.0.1/callback",
      "logoutRedirectUri": "http://127.0.0.1/goodbye", "scopes": "openid profile offline_access",
    ])
    let none = "eyJhbGciOiJub25lIn0.e30.canary"
    let signed = "eyJhbGciOiJSUzI1NiIsImtpZCI6ImtleS03In0.eyJzdWIiOiJhbm4ifQ.canary"
    for token in [nil, none, signed, "no token"] {
      for keys in [JSON.object(JSONObject()), ["keys": []], ["keys": "none"], ["keys": [["kty": "RSA"]]]] {
        let provider = TinyProvider { request, response in
          if request.url.hasSuffix("/token"), let token {
            response.edit { $0["id_token"] = .string(token) }
          } else if request.url.hasSuffix("/jwks") {
            response = .json(keys)
          }
        }
        let stage = try stage(base, over: provider)
        let auth = try OktaAppAuth(configuration: configuration, environment: stage.environment)
        await anyhow { _ = try await auth.authenticate(withSessionToken: "session-canary") }
      }
    }
  }
}
