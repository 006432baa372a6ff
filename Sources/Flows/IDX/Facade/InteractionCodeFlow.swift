// The entry point (idx §11, §12; seed «Create the flow»).

import EventStore
public import FlowRecording
public import Foundation
public import OIDC

/// Signs a user in through the Identity Engine, step by step, until tokens are returned.
///
/// Its responses retain the flow, so an application may keep either the flow or its current response. Everything the
/// flow does is recorded according to `FlowEnvironment.current`.
public final class InteractionCodeFlow: Sendable, CustomStringConvertible {
  /// The application and its authorization server.
  public let client: OAuth2Client
  /// The URI that the browser returns to.
  public let redirectUri: URL
  /// Parameters that are sent to interact in addition to the flow's own.
  public let additionalParameters: [String: String]?
  /// The ID by which the org recognizes this device, if the application provides it.
  public let deviceIdentifier: UUID?
  package let session: IDXSession

  /// Creates a flow.
  ///
  /// - Parameters:
  ///   - issuer: the issuer: `https://acme.example/oauth2/default`.
  ///   - clientId: the client id.
  ///   - scopes: the scopes to ask for, separated by spaces.
  ///   - redirectUri: the redirect URI, exactly as it is registered.
  ///   - additionalParameters: sent to interact in addition to its own parameters; they cannot replace those.
  ///   - deviceIdentifier: identifies this device to the org; by default that of the environment.
  ///   - clientSecret: the secret of a confidential client.
  ///   - context: an earlier sign-in to continue.
  ///   - allowedOrigins: origins other than the issuer's that forms may lead to: `https://login.acme.example`. If nil,
  ///     forms without entered values may lead anywhere; entered values and the exchange for tokens are sent only to
  ///     the issuer's origin.
  ///   - extendedUserAgent: whether to send the client's name in `X-Okta-User-Agent-Extended`.
  ///   - idTokenAlgorithms: the allowed signature algorithms of ID tokens, of those the server lists; see
  ///     `OktaAuthOptions`.
  ///   - allowedClockSkew: the allowed difference between the clocks of this machine and the server, in seconds, for
  ///     times in ID tokens.
  ///   - environment: the seams, such as recorder, transport and clock.
  public convenience init(
    issuer: URL, clientId: String, scopes: String, redirectUri: URL, additionalParameters: [String: String]? = nil,
    deviceIdentifier: UUID? = nil, clientSecret: String? = nil, context: Context? = nil,
    allowedOrigins: [String]? = nil, extendedUserAgent: Bool = false,
    idTokenAlgorithms: [String] = ["RS256", "ES256"], allowedClockSkew: Int = 300,
    environment: FlowEnvironment = .current
  ) {
    self.init(
      client: OAuth2Client(issuer: issuer, clientId: clientId, scopes: scopes), redirectUri: redirectUri,
      more: More(
        parameters: additionalParameters, device: deviceIdentifier, secret: clientSecret, context: context,
        origins: allowedOrigins, extendedUserAgent: extendedUserAgent,
        idToken: IDXCore.IDTokenTerms(algorithms: idTokenAlgorithms, skew: allowedClockSkew)),
      environment)
  }

  /// Creates a flow.
  ///
  /// - Parameters:
  ///   - issuer: the issuer: `https://acme.example/oauth2/default`.
  ///   - clientId: the client id.
  ///   - scopes: the scopes to ask for.
  ///   - redirectUri: the redirect URI, exactly as it is registered.
  ///   - additionalParameters: sent to interact in addition to its own parameters; they cannot replace those.
  ///   - deviceIdentifier: identifies this device to the org; by default that of the environment.
  ///   - clientSecret: the secret of a confidential client.
  ///   - context: an earlier sign-in to continue.
  ///   - allowedOrigins: origins other than the issuer's that forms may lead to; see the initializer with an issuer as
  ///     a URL and scopes as a string.
  ///   - extendedUserAgent: whether to send the client's name in `X-Okta-User-Agent-Extended`.
  ///   - idTokenAlgorithms: the allowed signature algorithms of ID tokens, of those the server lists; see
  ///     `OktaAuthOptions`.
  ///   - allowedClockSkew: the allowed difference between the clocks of this machine and the server, in seconds, for
  ///     times in ID tokens.
  ///   - environment: the seams, such as recorder, transport and clock.
  public convenience init(
    issuer: URL, clientId: String, scopes: [String], redirectUri: URL, additionalParameters: [String: String]? = nil,
    deviceIdentifier: UUID? = nil, clientSecret: String? = nil, context: Context? = nil,
    allowedOrigins: [String]? = nil, extendedUserAgent: Bool = false,
    idTokenAlgorithms: [String] = ["RS256", "ES256"], allowedClockSkew: Int = 300,
    environment: FlowEnvironment = .current
  ) {
    self.init(
      issuer: issuer, clientId: clientId, scopes: scopes.joined(separator: " "), redirectUri: redirectUri,
      additionalParameters: additionalParameters, deviceIdentifier: deviceIdentifier, clientSecret: clientSecret,
      context: context, allowedOrigins: allowedOrigins, extendedUserAgent: extendedUserAgent,
      idTokenAlgorithms: idTokenAlgorithms, allowedClockSkew: allowedClockSkew, environment: environment)
  }

