// The events in the life cycle of tokens. `id` is generated when they are issued, and not derived from them: it links a
// sign-in with the renewals and the end of its tokens, in other flows and processes.

package import EventStore
package import FlowRecording

/// `token.refreshed`: new tokens were received for a refresh token.
package struct TokenRefreshed: DomainPayload {
  package static var type: String { "token.refreshed" }
  package static var needsBarrier: Bool { true }
  /// The tokens' id, that of the first of their line.
  package var id: String
  /// How the access token is used: `Bearer`.
  package var tokenType: String
  /// The validity of the access token in seconds; nil if the server did not report it.
  package var expiresIn: Int?
  /// The granted scopes, separated by spaces.
  package var scope: String?
  /// The tokens by their wire names, each a placeholder.
  package var tokens: JSON
  /// The claims of the ID token, if one was received.
  package var claims: JSON?

  package init(_ issued: TokenIssued) {
    id = issued.id ?? ""
    tokenType = issued.tokenType
    expiresIn = issued.expiresIn
    scope = issued.scope
    tokens = issued.tokens
    claims = issued.claims
  }

  package init(data: JSON) throws(EventError) {
    self.init(try TokenIssued(data: data))
    id = try data.requiredString("id", of: Self.type)
  }

  package var data: JSON {
    .members([
      ("id", .string(id)), ("tokenType", .string(tokenType)), ("expiresIn", expiresIn.map(JSON.int)),
      ("scope", scope.map(JSON.string)), ("tokens", tokens), ("claims", claims),
    ])
  }
}

extension TokenIssued {
  /// The tokens received for a refresh token.
  package init(_ refreshed: TokenRefreshed) {
    self.init(
      tokenType: refreshed.tokenType, expiresIn: refreshed.expiresIn, scope: refreshed.scope, tokens: refreshed.tokens)
    id = refreshed.id
    claims = refreshed.claims
  }
}

/// `token.refused`: an operation on tokens failed, because the server refused it or a check failed.
package struct TokenRefused: DomainPayload {
  package static var type: String { "token.refused" }
  package static var needsBarrier: Bool { true }
  /// The tokens' id, if there are any.
  package var id: String?
  /// The operation: `renew`.
  package var operation: String
  /// The part of a sign-out that failed.
  package var option: String?
  /// The error of `OktaError`, by its name.
  package var error: String
  /// Its details: `oauthCode`, `httpStatus`, the claim that failed.
  package var details: JSON

  package init(id: String?, operation: String, option: String?, _ refusal: Refusal) {
    self.id = id
    self.operation = operation
    self.option = option
    error = refusal.code
    details = refusal.details
  }

  package init(data: JSON) throws(EventError) {
    id = data["id"]?.string
    operation = try data.requiredString("operation", of: Self.type)
    option = data["option"]?.string
    error = try data.requiredString("error", of: Self.type)
    details = data["details"] ?? [:]
  }

  package var data: JSON {
    .members([
      ("id", id.map(JSON.string)), ("operation", .string(operation)), ("option", option.map(JSON.string)),
      ("error", .string(error)), ("details", details),
    ])
  }
}

/// `token.introspected`: the server reported whether a token is active.
package struct TokenIntrospected: DomainPayload {
  package static var type: String { "token.introspected" }
  package static var needsBarrier: Bool { true }
  /// The tokens' id, if the token is one of them.
  package var id: String?
  /// Which token.
  package var hint: String?
  /// Whether it is active.
  package var active: Bool

  package init(id: String?, hint: String?, active: Bool) {
    self.id = id
    self.hint = hint
    self.active = active
  }

  package init(data: JSON) throws(EventError) {
    guard let active = data["active"]?.bool else { throw EventError(type: Self.type, member: "active") }
    self.init(id: data["id"]?.string, hint: data["hint"]?.string, active: active)
  }

  package var data: JSON {
    .members([("id", id.map(JSON.string)), ("hint", hint.map(JSON.string)), ("active", .bool(active))])
  }
}

/// `token.revoked`: the server revoked a token.
package struct TokenRevoked: DomainPayload {
  package static var type: String { "token.revoked" }
  package static var needsBarrier: Bool { true }
  /// The tokens' id, if the token is one of them.
  package var id: String?
  /// Which token.
  package var hint: String?

  package init(id: String?, hint: String?) {
    self.id = id
    self.hint = hint
  }

  package init(data: JSON) throws(EventError) { self.init(id: data["id"]?.string, hint: data["hint"]?.string) }

  package var data: JSON { .members([("id", id.map(JSON.string)), ("hint", hint.map(JSON.string))]) }
}

/// `token.stored`: tokens are stored durably.
package struct TokenStored: DomainPayload {
  package static var type: String { "token.stored" }
  package static var needsBarrier: Bool { true }
  /// The tokens' id.
  package var id: String
  /// The key that they are stored under.
  package var issuer: String
  package var clientID: String

  package init(id: String, issuer: String, clientID: String) {
    self.id = id
    self.issuer = issuer
    self.clientID = clientID
  }

  package init(data: JSON) throws(EventError) {
    self.init(
      id: try data.requiredString("id", of: Self.type), issuer: try data.requiredString("issuer", of: Self.type),
      clientID: try data.requiredString("clientId", of: Self.type))
  }

  package var data: JSON { ["id": .string(id), "issuer": .string(issuer), "clientId": .string(clientID)] }
}

/// `token.cleared`: tokens are no longer stored.
package struct TokenCleared: DomainPayload {
  package static var type: String { "token.cleared" }
  package static var needsBarrier: Bool { true }
  /// The tokens' id, if it is known.
  package var id: String?
  /// How many entries were removed.
  package var entries: Int

  package init(id: String?, entries: Int) {
    self.id = id
    self.entries = entries
  }

  package init(data: JSON) throws(EventError) {
    self.init(id: data["id"]?.string, entries: try data.requiredInt("entries", of: Self.type))
  }

  package var data: JSON { .members([("id", id.map(JSON.string)), ("entries", .int(entries))]) }
}

/// `token.awaited`: a person must open a page and enter a code (RFC 8628); the application shows both.
package struct TokenAwaited: DomainPayload {
  package static var type: String { "token.awaited" }
  package static var needsBarrier: Bool { true }
  /// The code to enter, a placeholder.
  package var userCode: String
  /// The page.
  package var verificationURI: String
  /// The page with the code in it, a placeholder.
  package var completeURI: String?
  /// The validity of the code in seconds.
  package var expiresIn: Int
  /// The call that waits.
  package var call: Int

  package var audience: Int? { call }

  package init(userCode: String, verificationURI: String, completeURI: String?, expiresIn: Int, call: Int) {
    self.userCode = userCode
    self.verificationURI = verificationURI
    self.completeURI = completeURI
    self.expiresIn = expiresIn
    self.call = call
  }

  package init(data: JSON) throws(EventError) {
    self.init(
      userCode: try data.requiredString("userCode", of: Self.type),
      verificationURI: try data.requiredString("verificationUri", of: Self.type),
      completeURI: data["verificationUriComplete"]?.string,
      expiresIn: try data.requiredInt("expiresIn", of: Self.type), call: try data.requiredInt("call", of: Self.type))
  }

  package var data: JSON {
    .members([
      ("userCode", .string(userCode)), ("verificationUri", .string(verificationURI)),
      ("verificationUriComplete", completeURI.map(JSON.string)), ("expiresIn", .int(expiresIn)), ("call", .int(call)),
    ])
  }
}
