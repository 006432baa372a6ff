// The entry point (idx §11, §12; seed «Create the flow»).

import EventStore
public import FlowRecording
public import Foundation
public import OIDC

/// Signs a user in by the Identity Engine, step by step, until there are tokens.
///
/// Its responses keep it: an application may keep the flow, or the response that it is at. Everything it does is
/// recorded as `FlowEnvironment.current` says.
public final class InteractionCodeFlow: Sendable, CustomStringConvertible {
  /// The application, and its authorization server.
  public let client: OAuth2Client
  /// Where a browser comes back to.
  public let redirectUri: URL
  /// Parameters that interact is sent beside its own.
  public let additionalParameters: [String: String]?
  /// What the org recognizes this device by, if the application gives it.
  public let deviceIdentifier: UUID?
  package let session: IDXSession

  /// Makes a flow.
  ///
  /// - Parameters:
  ///   - issuer: the issuer: `https://acme.example/oauth2/default`.
  ///   - clientId: the client id.
  ///   - scopes: the scopes to ask for, separated by spaces.
  ///   - redirectUri: the redirect URI, exactly as it is registered.
  ///   - additionalParameters: sent to interact beside its own; they cannot take the place of those.
  ///   - deviceIdentifier: what the org recognizes this device by; the environment knows one otherwise.
  ///   - clientSecret: the secret of a confidential client.
  ///   - context: a sign-in that was begun before, to go on with.
  ///   - allowedOrigins: where forms may lead beside the issuer: `https://login.acme.example`. If nil, forms that carry
  ///     nothing entered may lead anywhere; entered values, and the exchange for tokens, go to the issuer's origin
  ///     alone.
  ///   - extendedUserAgent: whether the client's name goes into `X-Okta-User-Agent-Extended`.
  ///   - idTokenAlgorithms: what an ID token may be signed with, of what the server names; see `OktaAuthOptions`.
  ///   - allowedClockSkew: by how many seconds the clocks of this machine and of the server may differ in times of ID tokens.
  ///   - environment: where it records, how it sends, what time it is.
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

  /// Makes a flow.
  ///
  /// - Parameters:
  ///   - issuer: the issuer: `https://acme.example/oauth2/default`.
  ///   - clientId: the client id.
  ///   - scopes: the scopes to ask for.
  ///   - redirectUri: the redirect URI, exactly as it is registered.
  ///   - additionalParameters: sent to interact beside its own; they cannot take the place of those.
  ///   - deviceIdentifier: what the org recognizes this device by; the environment knows one otherwise.
  ///   - clientSecret: the secret of a confidential client.
  ///   - context: a sign-in that was begun before, to go on with.
  ///   - allowedOrigins: where forms may lead beside the issuer; see the form with an issuer as a URL and scopes as a text.
  ///   - extendedUserAgent: whether the client's name goes into `X-Okta-User-Agent-Extended`.
  ///   - idTokenAlgorithms: what an ID token may be signed with, of what the server names; see `OktaAuthOptions`.
  ///   - allowedClockSkew: by how many seconds the clocks of this machine and of the server may differ in times of ID tokens.
  ///   - environment: where it records, how it sends, what time it is.
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

  /// Makes a flow of addresses written as text. If one is no URL, `start` reports it as `invalidUrl`.
  ///
  /// - Parameters:
  ///   - issuer: the issuer: `https://acme.example/oauth2/default`.
  ///   - clientId: the client id.
  ///   - scopes: the scopes to ask for.
  ///   - redirectUri: the redirect URI, exactly as it is registered.
  ///   - additionalParameters: sent to interact beside its own; they cannot take the place of those.
  ///   - deviceIdentifier: what the org recognizes this device by; the environment knows one otherwise.
  ///   - clientSecret: the secret of a confidential client.
  ///   - context: a sign-in that was begun before, to go on with.
  ///   - allowedOrigins: where forms may lead beside the issuer; see the form with an issuer as a URL and scopes as a text.
  ///   - extendedUserAgent: whether the client's name goes into `X-Okta-User-Agent-Extended`.
  ///   - idTokenAlgorithms: what an ID token may be signed with, of what the server names; see `OktaAuthOptions`.
  ///   - allowedClockSkew: by how many seconds the clocks of this machine and of the server may differ in times of ID tokens.
  ///   - environment: where it records, how it sends, what time it is.
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

