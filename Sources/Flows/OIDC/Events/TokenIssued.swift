// Tokens that an authorization server handed out.

public import EventStore
public import FlowRecording

/// `token.issued`: an authorization server handed out tokens, the answer that is its cause.
public struct TokenIssued: DomainPayload {
  /// The name of this type in the log.
  public static var type: String { "token.issued" }
  /// The application gets its news after the log.
  public static var needsBarrier: Bool { true }
  /// How the access token is used: `Bearer`.
  public var tokenType: String
  /// For how many seconds the access token is good; nil if the server did not say.
  public var expiresIn: Int?
  /// What it is good for, separated by spaces.
  public var scope: String?
  /// The tokens by their wire names, each a placeholder.
  public var tokens: JSON
  /// The tokens' id: it links the events of their life and is no part of them; nil in flows that give them none.
  public var id: String?
  /// What the ID token says, by its names, claims of persons left out; nil if none was checked.
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
