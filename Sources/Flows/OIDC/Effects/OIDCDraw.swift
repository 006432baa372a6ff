// The draws of a flow for tokens: what pure code cannot compute.

import EventStore
package import FlowRecording

extension DrawKind {
  // Taken at once.
  /// The value that binds an ID token to its sign-in: 32 random bytes.
  package static let nonce = DrawKind(rawValue: "nonce")
  /// The cached metadata of a server.
  package static let oidcKnown = DrawKind(rawValue: "oidc.known")
  /// Caches the metadata of a server.
  package static let oidcRemember = DrawKind(rawValue: "oidc.remember")
  /// The contents of a redirect.
  package static let oidcRedirect = DrawKind(rawValue: "oidc.redirect")
  /// The remembered keys of a server.
  package static let oidcKeys = DrawKind(rawValue: "oidc.keys")
  /// The header with which a client with a secret authenticates.
  package static let oidcBasic = DrawKind(rawValue: "oidc.basic")
  /// Stored tokens: stores, reads or removes them.
  package static let tokensKeep = DrawKind(rawValue: "tokens.keep")
  package static let tokensRead = DrawKind(rawValue: "tokens.read")
  package static let tokensClear = DrawKind(rawValue: "tokens.clear")
  // Awaited.
  /// The metadata of a server that another flow is fetching.
  package static let oidcShared = DrawKind(rawValue: "oidc.shared")
  /// The check of an ID token.
  package static let oidcValidate = DrawKind(rawValue: "oidc.validate")
  /// The lock of stored tokens, and the current contents of the store.
  package static let tokensClaim = DrawKind(rawValue: "tokens.claim")
  /// Stores tokens for a flow that waits for it.
  package static let tokensStore = DrawKind(rawValue: "tokens.store")
  /// Removes stored tokens for a flow that waits for it.
  package static let tokensRemove = DrawKind(rawValue: "tokens.remove")
}

/// The draws, with the parts of them that may be written.
package enum OIDCDraws {
  /// All of them.
  package static let declarations: DrawDeclarations = [
    .state: .inline(.secret("state")) { _, environment in .success(.string(RandomText.value(from: environment.entropy)))
    },
    .nonce: .inline(.secret("nonce")) { _, environment in .success(.string(RandomText.value(from: environment.entropy)))
    },
    .oidcKnown: .inline(
      .object(["document": OIDCPolicy.body, "wait": .boolean]),
      take: { .success(MetadataDraws.known($0, $1)) }),
    .oidcShared: .awaited(
      .object(["document": OIDCPolicy.body]), answer: { .success(await MetadataDraws.shared($0, $1)) }),
    .oidcRemember: .inline(.boolean) { input, environment in
      .success(.bool(MetadataDraws.remember(input, environment)))
    },
    .oidcRedirect: .inline(AuthorizationResponse.schema) { input, _ in .success(AuthorizationResponse.value(of: input))
    },
    .oidcKeys: .inline(
      .object([
        "kid": .identifier, "jwks": .object(["keys": .array(OIDCPolicy.key)]), "mayFetch": .boolean,
      ]), take: TokenValidation.keys),
    .oidcBasic: .inline(.secret("authorization")) { input, _ in
      .success(
        .string(ClientAuthentication.basic(id: input["id"]?.string ?? "", secret: input["secret"]?.string ?? "")))
    },
    .tokensKeep: .inline(.own, take: StoredTokenDraws.keep),
    .tokensRead: .inline(StoredTokenDraws.schema, take: StoredTokenDraws.read),
    .tokensClear: .inline(.own, take: StoredTokenDraws.clear),
    .oidcValidate: .awaited(TokenValidation.schema, answer: TokenValidation.verdict),
    .tokensClaim: .awaited(StoredTokenDraws.schema, answer: StoredTokenDraws.claim),
    .tokensStore: .awaited(.own) { StoredTokenDraws.keep($0, $1) },
    .tokensRemove: .awaited(.own) { StoredTokenDraws.clear($0, $1) },
  ]

  /// Those that check an ID token, for flows of other kinds.
  package static let ofIDTokens: DrawDeclarations = declarations.filter {
    [.oidcKnown, .oidcRemember, .oidcKeys, .oidcValidate].contains($0.key)
  }
}
