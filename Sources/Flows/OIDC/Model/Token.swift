// Tokens as the application gets them (idx §2.4).

/// The tokens of one sign-in. Its description contains no token.
public struct Token: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// How the access token is used: `Bearer`.
  public var tokenType: String
  /// The token for calling APIs.
  public var accessToken: String
  /// The validity of the access token in seconds from when it was issued; nil if the server did not report it.
  public var expiresIn: Int?
  /// The granted scopes, separated by spaces; nil if the server did not report them.
  public var scope: String?
  /// The token for getting new ones, if `offline_access` was granted.
  public var refreshToken: String?
  /// The user's identity, as a signed statement (a JWT). `exchangeCode` checks it before returning it; one from
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

  /// Which tokens there are, but never the tokens themselves.
  public var description: String {
    let parts = [
      ("refresh token", refreshToken), ("ID token", idToken), ("device secret", deviceSecret),
    ].filter { $0.1 != nil }.map(\.0)
    return "\(tokenType) token for \(scope ?? "no told scope")"
      + (parts.isEmpty ? "" : ", with \(parts.joined(separator: ", "))")
  }

  /// No children, so that no dump of a debugger or test shows no token.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
