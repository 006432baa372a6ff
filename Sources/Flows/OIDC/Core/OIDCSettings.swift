// The configuration of a flow for tokens.

package import EventStore
import FlowRecording

/// The configuration in `flow.started`; secrets are placeholders.
package struct OIDCSettings: Sendable, Equatable {
  /// The issuer, without a trailing slash.
  package var issuer = ""
  package var clientID = ""
  package var scopes = ""
  package var redirectURI = ""
  package var logoutRedirectURI: String?
  /// Further parameters of the authorization and of the sign-out.
  package var parameters: [JSONObject.Member] = []
  package var clientSecret: String?
  /// The allowed clock difference in seconds.
  package var skew = 300
  /// The allowed signature algorithms of an ID token.
  package var algorithms = ["RS256"]
  /// How long to wait for a redirect, in seconds.
  package var redirectSeconds = 300
  /// Whether a sign-in by a code must return an ID token. Off in flows of versions that did not check this.
  package var requiresIDToken = false

  /// The settings before the first event.
  package init() {}

  /// Settings as `flow.started` has them.
  init(_ json: JSON) {
    issuer = json["issuer"]?.string ?? ""
    clientID = json["clientId"]?.string ?? ""
    scopes = json["scopes"]?.string ?? ""
    redirectURI = json["redirectUri"]?.string ?? ""
    logoutRedirectURI = json["logoutRedirectUri"]?.string
    parameters = json["parameters"]?.object?.members ?? []
    clientSecret = json["clientSecret"]?.string
    skew = min(max(json["skew"]?.int ?? 300, 0), 86_400)
    algorithms = json["algorithms"]?.array?.compactMap(\.string) ?? ["RS256"]
    redirectSeconds = min(max(json["redirectSeconds"]?.int ?? 300, 1), 3_600)
    requiresIDToken = json["requiresIdToken"]?.bool ?? false
  }

  /// The settings by their names.
  package var members: [(String, JSON?)] {
    [
      ("issuer", .string(issuer)), ("clientId", .string(clientID)), ("scopes", .string(scopes)),
      ("redirectUri", .string(redirectURI)), ("logoutRedirectUri", logoutRedirectURI.map(JSON.string)),
      ("parameters", parameters.isEmpty ? nil : .object(JSONObject(parameters))),
      ("clientSecret", clientSecret.map(JSON.string)), ("skew", .int(skew)),
      ("algorithms", .array(algorithms.map(JSON.string))), ("redirectSeconds", .int(redirectSeconds)),
      ("requiresIdToken", requiresIDToken ? true : nil),
    ]
  }

  /// The URL of the server's metadata (OIDC Discovery §4); nil for an invalid issuer: a path appended to a query or a
  /// fragment would become part of it (RFC 8414 §2).
  var discoveryURL: String? {
    guard let parts = URLParts(issuer), parts.query == nil, parts.fragment == nil, isSafe(issuer),
      !parts.authority.utf8.contains(UInt8(ascii: "@"))
    else { return nil }
    return issuer + "/.well-known/openid-configuration"
  }

  /// The URL of the metadata of a server without OpenID Connect: between host and path of the issuer (RFC 8414 §3.1),
  /// but after the path for Okta's custom servers.
  var serverMetadataURL: String? {
    guard discoveryURL != nil, let parts = URLParts(issuer) else { return nil }
    let name = "/.well-known/oauth-authorization-server"
    return isOkta ? issuer + name : parts.origin + name + (parts.path == "/" ? "" : parts.path)
  }

  /// Whether the issuer has the form of Okta's: the org itself, or a server under `/oauth2/`.
  private var isOkta: Bool {
    guard let path = URLParts(issuer)?.path else { return false }
    let first = path.split(separator: "/").first
    return first == nil || first == "oauth2"
  }

  /// Whether secrets may be sent to a URL: `https`, or loopback for an issuer on loopback.
  func isSafe(_ url: String) -> Bool {
    guard let parts = URLParts(url) else { return false }
    return parts.scheme == "https" || parts.isLoopback && URLParts(issuer)?.isLoopback == true
  }

  /// An endpoint at Okta's usual place, for a server of its form whose metadata does not name it (oidc §2); nil for any
  /// other server.
  func usualEndpoint(_ name: String) -> String? {
    guard isOkta else { return nil }
    return issuer.contains("/oauth2/") ? "\(issuer)/v1/\(name)" : "\(issuer)/oauth2/v1/\(name)"
  }

  /// Whether the application receives the redirect by a custom scheme, without a listener.
  static func isPrivate(_ redirectURI: String) -> Bool {
    let scheme = RedirectReading(redirectURI)?.scheme
    return scheme != "http"
  }
}
