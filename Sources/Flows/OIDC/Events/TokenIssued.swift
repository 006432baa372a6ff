// Tokens issued by an authorization server.

public import EventStore
public import FlowRecording

/// `token.issued`: an authorization server issued tokens in the answer that is its cause.
public struct TokenIssued: DomainPayload {
  /// The name of this type in the log.
  public static var type: String { "token.issued" }
  /// The application is notified only after the event is in the log.
  public static var needsBarrier: Bool { true }
  /// How the access token is used: `Bearer`.
  public var tokenType: String
  /// The validity of the access token in seconds; nil if the server did not report it.
  public var expiresIn: Int?
  /// The granted scopes, separated by spaces.
  public var scope: String?
  /// The tokens by their wire names, each a placeholder.
  public var tokens: JSON
  /// The tokens' id, which links the events of their life cycle and is not derived from them; nil in flows that assign
  /// none.
  public var id: String?
  /// The claims of the ID token, by their names, without those about persons; nil if none was checked.
  public var claims: JSON?

  /// Makes the event.
  public init(tokenType: String, expiresIn: Int?, scope: String?, tokens: JSON) {
    self.tokenType = tokenType
    self.expiresIn = expiresIn
    self.scope = scope
    self.tokens = tokens
  }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {
    tokenType = try data.requiredString("tokenType", of: Self.type)
    expiresIn = data["expiresIn"]?.int
    scope = data["scope"]?.string
    tokens = data["tokens"] ?? [:]
    id = data["id"]?.string
    claims = data["claims"]
  }

  /// The event's data.
  public var data: JSON {
    .members([
      ("tokenType", .string(tokenType)), ("expiresIn", expiresIn.map(JSON.int)), ("scope", scope.map(JSON.string)),
      ("tokens", tokens), ("id", id.map(JSON.string)), ("claims", claims),
    ])
  }
}
