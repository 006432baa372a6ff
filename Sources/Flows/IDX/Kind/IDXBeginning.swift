// The configuration with which an application begins an Identity Engine sign-in, and the initializers that accept it.

import EventStore
import FlowRecording
import Foundation
import OIDC

/// The configuration of a recorded flow.
struct IDXBeginning {
  private let issuer: URL
  private let redirect: URL
  private let client: String
  private let scope: String
  private let parameters: [String: String]?
  private let settings: JSON

  /// Reads the settings of a flow; `nil` if no configuration produces them.
  init?(_ settings: JSON) {
    guard let issuer = settings.url("issuer"), let redirect = settings.url("redirectUri"),
      let client = settings["clientId"]?.string, let scope = settings["scope"]?.string
    else { return nil }
    (self.issuer, self.redirect, self.client, self.scope, self.settings) = (issuer, redirect, client, scope, settings)
    let members = settings["parameters"]?.object?.members.map { ($0.key, $0.value.string ?? "") }
    parameters = members.map { Dictionary($0) { first, _ in first } }
  }

  /// How ID tokens are checked, if this differs from the default.
  private var terms: IDXCore.IDTokenTerms? {
    let terms = settings["idToken"].map(IDXCore.IDTokenTerms.init)
    return terms == InteractionCodeFlow.More().idToken ? nil : terms
  }

  private var secret: String? { settings["clientSecret"]?.string }

  /// Creates the flow with one of the initializers that can express the configuration.
  func make(_ environment: FlowEnvironment, _ forms: PlayedForms) -> InteractionCodeFlow {
    let list = scope.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let (issuer, redirect, client, scope, parameters) = (issuer, redirect, client, scope, parameters)
    var made: InteractionCodeFlow?
    // Trailing slashes are not part of the URL.
    let slashed = URL(string: issuer.absoluteString + "/") ?? issuer
    var candidates = [
      PlayedForm("scopes as a text") { made = long(issuer, environment) },
      PlayedForm("an issuer with a slash") { made = long(slashed, environment) },
    ]
    if settings["source"] != nil {
      candidates = [PlayedForm("property list") { made = listed(environment) }]
    } else if secret == nil, settings["origins"] == nil, settings["userAgentHeader"] == nil, terms == nil {
      candidates += [
        PlayedForm("scopes as a list") {
          made = InteractionCodeFlow(
            issuer: issuer, clientId: client, scopes: list, redirectUri: redirect, additionalParameters: parameters,
            environment: environment)
        },
        PlayedForm("a client") {
          made = environment.run {
            InteractionCodeFlow(
              redirectUri: redirect, additionalParameters: parameters,
              client: OAuth2Client(issuer: issuer, clientId: client, scopes: scope))
          }
        },
        PlayedForm("of a client") {
          made = environment.run {
            OAuth2Client(baseURL: issuer, clientId: client, scopes: scope)
              .interactionCodeFlow(redirectUri: redirect, additionalParameters: parameters)
          }
        },
      ]
      if parameters == nil {
        candidates.append(
          PlayedForm("texts") {
            made = InteractionCodeFlow(
              issuer: issuer.absoluteString, clientId: client, scopes: list, redirectUri: redirect.absoluteString,
              environment: environment)
          })
      }
    }
    _ = forms.play("init", at: 0, candidates)
    return made ?? long(issuer, environment)
  }

  private func long(_ issuer: URL, _ environment: FlowEnvironment) -> InteractionCodeFlow {
    let terms = terms ?? InteractionCodeFlow.More().idToken
    return InteractionCodeFlow(
      issuer: issuer, clientId: client, scopes: scope, redirectUri: redirect, additionalParameters: parameters,
      clientSecret: secret, allowedOrigins: settings["origins"]?.array.map { $0.compactMap(\.string) },
      extendedUserAgent: settings["userAgentHeader"]?.bool ?? false, idTokenAlgorithms: terms.algorithms,
      allowedClockSkew: terms.skew, environment: environment)
  }

  /// Creates the flow from a property list with the recorded file name.
  private func listed(_ environment: FlowEnvironment) -> InteractionCodeFlow? {
    var values: [String: Any] = parameters ?? [:]
    values["issuer"] = issuer.absoluteString
    values["clientId"] = client
    values["scopes"] = scope
    values["redirectUri"] = redirect.absoluteString
    values["clientSecret"] = secret
    let list = try? PropertyListConfiguration(values, source: settings["source"]?.string ?? "")
    return list.map { InteractionCodeFlow($0, environment) }
  }
}
