// Presents token flows to readers of their logs.

package import EventStore
package import FlowRecording

/// The flow kind `oidc`.
package enum OIDCKind: FlowKind {
  package typealias Core = OIDCCore
  package typealias Narrator = OIDCNarrator

  package static var events: [any DomainPayload.Type] { TokenEvent.allCases.map(\.payload) }

  package static var calls: [String] { OIDCCall.allCases.map(\.rawValue) }

  package static func state(of core: OIDCCore) -> JSON { core.json }

  package static func note(_ type: String, _ data: () -> JSON, in facts: inout SignInFacts) {
    if type == CallMade.type {
      let isSignIn = data()["call"]?.string?.hasPrefix("signIn") == true
      facts.purpose = facts.purpose ?? (isSignIn ? .signIn : .tokens)
      return
    }
    switch TokenEvent(rawValue: type) {
    case .issued:
      facts.status = "signedIn"
      facts.succeed()
    case .refreshed: facts.status = "renewed"
    case .refused: facts.status = data()["error"]?.string
    case .introspected: facts.status = data()["active"]?.bool == true ? "active" : "inactive"
    case .revoked: facts.status = "revoked"
    case .stored: facts.status = facts.status ?? "stored"
    case .cleared: facts.status = "cleared"
    case .awaited: facts.status = "awaited"
    case nil: break
    }
  }
}

/// The events of tokens.
enum TokenEvent: String, CaseIterable {
  case issued = "token.issued"
  case refreshed = "token.refreshed"
  case refused = "token.refused"
  case introspected = "token.introspected"
  case revoked = "token.revoked"
  case stored = "token.stored"
  case cleared = "token.cleared"
  case awaited = "token.awaited"

  /// The type of its data.
  var payload: any DomainPayload.Type {
    switch self {
    case .issued: TokenIssued.self
    case .refreshed: TokenRefreshed.self
    case .refused: TokenRefused.self
    case .introspected: TokenIntrospected.self
    case .revoked: TokenRevoked.self
    case .stored: TokenStored.self
    case .cleared: TokenCleared.self
    case .awaited: TokenAwaited.self
    }
  }
}
