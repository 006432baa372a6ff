// The application and its authorization server (idx §11.3).

public import Foundation

/// A client of an authorization server.
public struct OAuth2Client: Sendable, Hashable {
  /// The issuer: `https://acme.example/oauth2/default`.
  public var issuer: URL
  /// The client id.
  public var clientId: String
  /// The scopes to ask for, separated by spaces.
  public var scopes: String

  /// Makes a client of its parts.
  public init(issuer: URL, clientId: String, scopes: String) {
    self.issuer = issuer
    self.clientId = clientId
    self.scopes = scopes
  }

  /// Makes a client of its parts; the issuer by its name in okta-idx-swift.
  public init(baseURL: URL, clientId: String, scopes: String) {
    self.init(issuer: baseURL, clientId: clientId, scopes: scopes)
  }

  /// The issuer, by its name in okta-idx-swift.
  public var baseURL: URL { issuer }

  /// What the client is made of: this client has all of it.
  public typealias Configuration = OAuth2Client

  /// What the client is made of.
  public var configuration: Configuration { self }
}
