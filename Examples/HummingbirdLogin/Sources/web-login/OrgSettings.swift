import Foundation
import IDX

/// The org that people sign in at, and what it knows this application by.
struct OrgSettings: Sendable {
  let issuer: URL
  let clientId: String
  let clientSecret: String?
  let redirectURI: URL

  /// Returns `nil` if one of the addresses is no URL. The address of an org stands for its default authorization server.
  init?(address: String, clientId: String, clientSecret: String?, redirectURI: String) {
    guard let url = URL(string: address), url.host != nil, let redirectURI = URL(string: redirectURI) else {
      return nil
    }
    issuer = url.pathComponents.count > 1 ? url : url.appendingPathComponent("oauth2/default")
    self.clientId = clientId
    self.clientSecret = clientSecret
    self.redirectURI = redirectURI
  }

  /// Makes the flow of one sign-in. Flows share nothing, so any number of them can be under way.
  func makeFlow() -> InteractionCodeFlow {
    InteractionCodeFlow(
      issuer: issuer, clientId: clientId, scopes: "openid profile", redirectUri: redirectURI,
      clientSecret: clientSecret)
  }
}
