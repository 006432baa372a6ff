// Tokens as the application gets them (idx §2.4).

/// The tokens of one sign-in. What it prints of itself shows no token.
public struct Token: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// How the access token is used: `Bearer`.
  public var tokenType: String
  /// The token that calls of APIs carry.
  public var accessToken: String
  /// For how many seconds the access token is good from when it was issued; nil if the server did not say.
  public var expiresIn: Int?
  /// What the tokens are good for, separated by spaces; nil if the server did not say.
  public var scope: String?
  /// The token that gets new ones, if `offline_access` was granted.
  public var refreshToken: String?
  /// The user's identity, as a signed statement (a JWT). `exchangeCode` checks it before it hands it out; one that comes from
  /// elsewhere has not been checked.
  public var idToken: String?
  /// The secret of the device, if `device_sso` was granted.
  public var deviceSecret: String?

  /// Makes a token of its parts.
  public init(
    tokenType: String = "Bearer", accessToken: String, expiresIn: Int? = nil, scope: String? = nil,
    refreshToken: String? = nil, idToken: String? = nil, deviceSecret: String? = nil
  ) {
    self.tokenType = tokenType
    self.accessToken = accessToken
    self.expiresIn = expiresIn
    self.scope = scope
    self.refreshToken = refreshToken
    self.idToken = idToken
    self.deviceSecret = deviceSecret
  }

  /// What there is, never the tokens themselves.
  public var description: String {
    let parts = [
      ("refresh token", refreshToken), ("ID token", idToken), ("device secret", deviceSecret),
    ].filter { $0.1 != nil }.map(\.0)
    return "\(tokenType) token for \(scope ?? "no told scope")"
      + (parts.isEmpty ? "" : ", with \(parts.joined(separator: ", "))")
  }

  /// No children: a debugger's or a test's dump shows no token.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