  /// Creates a flow from addresses written as text. If one is not a URL, `start` reports it as `invalidUrl`.
  ///
  /// - Parameters:
  ///   - issuer: the issuer: `https://acme.example/oauth2/default`.
  ///   - clientId: the client id.
  ///   - scopes: the scopes to ask for.
  ///   - redirectUri: the redirect URI, exactly as it is registered.
  ///   - additionalParameters: sent to interact in addition to its own parameters; they cannot replace those.
  ///   - deviceIdentifier: identifies this device to the org; by default that of the environment.
  ///   - clientSecret: the secret of a confidential client.
  ///   - context: an earlier sign-in to continue.
  ///   - allowedOrigins: origins other than the issuer's that forms may lead to; see the initializer with an issuer as
  ///     a URL and scopes as a string.
  ///   - extendedUserAgent: whether to send the client's name in `X-Okta-User-Agent-Extended`.
  ///   - idTokenAlgorithms: the allowed signature algorithms of ID tokens, of those the server lists; see
  ///     `OktaAuthOptions`.
  ///   - allowedClockSkew: the allowed difference between the clocks of this machine and the server, in seconds, for
  ///     times in ID tokens.
  ///   - environment: the seams, such as recorder, transport and clock.
  public convenience init(
    issuer: String, clientId: String, scopes: [String], redirectUri: String,
    additionalParameters: [String: String]? = nil,
    deviceIdentifier: UUID? = nil, clientSecret: String? = nil, context: Context? = nil,
    allowedOrigins: [String]? = nil, extendedUserAgent: Bool = false,
    idTokenAlgorithms: [String] = ["RS256", "ES256"], allowedClockSkew: Int = 300,
    environment: FlowEnvironment = .current
  ) {
    self.init(
      issuer: URL(string: issuer) ?? URL(fileURLWithPath: "/"), clientId: clientId, scopes: scopes,
      redirectUri: URL(string: redirectUri) ?? URL(fileURLWithPath: "/"), additionalParameters: additionalParameters,
      deviceIdentifier: deviceIdentifier, clientSecret: clientSecret, context: context, allowedOrigins: allowedOrigins,
      extendedUserAgent: extendedUserAgent, idTokenAlgorithms: idTokenAlgorithms, allowedClockSkew: allowedClockSkew,
      environment: environment)
  }

  /// Creates a flow from addresses written as text. If one is not a URL, `start` reports it as `invalidUrl`.
  ///
  /// - Parameters:
  ///   - issuer: the issuer: `https://acme.example/oauth2/default`.
  ///   - clientId: the client id.
  ///   - scopes: the scopes to ask for, separated by spaces.
  ///   - redirectUri: the redirect URI, exactly as it is registered.
  ///   - additionalParameters: sent to interact in addition to its own parameters; they cannot replace those.
  ///   - deviceIdentifier: identifies this device to the org; by default that of the environment.
  ///   - clientSecret: the secret of a confidential client.
  ///   - context: an earlier sign-in to continue.
  ///   - allowedOrigins: origins other than the issuer's that forms may lead to; see the initializer with an issuer as
  ///     a URL and scopes as a string.
  ///   - extendedUserAgent: whether to send the client's name in `X-Okta-User-Agent-Extended`.
  ///   - idTokenAlgorithms: the allowed signature algorithms of ID tokens, of those the server lists; see
  ///     `OktaAuthOptions`.
  ///   - allowedClockSkew: the allowed difference between the clocks of this machine and the server, in seconds, for
  ///     times in ID tokens.
  ///   - environment: the seams, such as recorder, transport and clock.
  public convenience init(
    issuer: String, clientId: String, scopes: String, redirectUri: String,
    additionalParameters: [String: String]? = nil,
    deviceIdentifier: UUID? = nil, clientSecret: String? = nil, context: Context? = nil,
    allowedOrigins: [String]? = nil, extendedUserAgent: Bool = false,
    idTokenAlgorithms: [String] = ["RS256", "ES256"], allowedClockSkew: Int = 300,
    environment: FlowEnvironment = .current
  ) {
    self.init(
      issuer: URL(string: issuer) ?? URL(fileURLWithPath: "/"), clientId: clientId, scopes: scopes,
      redirectUri: URL(string: redirectUri) ?? URL(fileURLWithPath: "/"), additionalParameters: additionalParameters,
      deviceIdentifier: deviceIdentifier, clientSecret: clientSecret,
      context: context, allowedOrigins: allowedOrigins, extendedUserAgent: extendedUserAgent,
      idTokenAlgorithms: idTokenAlgorithms, allowedClockSkew: allowedClockSkew, environment: environment)
  }

