// The claims of a validated ID token (oidc §8.1): the protocol's claims, with no personal data except the subject.

public import EventStore

/// The claims of a validated ID token. The description does not show the subject.
public struct IDTokenClaims: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The issuer.
  public var issuer: String
  /// The person's identifier at the issuer; personal.
  public var subject: String
  /// The clients that the token is for, including this one.
  public var audience: [String]
  /// When the token expires, in seconds since 1970.
  public var expiry: Int
  /// When the token was issued, in seconds since 1970.
  public var issuedAt: Int
  /// When the person signed in, in seconds since 1970.
  public var authenticatedAt: Int?
  /// The methods by which the person signed in (RFC 8176).
  public var methods: [String]
  /// The authentication context that was satisfied.
  public var context: String?
  /// The token's ID (`jti`).
  public var id: String?
  /// The signature algorithm.
  public var algorithm: String
  /// The ID of the key that signed it (`kid`).
  public var keyID: String?

  /// The claims, keyed by their names on the wire; `sub` is personal, see `IDTokenClaims.init(json:)`.
  public var json: JSON {
    .members([
      ("iss", .string(issuer)), ("sub", .string(subject)), ("aud", .array(audience.map(JSON.string))),
      ("exp", .int(expiry)), ("iat", .int(issuedAt)), ("auth_time", authenticatedAt.map(JSON.int)),
      ("amr", methods.isEmpty ? nil : .array(methods.map(JSON.string))), ("acr", context.map(JSON.string)),
      ("jti", id.map(JSON.string)), ("alg", .string(algorithm)), ("kid", keyID.map(JSON.string)),
    ])
  }

  /// Reads claims in the format of `json`; `nil` if one is missing or has the wrong type.
  public init?(json: JSON) {
    guard let issuer = json["iss"]?.string, let subject = json["sub"]?.string, let audience = json["aud"]?.array,
      let expiry = json["exp"]?.int, let issuedAt = json["iat"]?.int, let algorithm = json["alg"]?.string
    else { return nil }
    self.issuer = issuer
    self.subject = subject
    self.audience = audience.compactMap(\.string)
    self.expiry = expiry
    self.issuedAt = issuedAt
    authenticatedAt = json["auth_time"]?.int
    methods = json["amr"]?.array?.compactMap(\.string) ?? []
    context = json["acr"]?.string
    id = json["jti"]?.string
    self.algorithm = algorithm
    keyID = json["kid"]?.string
  }

  /// Reads the claims that every ID token has and those that a flow uses.
  init(_ payload: JSON, header: IDTokenHeader) throws(IDTokenFailure) {
    issuer = try payload.requiredText("iss")
    audience = try payload.audience()
    expiry = try payload.requiredTime("exp")
    issuedAt = try payload.requiredTime("iat")
    subject = try payload.requiredText("sub")
    authenticatedAt = try payload.time("auth_time")
    methods = payload["amr"]?.array?.compactMap(\.string) ?? []
    context = try payload.text("acr")
    id = payload["jti"]?.string
    algorithm = header.algorithm.rawValue
    keyID = header.keyID
  }

  /// The issuer and expiry, which do not identify a person.
  public var description: String { "IDTokenClaims(\(issuer), until \(expiry))" }

  /// No children, so that a dump does not identify a person.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
