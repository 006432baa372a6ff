// The token store as draws: key and outcome are recorded, the tokens are secrets.

import EventStore
import FlowRecording

enum StoredTokenDraws {
  /// What a renewal knows about the tokens to be replaced.
  private struct Claim {
    /// What the renewal may replace.
    enum Entry {
      /// There are no tokens, and nothing has removed any: a first entry may be stored.
      case empty
      /// There are tokens with this id: no others may be replaced.
      case id(String)
      /// There were tokens, but they were removed before the renewal obtained their lock.
      case removed
    }
    let store: any TokenStore
    let key: StorageKey
    var entry: Entry

    func isOf(_ store: any TokenStore) -> Bool { (self.store as AnyObject) === (store as AnyObject) }
  }
  /// The claims of renewals in progress, by the lease that holds the lock.
  private static let claims = Locked<[ObjectIdentifier: Claim]>([:])

  /// By how many microseconds tokens may appear older than those they replaced: the server's clock is known by `Date`,
  /// which has whole seconds.
  private static let coarseness: Int64 = 2_000_000

  /// Which parts of stored tokens may be written.
  static let schema: WireSchema = .object(["tokens": OIDCPolicy.storedTokens])

  /// `tokens.keep`, `tokens.store`: `tokens` in; `true` out, once they are safe from a crash. Renewed tokens are not
  /// stored if those before them were removed meanwhile, or replaced by those of another sign-in.
  static func keep(_ input: JSON, _ environment: FlowEnvironment) -> Result<JSON, DrawFailure> {
    guard let tokens = input["tokens"].flatMap(StoredTokens.init(json:)) else {
      return .failure(DrawFailure(.failed, "there are no tokens to store"))
    }
    let key = key(input) ?? tokens.key
    let lease = environment[TokenLeaseSeam.self]
    let claim = Self.claims.withLock { $0[ObjectIdentifier(lease)] }.flatMap { $0.key == key ? $0 : nil }
    do throws(TokenStoreError) {
      let store = environment[TokenStoreSeam.self]
      switch claim?.entry {
      case nil:
        try store.write(tokens, for: key)
        return .success(true)
      // Another sign-in may have stored its own tokens in the meantime, which are kept.
      case .empty?:
        if try store.add(tokens, for: key) { return .success(true) }
        if try store.replace(tokens.id, with: tokens, for: key) { return .success(true) }
      case .id(let id)?: if try store.replace(id, with: tokens, for: key) { return .success(true) }
      case .removed?: if try store.replace(tokens.id, with: tokens, for: key) { return .success(true) }
      }
      return .failure(DrawFailure(.cancelled, "the stored tokens were removed or replaced during the renewal"))
    } catch {
      return .failure(DrawFailure(error))
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

  /// `tokens.clear`, `tokens.remove`: the key in, or `all`; out, the number of removed entries.
  static func clear(_ input: JSON, _ environment: FlowEnvironment) -> Result<JSON, DrawFailure> {
    let store = environment[TokenStoreSeam.self]
    return answer { () throws(TokenStoreError) in
      var count = 0
      if input["all"]?.bool == true {
        // Also if it fails, because entries may have been removed.
        defer { noteRemoval(of: nil, from: store) }
        count = try store.removeAll()
      } else if let issuer = input["issuer"]?.string, let client = input["clientId"]?.string {
        defer { noteRemoval(of: StorageKey(issuer: issuer, clientID: client), from: store) }
        count = try store.removeTokens(issuer: issuer, clientID: client) ? 1 : 0
      }
      return .int(count)
    }
  }

  /// Notifies renewals that wait for the lock and have not yet seen the tokens that they are gone.
  private static func noteRemoval(of key: StorageKey?, from store: any TokenStore) {
    Self.claims.withLock { claims in
      for (lease, claim) in claims where (key == nil || claim.key == key) && claim.isOf(store) {
        if case .empty = claim.entry { claims[lease]?.entry = .removed }
      }
    }
  }

  /// `tokens.claim`: the key and the tokens' `refreshToken` in. Waits for the lock of the stored tokens, which the
  /// lease of the call then holds, and reads them again: tokens that another process has got meanwhile out, null if
  /// there are none. `kept` says that the store did hold tokens: if none are there, they were removed, by whatever
  /// process, and stay so.
  @Sendable static func claim(_ input: JSON, _ environment: FlowEnvironment) async -> Result<JSON, DrawFailure> {
    guard let key = key(input) else {
      return .failure(DrawFailure(.failed, "stored tokens have an issuer and a client"))
    }
    let store = environment[TokenStoreSeam.self]
    let lease = environment[TokenLeaseSeam.self]
    let id = ObjectIdentifier(lease)
    let entry: Claim.Entry = input["kept"]?.bool == true ? .removed : .empty
    Self.claims.withLock { $0[id] = Claim(store: store, key: key, entry: entry) }
    do throws(TokenStoreError) {
      // The claim ends with the lock.
      let lock: TokenStoreLock
      do throws(TokenStoreError) { lock = try await store.lock(key) } catch {
        Self.claims.withLock { _ = $0.removeValue(forKey: id) }
        throw error
      }
      lease.hold(
        TokenStoreLock {
          Self.claims.withLock { _ = $0.removeValue(forKey: id) }
          lock.release()
        })
      let found = try store.read(key)
      if let found { Self.claims.withLock { $0[id]?.entry = .id(found.id) } }
      guard var stored = found, stored.authorizationError == nil,
        stored.issued >= time(input["issued"]).subtractingReportingOverflow(coarseness).partialValue,
        stored.refreshToken != input["refreshToken"]?.string || stored.accessToken != input["accessToken"]?.string
      else { return .success(["tokens": .null]) }
      // What has ended meanwhile is of no use: with the access token of the caller, the refresh token alone counts.
      let now = environment.clock.now().microseconds.addingReportingOverflow(stored.clockSkew ?? 0).partialValue
      if let end = stored.expiry, end <= now, let own = input["accessToken"]?.string { stored.accessToken = own }
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
  /// Converts a store's error. The path is not recorded: the application chose it, and it may name a person.
  init(_ error: TokenStoreError) {
    switch error {
    case .wrongKey: self.init(.invalidated, "wrongKey")
    case .damaged: self.init(.invalidated, "damaged")
    case .unknownVersion: self.init(.invalidated, "unknownVersion")
    case .unsafe(let reason): self.init(.failed, "unsafe: \(Self.withoutPath(reason))")
    case .system(let reason, let number): self.init(.failed, "system \(number): \(Self.withoutPath(reason))")
    case .unavailable(let reason): self.init(.missing, "unavailable: \(Self.withoutPath(reason))")
    case .cancelled: self.init(DrawFailure.Reason.cancelled)
    }
  }

  /// A reason with «the token store» in place of its path: of all from the first word with a slash to the last one, as
  /// folders may have spaces in their names. What stands behind the path, as a comma, stays.
  private static func withoutPath(_ reason: String) -> String {
    let words = reason.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    // The system's text «Input/output error» contains a slash.
    func isPath(_ word: String) -> Bool { word.contains("/") && word != "Input/output" }
    guard let first = words.firstIndex(where: isPath), let last = words.lastIndex(where: isPath) else { return reason }
    var shown = Array(words[..<first])
    let mark = words[last].last.flatMap { ",:;".contains($0) ? String($0) : nil }
    shown.append("the token store" + (mark ?? ""))
    shown += words[(last + 1)...]
    return shown.joined(separator: " ")
  }
}
