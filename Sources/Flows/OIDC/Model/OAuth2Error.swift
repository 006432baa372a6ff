// The errors of the OAuth part, as delegates get them (idx §9.4).

public import Foundation

/// Why the OAuth part of a sign-in failed. It never contains a secret.
public indirect enum OAuth2Error: Error, Sendable, LocalizedError {
  /// A URL cannot be formed.
  case invalidUrl
  /// A URL cannot be composed of its parts.
  case cannotComposeUrl
  /// The server answered with an OAuth error: its code and its description.
  case server(code: String, description: String?)
  /// No complete answer was received.
  case network(any Error)
  /// There is nothing to continue from: no sign-in was started, or the redirect belongs to another one.
  case invalidContext
  /// A redirect URI is needed and there is none.
  case redirectUriRequired
  /// The redirect is not one of this client.
  case redirectUri(URL, reason: String)
  /// A signature is not valid.
  case signatureInvalid
  /// The answer holds no token of that kind.
  case missingToken(type: String)
  /// The client is not configured.
  case missingClientConfiguration
  /// The server's metadata lack an attribute.
  case missingOpenIdConfiguration(attribute: String)
  /// Another error.
  case error(any Error)
  /// Several errors.
  case multiple([OAuth2Error])

  /// One sentence.
  public var errorDescription: String? {
    switch self {
    case .invalidUrl: "A URL of the authorization server cannot be used."
    case .cannotComposeUrl: "A URL cannot be composed."
    case .server(let code, let description): description ?? "The authorization server answered \(code)."
    case .network(let error): "The authorization server could not be reached: \(error.localizedDescription)"
    case .invalidContext: "No sign-in is under way that this belongs to."
    case .redirectUriRequired: "A redirect URI is needed."
    case .redirectUri(_, let reason): "The redirect cannot be used: \(reason)."
    case .signatureInvalid: "A signature is not right."
    case .missingToken(let type): "The answer holds no \(type)."
    case .missingClientConfiguration: "The client is not configured."
    case .missingOpenIdConfiguration(let attribute): "The server's metadata have no \(attribute)."
    case .error(let error): error.localizedDescription
    case .multiple(let errors): errors.compactMap(\.errorDescription).joined(separator: " ")
    }
  }
}
