// All the ways to make a flow.

import Foundation
import IDX

enum FlowFactory {
  static func fromText(_ issuer: String, _ clientId: String, _ redirect: String) -> InteractionCodeFlow {
    InteractionCodeFlow(
      issuer: issuer, clientId: clientId, scopes: ["openid", "email", "offline_access"], redirectUri: redirect)
  }

  static func fromClient(_ issuer: URL, _ clientId: String, _ redirect: URL) -> [InteractionCodeFlow] {
    let client = OAuth2Client(baseURL: issuer, clientId: clientId, scopes: "openid profile")
    return [
      InteractionCodeFlow(redirectUri: redirect, client: client),
      InteractionCodeFlow(redirectUri: redirect, additionalParameters: ["login_hint": "ann"], client: client),
      client.interactionCodeFlow(redirectUri: redirect, additionalParameters: ["login_hint": "ann"]),
    ]
  }

  static func fromList(_ url: URL) throws -> InteractionCodeFlow { try InteractionCodeFlow(plist: url) }

  static func fromStandardList() -> InteractionCodeFlow? { try? InteractionCodeFlow() }

  static func describe(_ flow: InteractionCodeFlow) -> String {
    "\(flow.redirectUri.scheme ?? "?") \(flow.additionalParameters?["login_hint"] ?? "-") \(flow.isAuthenticating)"
  }
}
