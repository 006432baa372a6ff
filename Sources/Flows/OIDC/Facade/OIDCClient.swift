// What all objects of one client share: its configuration and its seams.

import EventStore
import FlowRecording
import Foundation

/// A client of an authorization server. Each operation is a separate flow.
struct OIDCClient: Sendable {
  /// The configuration of flows, unmasked.
  let settings: JSON
  /// The seams.
  let environment: FlowEnvironment
  /// Where the browser goes after the redirect; nil for the listener's own page.
  private var finishedPage: URL?

  /// The client of a configuration.
  init(_ configuration: OktaAuthConfig, _ environment: FlowEnvironment) {
    let options = configuration.options
    let parameters = (configuration.additionalParams ?? [:]).sorted { $0.key < $1.key }
    settings = .members([
      ("issuer", .string(configuration.issuer)), ("clientId", .string(configuration.clientId)),
      ("scopes", .string(configuration.scopes)), ("redirectUri", .string(configuration.redirectUri.absoluteString)),
      ("logoutRedirectUri", (configuration.logoutRedirectUri?.absoluteString).map(JSON.string)),
      ("parameters", parameters.isEmpty ? nil : .members(parameters.map { ($0.key, .string($0.value)) })),
      ("clientSecret", options.clientSecret.map(JSON.string)), ("skew", .int(options.allowedClockSkew)),
      ("algorithms", .array(options.idTokenAlgorithms.map(JSON.string))),
      ("redirectSeconds", .int(options.redirectTimeout)),
      ("requiresIdToken", configuration.scopes.split(separator: " ").contains("openid") ? true : nil),
    ])
    self.environment = Self.adapted(environment, to: configuration)
    finishedPage = options.finishedPage
  }

  /// The seams, adapted to a configuration.
  private static func adapted(_ environment: FlowEnvironment, to configuration: OktaAuthConfig) -> FlowEnvironment {
    var environment = environment
    if let agent = configuration.options.userAgent { environment.userAgent = agent }
    let delegate = configuration.requestCustomizationDelegate
    var received: (@Sendable (HTTPResponse) -> Void)?
    if delegate != nil {
      received = { [weak delegate] response in delegate?.didReceive(response) }
      let listener = environment.requestListener
      environment.requestListener = { [weak delegate] request in
        let request = listener?(request) ?? request
        return delegate?.customizableURLRequest(request) ?? request
      }
    }
    guard configuration.options.httpTimeout != nil || delegate != nil else { return environment }
    environment.transport = ClientTransport(
      transport: environment.transport, seconds: configuration.options.httpTimeout, timers: environment.timers,
      received: received)
    return environment
  }

  /// The client that stored tokens belong to, as far as they specify it.
  init(of tokens: StoredTokens, _ environment: FlowEnvironment) {
    settings = .members([
      ("issuer", .string(OktaAuthConfig.normalized(tokens.issuer))), ("clientId", .string(tokens.clientID)),
      ("scopes", .string(tokens.scope ?? "openid")), ("redirectUri", ""),
      ("algorithms", tokens.algorithms.isEmpty ? nil : .array(tokens.algorithms.map(JSON.string))),
    ])
    self.environment = environment
  }

  /// The issuer as configured.
  var issuer: String { settings["issuer"]?.string ?? "" }
  /// The client id.
  var clientID: String { settings["clientId"]?.string ?? "" }
  /// The key of stored tokens, as arguments.
  var key: [(String, JSON?)] { [("issuer", settings["issuer"]), ("clientId", settings["clientId"])] }

  /// Begins a flow.
  func begin() -> OIDCSession {
    environment[ReadySessionSeam.self].take() ?? OIDCSession(settings: settings, environment: environment)
  }

  /// Begins a flow whose pages are shown by the application, if it says how; a browser that the environment sets counts
  /// more. A redirect URI with a port is listened for on that port.
  ///
  /// - Parameter call: what the flow is for: a sign-out has a redirect URI of its own.
  func begin(showing presenter: (any URLPresenter)?, for call: OIDCCall) -> OIDCSession {
    if let ready = environment[ReadySessionSeam.self].take() { return ready }
    var environment = environment
    if !environment.isSet(BrowserSeam.self) {
      let port = port(of: call)
      var show: (@Sendable (String) -> Void)?
      if let presenter {
        show = { text in
          if let url = URL(string: text) { presenter.show(url) }
        }
      }
      if show != nil || port != nil || finishedPage != nil {
        environment[BrowserSeam.self] = SystemBrowser(port: port ?? 0, finishedPage: finishedPage, show: show)
      }
    }
    return OIDCSession(settings: settings, environment: environment)
  }

  /// The port that the redirect URI of an operation names; nil for any that is free.
  private func port(of call: OIDCCall) -> Int? {
    guard call == .signOut else { return settings["redirectUri"]?.string.flatMap { URL(string: $0)?.port } }
    guard let text = settings["logoutRedirectUri"]?.string, URLParts(text)?.isLoopback == true else { return nil }
    return URL(string: text)?.port
  }
}

extension StoredTokens {
  /// The tokens of an operation, with secrets revealed; nil if it returned none.
  init?(of core: OIDCCore, revealedBy vault: Vault) {
    guard let operation = core.operation else { return nil }
    if let claimed = operation.claimed {
      self.init(json: vault.reveal(claimed))
      return
    }
    guard let time = operation.issuedAt, var record = core.record(operation, at: time) else { return nil }
    if record["id"] == nil {
      record["id"] = .string(operation.issued?.id ?? "")
      record["issuer"] = operation.metadata["issuer"] ?? .string(core.settings.issuer)
      record["clientId"] = .string(core.settings.clientID)
    }
    self.init(json: vault.reveal(.object(record)))
    algorithms = core.settings.algorithms
    let metadata = vault.reveal(operation.metadata)
    func endpoint(_ name: String) -> String? { metadata[name]?.string }
    endpoints.authorization = endpoint("authorization_endpoint") ?? endpoints.authorization
    endpoints.token = endpoint("token_endpoint") ?? endpoints.token
    endpoints.keys = endpoint("jwks_uri") ?? endpoints.keys
    endpoints.userInfo = endpoint("userinfo_endpoint") ?? endpoints.userInfo
    endpoints.introspection = endpoint("introspection_endpoint") ?? endpoints.introspection
    endpoints.revocation = endpoint("revocation_endpoint") ?? endpoints.revocation
    endpoints.endSession = endpoint("end_session_endpoint") ?? endpoints.endSession
  }
}
