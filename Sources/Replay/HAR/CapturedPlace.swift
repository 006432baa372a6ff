// Where captured requests go: the kind of flow that sends them, the org and its authorization server.

import EventStore
import FlowRecording

/// The place that a captured request goes to.
struct CapturedPlace {
  /// The kind of flow that sends such requests.
  private(set) var kind: String
  /// The normalized origin of the org.
  let org: String
  /// The authorization server, by the org and its path there; nil for other places.
  private let server: String?
  /// Whether it has the server's metadata or keys, which more than one kind of flow asks for.
  private let isDocument: Bool

  /// Returns nil if no sign-in sends requests there.
  ///
  /// - Parameters:
  ///   - body: the body of the request.
  ///   - endpoints: those that the archive's metadata name; they belong to the org of the metadata.
  init?(_ parts: URLParts, body: [UInt8]?, among endpoints: CapturedEndpoints) {
    let metadata = endpoints.metadata(naming: parts)
    let named = metadata.map { _ in Self.isInteraction(body) ? "idx" : "oidc" }
    guard let kind = Self.kind(of: parts.path, body) ?? named else { return nil }
    let home = metadata ?? parts
    let org = Self.org(of: home)
    self.kind = kind
    self.org = org
    server = Self.serverPath(in: home.path).map { org + $0 }
    isDocument = Self.isMetadata(parts.path) || parts.path.hasSuffix("/v1/keys")
  }

  /// The places of one archive. A sign-in of the Identity Engine asks its authorization server for metadata and keys as
  /// one by OpenID Connect does: those of a server that it used are part of its flow.
  static func joined(_ places: [CapturedPlace]) -> [CapturedPlace] {
    let servers = Set(places.filter { $0.kind == "idx" }.compactMap(\.server))
    return places.map { place in
      var place = place
      if place.isDocument, let server = place.server, servers.contains(server) { place.kind = "idx" }
      return place
    }
  }

  /// The path of the authorization server that has an endpoint, empty for the org's own; nil for other places.
  static func serverPath(in path: String) -> String? {
    for place in metadata where path.hasSuffix(place) { return String(path.dropLast(place.count)) }
    guard path.hasPrefix("/oauth2/"), let end = path.firstRange(of: "/v1/")?.lowerBound else { return nil }
    return path[..<end] == "/oauth2" ? "" : String(path[..<end])
  }

  /// Where an authorization server has its metadata (OpenID Connect Discovery §4, RFC 8414 §3).
  private static let metadata = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]

  /// True for the path of metadata.
  static func isMetadata(_ path: String) -> Bool { metadata.contains { path.hasSuffix($0) } }

  /// The endpoints of an authorization server (oidc §3, §6, §7, §12), as their paths end.
  private static let endpoints = [
    "/v1/authorize", "/v1/token", "/v1/par", "/v1/keys", "/v1/userinfo", "/v1/introspect", "/v1/revoke", "/v1/logout",
    "/v1/device/authorize",
  ]

  /// The kind of flow that sends such a request.
  private static func kind(of path: String, _ body: [UInt8]?) -> String? {
    if path.hasPrefix("/api/v1/authn") { return "authn" }
    if path.hasPrefix("/idp/idx") || path.hasSuffix("/v1/interact") { return "idx" }
    if path.hasPrefix("/idp/authenticators") { return "device" }
    if path.hasSuffix("/v1/token"), isInteraction(body) { return "idx" }
    if isMetadata(path) || path.hasSuffix("/v1/token") || path.hasSuffix("/v1/authorize") { return "oidc" }
    return path.hasPrefix("/oauth2/") && endpoints.contains { path.hasSuffix($0) } ? "oidc" : nil
  }

  /// True if a request exchanges the code of the Identity Engine for tokens.
  private static func isInteraction(_ body: [UInt8]?) -> Bool {
    body.map { FormFields.members(of: $0)["grant_type"]?.string == "interaction_code" } ?? false
  }

  /// The normalized origin of a URL: in lower case, without a user and the default port.
  static func org(of parts: URLParts) -> String {
    var authority = parts.authority.lowercased()
    if let at = authority.lastIndex(of: "@") { authority.removeSubrange(...at) }
    let port = parts.scheme == "https" ? ":443" : ":80"
    if authority.hasSuffix(port) { authority.removeLast(port.count) }
    return "\(parts.scheme)://\(authority)"
  }
}