  /// Makes a flow of addresses written as text. If one is no URL, `start` reports it as `invalidUrl`.
  ///
  /// - Parameters:
  ///   - issuer: the issuer: `https://acme.example/oauth2/default`.
  ///   - clientId: the client id.
  ///   - scopes: the scopes to ask for, separated by spaces.
  ///   - redirectUri: the redirect URI, exactly as it is registered.
  ///   - additionalParameters: sent to interact beside its own; they cannot take the place of those.
  ///   - deviceIdentifier: what the org recognizes this device by; the environment knows one otherwise.
  ///   - clientSecret: the secret of a confidential client.
  ///   - context: a sign-in that was begun before, to go on with.
  ///   - allowedOrigins: where forms may lead beside the issuer; see the form with an issuer as a URL and scopes as a text.
  ///   - extendedUserAgent: whether the client's name goes into `X-Okta-User-Agent-Extended`.
  ///   - idTokenAlgorithms: what an ID token may be signed with, of what the server names; see `OktaAuthOptions`.
  ///   - allowedClockSkew: by how many seconds the clocks of this machine and of the server may differ in times of ID tokens.
  ///   - environment: where it records, how it sends, what time it is.
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

  /// Makes a flow of a client.
  ///
  /// - Parameters:
  ///   - redirectUri: the redirect URI, exactly as it is registered.
  ///   - additionalParameters: sent to interact beside its own; they cannot take the place of those.
  ///   - client: the client.
  public convenience init(redirectUri: URL, additionalParameters: [String: String]? = nil, client: OAuth2Client) {
    self.init(client: client, redirectUri: redirectUri, more: More(parameters: additionalParameters), .current)
  }

  /// Makes a flow as `Okta.plist` says, which stands beside the program or in the working directory.
  ///
  /// - Throws: `PropertyListConfigurationError`.
  public convenience init() throws {
    try self.init(PropertyListConfiguration.standard(), .current)
  }

  /// Makes a flow as a property list says.
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

  /// What few flows need.
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
    // A flow that runs again checks ID tokens if it did.
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

  /// Whether a sign-in is under way.
  public var isAuthenticating: Bool { session.flow.core.isAuthenticating }

  /// Adds a remark to the flow's record. Secrets that the flow knows are replaced in it.
  public func note(_ text: String) { session.flow.note(text) }

  /// Returns a text of an error as the org sent it: each placeholder of this flow is replaced by the secret that it
  /// stands for. For the person who signs in; such a text does not belong in a log.
  public func revealed(_ text: String) -> String { session.flow.vault.reveal(text) }

  /// Returns a text of the org with every secret that the flow knows replaced.
  package func masked(_ text: String) -> String { session.flow.masked(text) }

  /// Client id and issuer.
  public var description: String { "InteractionCodeFlow(\(client.clientId), \(client.issuer))" }

  // MARK: Delegates

  /// Adds a delegate, held weakly.
  public func add(delegate: any InteractionCodeFlowDelegate) { session.add(delegate) }

  /// Removes a delegate.
  public func remove(delegate: any InteractionCodeFlowDelegate) { session.remove(delegate) }
}

extension OAuth2Client {
  /// Makes a flow of this client.
  ///
  /// - Parameters:
  ///   - redirectUri: the redirect URI, exactly as it is registered.
  ///   - additionalParameters: sent to interact beside its own.
  public func interactionCodeFlow(
    redirectUri: URL, additionalParameters: [String: String]? = nil
  ) -> InteractionCodeFlow {
    InteractionCodeFlow(
      client: self, redirectUri: redirectUri, more: InteractionCodeFlow.More(parameters: additionalParameters), .current
    )
  }
}