  /// Creates a flow for a client.
  ///
  /// - Parameters:
  ///   - redirectUri: the redirect URI, exactly as it is registered.
  ///   - additionalParameters: sent to interact in addition to its own parameters; they cannot replace those.
  ///   - client: the client.
  public convenience init(redirectUri: URL, additionalParameters: [String: String]? = nil, client: OAuth2Client) {
    self.init(client: client, redirectUri: redirectUri, more: More(parameters: additionalParameters), .current)
  }

  /// Creates a flow from `Okta.plist`, which is located beside the program or in the working directory.
  ///
  /// - Throws: `PropertyListConfigurationError`.
  public convenience init() throws {
    try self.init(PropertyListConfiguration.standard(), .current)
  }

  /// Creates a flow from a property list.
  ///
  /// - Throws: `PropertyListConfigurationError`.
  public convenience init(plist: URL) throws {
    try self.init(PropertyListConfiguration(plist), .current)
  }

  convenience init(_ configuration: PropertyListConfiguration, _ environment: FlowEnvironment) {
    self.init(
      client: OAuth2Client(
        issuer: configuration.issuer, clientId: configuration.clientId, scopes: configuration.scopes),
      redirectUri: configuration.redirectUri,
      more: More(
        parameters: configuration.additionalParameters, secret: configuration.clientSecret,
        source: configuration.source), environment)
  }

  /// Options that few flows need.
  struct More {
    var parameters: [String: String]?
    var device: UUID?
    var secret: String?
    var context: Context?
    var origins: [String]?
    var extendedUserAgent = false
    var idToken = IDXCore.IDTokenTerms(algorithms: ["RS256", "ES256"], skew: 300)
    var source: String?
  }

  init(client: OAuth2Client, redirectUri: URL, more: More, _ environment: FlowEnvironment) {
    self.client = client
    self.redirectUri = redirectUri
    additionalParameters = more.parameters
    deviceIdentifier = more.device
    var issuer = client.issuer.absoluteString
    while issuer.hasSuffix("/") { issuer.removeLast() }
    let parameters = (more.parameters ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }
    // A flow that is replayed checks ID tokens if it did so when it was recorded.
    let isChecked = environment.rerun.map { $0.start.settings["idToken"] != nil } ?? true
    let terms: JSON? = isChecked ? more.idToken.json : Optional.none
    session = IDXSession(
      settings: .members([
        ("issuer", .string(issuer)),
        ("clientId", .string(client.clientId)), ("scope", .string(client.scopes)),
        ("redirectUri", .string(redirectUri.absoluteString)),
        ("deviceToken", more.device.map { .string(FixedDevice($0).token) }),
        ("clientSecret", more.secret.map(JSON.string)), ("parameters", parameters.isEmpty ? nil : .members(parameters)),
        ("origins", more.origins.map { .array($0.map(JSON.string)) }),
        ("userAgentHeader", more.extendedUserAgent ? true : nil), ("idToken", terms),
        ("source", more.source.map(JSON.string)),
      ]), resumes: more.context?.flowID, environment: environment)
    session.own(self)
    if let context = more.context { restore(context) }
  }

  /// The flow's stream in the log: `idx/01JD…`.
  public var flowID: String { session.flow.stream }

  /// Whether a sign-in is in progress.
  public var isAuthenticating: Bool { session.flow.core.isAuthenticating }

  /// Adds a note to the flow's record. Secrets that the flow knows are replaced.
  public func note(_ text: String) { session.flow.note(text) }

  /// Returns an error text as the org sent it, with this flow's placeholders replaced by the secrets that they stand
  /// for. Show it to the person who signs in, but do not log it.
  public func revealed(_ text: String) -> String { session.flow.vault.reveal(text) }

  /// Returns a text from the org with every secret that the flow knows replaced.
  package func masked(_ text: String) -> String { session.flow.masked(text) }

  /// The client ID and issuer.
  public var description: String { "InteractionCodeFlow(\(client.clientId), \(client.issuer))" }

  // MARK: Delegates

  /// Adds a delegate, which is held weakly.
  public func add(delegate: any InteractionCodeFlowDelegate) { session.add(delegate) }

  /// Removes a delegate.
  public func remove(delegate: any InteractionCodeFlowDelegate) { session.remove(delegate) }
}

extension OAuth2Client {
  /// Creates a flow for this client.
  ///
  /// - Parameters:
  ///   - redirectUri: the redirect URI, exactly as it is registered.
  ///   - additionalParameters: sent to interact in addition to its own parameters.
  public func interactionCodeFlow(
    redirectUri: URL, additionalParameters: [String: String]? = nil
  ) -> InteractionCodeFlow {
    InteractionCodeFlow(
      client: self, redirectUri: redirectUri, more: InteractionCodeFlow.More(parameters: additionalParameters), .current
    )
  }
}
