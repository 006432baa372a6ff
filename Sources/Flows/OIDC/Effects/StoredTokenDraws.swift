// The token store as draws: key and outcome are recorded, the tokens are secrets.

import EventStore
import FlowRecording

enum StoredTokenDraws {
  /// What of stored tokens may be written.
  static let schema: WireSchema = .object(["tokens": OIDCPolicy.storedTokens])

  /// `tokens.keep`, `tokens.store`: `tokens` in; `true` out, once they are safe from a crash.
  static func keep(_ input: JSON, _ environment: FlowEnvironment) -> Result<JSON, DrawFailure> {
    guard let tokens = input["tokens"].flatMap(StoredTokens.init(json:)) else {
      return .failure(DrawFailure(.failed, "there are no tokens to store"))
    }
    return answer { () throws(TokenStoreError) in
      try environment[TokenStoreSeam.self].write(tokens, for: key(input) ?? tokens.key)
      return true
    }
  }

  /// `tokens.read`: the key in, or `legacy`; `tokens` out, null if there are none.
  static func read(_ input: JSON, _ environment: FlowEnvironment) -> Result<JSON, DrawFailure> {
    answer { () throws(TokenStoreError) in
      if input["legacy"]?.bool == true {
        return ["tokens": try environment[TokenStoreSeam.self].read(.legacy)?.json ?? .null]
      }
      guard let issuer = input["issuer"]?.string, let client = input["clientId"]?.string else {
        return ["tokens": .null]
      }
      return ["tokens": try environment[TokenStoreSeam.self].tokens(issuer: issuer, clientID: client)?.json ?? .null]
    }
  }

  /// `tokens.clear`, `tokens.remove`: the key in, or `all`; how many entries there were out.
  static func clear(_ input: JSON, _ environment: FlowEnvironment) -> Result<JSON, DrawFailure> {
    let store = environment[TokenStoreSeam.self]
    return answer { () throws(TokenStoreError) in
      var count = 0
      if input["all"]?.bool == true {
        for key in try store.keys() where try store.remove(key) { count += 1 }
      } else if let issuer = input["issuer"]?.string, let client = input["clientId"]?.string {
        count = try store.removeTokens(issuer: issuer, clientID: client) ? 1 : 0
      }
      return .int(count)
    }
  }

  /// `tokens.claim`: the key and the tokens' `refreshToken` in. Waits for the lock of the stored tokens, which the lease of the
  /// call then holds, and reads them again: tokens that another process has got meanwhile out, null if there are none.
  @Sendable static func claim(_ input: JSON, _ environment: FlowEnvironment) async -> Result<JSON, DrawFailure> {
    guard let key = key(input) else {
      return .failure(DrawFailure(.failed, "stored tokens have an issuer and a client"))
    }
    let store = environment[TokenStoreSeam.self]
    do throws(TokenStoreError) {
      environment[TokenLeaseSeam.self].hold(try await store.lock(key))
      guard let stored = try store.read(key), stored.authorizationError == nil, stored.issued >= time(input["issued"]),
        stored.refreshToken != input["refreshToken"]?.string || stored.accessToken != input["accessToken"]?.string
      else { return .success(["tokens": .null]) }
      return .success(["tokens": stored.json])
    } catch {
      return .failure(DrawFailure(error))
    }
  }

  private static func time(_ json: JSON?) -> Int64 {
    guard case .number(let text) = json else { return 0 }
    return Int64(text) ?? 0
  }

  private static func key(_ input: JSON) -> StorageKey? {
    guard let issuer = input["issuer"]?.string, let client = input["clientId"]?.string else { return nil }
    return StorageKey(issuer: issuer, clientID: client)
  }

  private static func answer(_ act: () throws(TokenStoreError) -> JSON) -> Result<JSON, DrawFailure> {
    do throws(TokenStoreError) {
      return .success(try act())
    } catch {
      return .failure(DrawFailure(error))
    }
  }
}

extension DrawFailure {
  /// A store's error. Its path stays out of the log: it is the application's, and may name a person.
  init(_ error: TokenStoreError) {
    switch error {
    case .wrongKey: self.init(.invalidated, "wrongKey")
    case .damaged: self.init(.invalidated, "damaged")
    case .unknownVersion: self.init(.invalidated, "unknownVersion")
    case .unsafe(let reason): self.init(.failed, "unsafe: \(reason)")
    case .system(let reason, let number): self.init(.failed, "system \(number): \(reason)")
    case .unavailable(let reason): self.init(.missing, "unavailable: \(reason)")
    case .cancelled: self.init(DrawFailure.Reason.cancelled)
    }
  }
}
