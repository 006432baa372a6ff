// The rules for the values of a configuration (oidc §1.1).

import Foundation

extension OktaAuthConfig {
  /// Parameters that the protocol sets; a configuration cannot replace them.
  package static let protocolParameters: Set<String> = [
    "client_id", "client_secret", "client_assertion", "client_assertion_type", "response_type", "redirect_uri", "scope",
    "state", "nonce", "code_challenge", "code_challenge_method", "code_verifier", "code", "grant_type", "sessionToken",
    "refresh_token", "id_token_hint", "post_logout_redirect_uri", "request", "request_uri",
  ]

  private static let ownKeys: Set<String> = ["issuer", "clientId", "redirectUri", "scopes", "logoutRedirectUri"]

  init(values: [String: String]) throws(OktaError) {
    func value(_ key: String) -> String? {
      let text = values[key]?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
      return text.isEmpty ? nil : text
    }
    guard let issuer = value("issuer").map(Self.normalized), let clientId = value("clientId"),
      let redirect = value("redirectUri").flatMap(Self.uri), let scopes = value("scopes").map(Self.collapsed),
      Self.uri(issuer) != nil, scopes.utf8.count <= 1_024
    else { throw .missingConfigurationValues }
    let logout = value("logoutRedirectUri")
    let logoutURI = logout.flatMap(Self.uri)
    guard logout == nil || logoutURI != nil else { throw .missingConfigurationValues }
    self.init(
      clientId: clientId, issuer: issuer, scopes: scopes, redirectUri: redirect, logoutRedirectUri: logoutURI,
      additional: values.filter { !Self.ownKeys.contains($0.key) })
  }

  init(_ other: OktaAuthConfig, additional: [String: String]) {
    self.init(
      clientId: other.clientId, issuer: other.issuer, scopes: other.scopes, redirectUri: other.redirectUri,
      logoutRedirectUri: other.logoutRedirectUri, additional: additional)
    options = other.options
    requestCustomizationDelegate = other.requestCustomizationDelegate
  }

  private init(
    clientId: String, issuer: String, scopes: String, redirectUri: URL, logoutRedirectUri: URL?,
    additional: [String: String]
  ) {
    self.clientId = clientId
    self.issuer = issuer
    self.scopes = scopes
    self.redirectUri = redirectUri
    self.logoutRedirectUri = logoutRedirectUri
    let extra = additional.filter { !Self.protocolParameters.contains($0.key) && !$0.key.isEmpty }
    additionalParams = extra.isEmpty ? nil : extra
  }

  /// An issuer without the one slash at its end, as discovery and storage compare it.
  package static func normalized(_ issuer: String) -> String {
    issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
  }

  private static func collapsed(_ scopes: String) -> String {
    scopes.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func uri(_ text: String) -> URL? {
    guard let url = URL(string: text, encodingInvalidCharacters: false), let scheme = url.scheme, !scheme.isEmpty,
      url.fragment == nil
    else { return nil }
    let isWeb = scheme.lowercased() == "https" || scheme.lowercased() == "http"
    return isWeb && url.host(percentEncoded: true)?.isEmpty != false ? nil : url
  }
}

extension OktaAuthConfig: Equatable {
  /// Whether all six fields are equal.
  public static func == (left: OktaAuthConfig, right: OktaAuthConfig) -> Bool {
    left.clientId == right.clientId && left.issuer == right.issuer && left.scopes == right.scopes
      && left.redirectUri == right.redirectUri && left.logoutRedirectUri == right.logoutRedirectUri
      && left.additionalParams == right.additionalParams
  }
}

extension OktaAuthConfig: Codable {
  private enum CodingKeys: String, CodingKey {
    case clientId, issuer, scopes, redirectUri, logoutRedirectUri, additionalParams
  }

  /// Reads the six fields, under the same rules as `init(with:)`.
  ///
  /// - Throws: `DecodingError`, and `OktaError.missingConfigurationValues` if a value is missing or cannot be used.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    var values = try fields.decodeIfPresent([String: String].self, forKey: .additionalParams) ?? [:]
    values = values.filter { !Self.ownKeys.contains($0.key) }
    for key in [CodingKeys.clientId, .issuer, .scopes, .redirectUri, .logoutRedirectUri] {
      values[key.rawValue] = try fields.decodeIfPresent(String.self, forKey: key)
    }
    try self.init(values: values)
  }

  /// Writes the six fields.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(clientId, forKey: .clientId)
    try fields.encode(issuer, forKey: .issuer)
    try fields.encode(scopes, forKey: .scopes)
    try fields.encode(redirectUri.absoluteString, forKey: .redirectUri)
    try fields.encodeIfPresent(logoutRedirectUri?.absoluteString, forKey: .logoutRedirectUri)
    try fields.encodeIfPresent(additionalParams, forKey: .additionalParams)
  }
}
