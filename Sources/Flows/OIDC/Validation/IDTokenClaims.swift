// The claims of a checked ID token (oidc §8.1): those of the protocol, none of a person but the subject.

public import EventStore

/// The claims of an ID token that was checked. What it prints of itself does not show the subject.
public struct IDTokenClaims: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// Its issuer.
  public var issuer: String
  /// Whose it is, a name within the issuer; personal.
  public var subject: String
  /// The clients that it is for, this one among them.
  public var audience: [String]
  /// When it ends, in seconds since 1970.
  public var expiry: Int
  /// When it was issued, in seconds since 1970.
  public var issuedAt: Int
  /// When the person signed in, in seconds since 1970.
  public var authenticatedAt: Int?
  /// How the person signed in (RFC 8176).
  public var methods: [String]
  /// The authentication context that was satisfied.
  public var context: String?
  /// The token's own id (`jti`).
  public var id: String?
  /// What it is signed with.
  public var algorithm: String
  /// The key that signed it (`kid`).
  public var keyID: String?

  /// The claims by their names on the wire; `sub` is personal, see `IDTokenClaims.init(json:)`.
  public var json: JSON {
    .members([
      ("iss", .string(issuer)), ("sub", .string(subject)), ("aud", .array(audience.map(JSON.string))),
      ("exp", .int(expiry)), ("iat", .int(issuedAt)), ("auth_time", authenticatedAt.map(JSON.int)),
      ("amr", methods.isEmpty ? nil : .array(methods.map(JSON.string))), ("acr", context.map(JSON.string)),
      ("jti", id.map(JSON.string)), ("alg", .string(algorithm)), ("kid", keyID.map(JSON.string)),
    ])
  }

  /// Reads claims that `json` wrote; nil if one of them is missing or of another type.
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

  /// Reads the claims of a payload, those that every ID token has and those that a flow looks at.
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

  /// The parts that name no person.
  public var description: String { "IDTokenClaims(\(issuer), until \(expiry))" }

  /// No children: a dump names no person.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
