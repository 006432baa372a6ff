// Tokens that outlive the process (oidc §9.3).

import EventStore
public import FlowRecording

extension OktaAuthStateManager {
  /// Stores the tokens. A failure is recorded but not reported: use `writeToSecureStorageOrThrow()`.
  public func writeToSecureStorage() { try? writeToSecureStorageOrThrow() }

  /// Stores the tokens under their issuer and client id; from then on, renewals store their tokens.
  ///
  /// - Throws: `OktaError.storage`.
  public func writeToSecureStorageOrThrow() throws(OktaError) {
    let tokens = tokens
    _ = try client.begin().now(.store, [("stored", tokens.json), ("tokenId", .string(tokens.id))]).get()
    noteStorage(true)
  }

  /// Removes only these tokens from the store. A failure is recorded but not reported: use `removeFromSecureStorage()`.
  public func clear() { try? removeFromSecureStorage() }

  /// Removes only these tokens from the store. The manager keeps them. Neither a renewal in progress nor later ones
  /// store their tokens.
  ///
  /// - Throws: `OktaError.storage`: what could be removed is gone, and renewals store nothing in any case.
  public func removeFromSecureStorage() throws(OktaError) {
    let tokens = tokens
    defer { noteStorage(false) }
    _ = try client.begin()
      .now(
        .clear,
        [
          ("issuer", .string(tokens.issuer)), ("clientId", .string(tokens.clientID)), ("tokenId", .string(tokens.id)),
        ]
      ).get()
  }

  /// Notes whether the store holds the tokens; a renewal stores its tokens only if it does.
  func noteStorage(_ isStored: Bool) {
    state.withLock { state in
      state.autoPersist = isStored
      state.isStored = isStored
    }
  }

  /// Removes the tokens of all clients from the store, also those that are damaged or sealed under another key.
  ///
  /// - Parameter environment: names the store.
  /// - Throws: `OktaError.storage`.
  public static func clearAll(environment: FlowEnvironment = .current) throws(OktaError) {
    _ = try OIDCSession(settings: [:], environment: environment).now(.clearAll, []).get()
  }

  /// The stored tokens of a client.
  ///
  /// - Parameters:
  ///   - configuration: the client.
  ///   - environment: names the store; the manager works with it.
  /// - Returns: `nil` if there are none, or if they cannot be read: `readFromSecureStorageOrThrow(for:)` says why.
  public static func readFromSecureStorage(
    for configuration: OktaAuthConfig, environment: FlowEnvironment = .current
  ) -> OktaAuthStateManager? {
    (try? readFromSecureStorageOrThrow(for: configuration, environment: environment)) ?? nil
  }

  /// The stored tokens of a client.
  ///
  /// - Returns: `nil` if there are none.
  /// - Throws: `OktaError.storage`: a wrong key or damage is an error, never an empty store.
  public static func readFromSecureStorageOrThrow(
    for configuration: OktaAuthConfig, environment: FlowEnvironment = .current
  ) throws(OktaError) -> OktaAuthStateManager? {
    let client = OIDCClient(configuration, environment)
    let session = client.begin()
    let core = try session.now(.read, client.key).get()
    guard let stored = core.operation?.stored, let tokens = StoredTokens(json: session.flow.vault.reveal(stored)) else {
      return nil
    }
    return OktaAuthStateManager(tokens, client, autoPersist: true, isStored: true)
  }

  /// The tokens that versions before composite keys stored; they stay where they are.
  ///
  /// - Parameter environment: names the store; the manager works with it.
  /// - Returns: `nil` if there are none, or if they cannot be read.
  public static func readFromSecureStorage(environment: FlowEnvironment = .current) -> OktaAuthStateManager? {
    let session = OIDCSession(settings: [:], environment: environment)
    guard case .success(let core) = session.now(.read, [("legacy", true)]),
      let tokens = core.operation?.stored.flatMap({ StoredTokens(json: session.flow.vault.reveal($0)) })
    else { return nil }
    return OktaAuthStateManager(tokens, OIDCClient(of: tokens, environment), autoPersist: true)
  }

  /// The key that the tokens of a client are stored under.
  ///
  /// - Parameters:
  ///   - clientId: the client id.
  ///   - issuer: the issuer; without one the client id alone counts.
  public static func storageKey(clientId: String, issuer: String?) -> String {
    issuer.map { StorageKey(issuer: $0, clientID: clientId).text } ?? clientId
  }
}
