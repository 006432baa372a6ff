// What an application configures in code (oidc §1.2).

public import Foundation

/// Settings of a client that stand in no file. What it prints of itself shows no secret.
public struct OktaAuthOptions: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  /// The client's secret, if it has one; `nil` for a public client, as installed programs are.
  public var clientSecret: String?
  /// By how many seconds the clocks of this machine and of the server may differ in times of ID tokens.
  public var allowedClockSkew = 300
  /// After how many seconds a request is given up; `nil` for the transport's own limit, which stands in any case and is 60 s
  /// for `CurlTransport` if it is not configured.
  public var httpTimeout: Int?
  /// Whether a sign-in in the browser asks the person again, whatever session the browser has: it sends `prompt=login`,
  /// unless another `prompt` is given.
  public var noSSO = false
  /// What requests say of the client; `nil` for what the environment says. See `OktaAuthConfig.setUserAgent(value:)`.
  public internal(set) var userAgent: String?
  /// The algorithms that an ID token may be signed with, of `RS256`, `RS384`, `RS512`, `ES256`, `ES384` and `ES512`.
  public var idTokenAlgorithms = ["RS256"]
  /// After how many seconds the wait for the browser's redirect ends.
  public var redirectTimeout = 300
  /// The page that the browser is sent to once the redirect has come; `nil` for a short page of the program's own.
  public var finishedPage: URL?

  /// The usual settings.
  public init() {}

  /// The settings, with no secret.
  public var description: String {
    "OktaAuthOptions(\(clientSecret == nil ? "public client" : "with a client secret"), skew \(allowedClockSkew) s, "
      + "timeout \(httpTimeout.map { "\($0) s" } ?? "of the transport"), \(idTokenAlgorithms.joined(separator: " ")))"
  }

  /// No children: a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
