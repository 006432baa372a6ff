// What an application configures in code (oidc §1.2).

public import Foundation

/// Settings of a client that are in no file. Its description contains no secret.
public struct OktaAuthOptions: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  /// The client's secret, if it has one; `nil` for a public client, as installed programs are.
  public var clientSecret: String?
  /// The allowed difference, in seconds, between the clocks of this machine and the server in times of ID tokens.
  public var allowedClockSkew = 300
  /// The timeout of a request in seconds; `nil` for the transport's own limit, which applies in any case and is 60 s
  /// for `CurlTransport` by default.
  public var httpTimeout: Int?
  /// Whether a sign-in in the browser requires the person to sign in again, whatever session the browser has: it sends
  /// `prompt=login`, unless another `prompt` is given.
  public var noSSO = false
  /// The user agent for requests; `nil` for that of the environment. See `OktaAuthConfig.setUserAgent(value:)`.
  public internal(set) var userAgent: String?
  /// The algorithms that an ID token may be signed with, of `RS256`, `RS384`, `RS512`, `ES256`, `ES384` and `ES512`.
  public var idTokenAlgorithms = ["RS256"]
  /// The timeout of the wait for the browser's redirect in seconds.
  public var redirectTimeout = 300
  /// The page that the browser goes to after the redirect; `nil` for a short built-in page.
  public var finishedPage: URL?

  /// The usual settings.
  public init() {}

  /// The settings, with no secret.
  public var description: String {
    "OktaAuthOptions(\(clientSecret == nil ? "public client" : "with a client secret"), skew \(allowedClockSkew) s, "
      + "timeout \(httpTimeout.map { "\($0) s" } ?? "of the transport"), \(idTokenAlgorithms.joined(separator: " ")))"
  }

  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
