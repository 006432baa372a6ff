// The keys of stored tokens, and the migration of older entries, for the kind's tables.

import EventStore
import FlowRecording

/// The keys of stored tokens, and in-memory stores with their contents after each step.
enum StoreTrials {
  private static func tokens(_ id: String, of issuer: String, _ client: String, _ identity: String? = nil)
    -> StoredTokens
  {
    var tokens = StoredTokens(
      id: id, issuer: issuer, clientID: client, tokenType: "Bearer", accessToken: "access", issued: 5)
    tokens.idToken = identity
    return tokens
  }

  private static func names(_ store: MemoryTokenStore) -> [String] { ((try? store.keys()) ?? []).map(\.text) }

  // MARK: Keys

  /// One line per issuer and client: the key of their tokens.
  static var keys: Set<String> {
    let issuers = [
      "https://acme.example/oauth2/default", "https://acme.example/oauth2/default/", "https://acme.example/a//",
      "HTTPS://Acme.Example/OAuth2/Default", "https://acme.example:443/a", "https://acme.example:444/a",
      "https://acme.example:80/a", "http://acme.example:80", "http://acme.example:443/a", "HTTP://acme.example:80/",
      "https://acme.example:443", "https://acme.example:443/", "ftp://acme.example:443/", "acme.example/", "", "/",
      "://", "https://", "https://a_b.example/c%_d", "https://[::1]:443/X:443", "https://a.example?X=https://B",
    ]
    let clients = ["client", "Client/X", "a_b%c", "", "\u{e9}"]
    var lines = issuers.flatMap { issuer in
      clients.map { client in
        let key = StorageKey(issuer: issuer, clientID: client)
        return "\(issuer) \(client)|\(key)|\(OktaAuthStateManager.storageKey(clientId: client, issuer: issuer))"
      }
    }
    lines += issuers.map { "comparable \($0) \(StorageKey.comparable($0)) \(OktaAuthConfig.normalized($0))" }
    lines.append("no issuer \(OktaAuthStateManager.storageKey(clientId: "a_b", issuer: nil)) \(StorageKey.legacy)")
    lines.append("of tokens \(tokens("id", of: "https://A.example/", "c_1").key)")
    let values = ["issuer": "https://A.example:443/", "clientId": "c_1", "redirectUri": "a:/b", "scopes": "openid"]
    if let configuration = try? OktaAuthConfig(with: values) {
      lines.append("of a configuration \(StorageKey(configuration))")
    }
    // Compared by bytes, regardless of how the text is displayed.
    let texts = ["b", "a", "\u{e9}", "e\u{301}", "A", "", "a_", "a%", "aa"]
    let keys = texts.map { StorageKey(older: $0) }
    lines.append("sorted \(keys.sorted().map { key in Array(key.text.utf8) })")
    lines += keys.enumerated().map { number, key in "equal \(number) \(keys.map { $0 == key })" }
    let store = MemoryTokenStore()
    for key in keys { _ = try? store.write(tokens(key.text, of: "i", "c"), for: key) }
    lines.append("kept \(names(store).map { Array($0.utf8) })")
    return Set(lines)
  }

  // MARK: The store in memory

  /// One line per step of a store.
  static var stores: Set<String> {
    let store = MemoryTokenStore()
    let (one, two) = (StorageKey(issuer: "https://b.example", clientID: "c"), StorageKey(older: "a"))
    var lines: [String] = []
    func note(_ name: String) {
      let held = [one, two].map { (try? store.read($0))?.json.text ?? "none" }
      lines.append("\(lines.count) \(name) \(held) \(names(store))")
    }
    note("empty")
    _ = try? store.write(tokens("1", of: "https://b.example", "c"), for: one)
    note("one")
    _ = try? store.write(tokens("2", of: "https://a.example", "d"), for: two)
    note("two")
    _ = try? store.write(tokens("3", of: "https://b.example", "c"), for: one)
    note("replaced")
    note("another removed \((try? store.remove("2", for: one)) ?? false)")
    note("its own removed \((try? store.remove("3", for: one)) ?? false)")
    note("added \((try? store.add(tokens("4", of: "https://b.example", "c"), for: one)) ?? false)")
    note("added again \((try? store.add(tokens("5", of: "https://b.example", "c"), for: one)) ?? false)")
    note("removed \((try? store.remove(one)) ?? false)")
    note("removed again \((try? store.remove(one)) ?? false)")
    return Set(lines)
  }

  // MARK: Older versions

  private static func outcome(
    _ entries: [(String, StoredTokens)], _ issuer: String, _ client: String
  ) -> String {
    let (read, removed) = (MemoryTokenStore(), MemoryTokenStore())
    for (key, tokens) in entries {
      for store in [read, removed] { _ = try? store.write(tokens, for: StorageKey(older: key)) }
    }
    let found = try? read.tokens(issuer: issuer, clientID: client)
    let isRemoved = (try? removed.removeTokens(issuer: issuer, clientID: client)) ?? false
    return "\(found?.json.text ?? "none") \(names(read)) \(isRemoved) \(names(removed))"
  }

  /// One line per entry of an older version: what is read, what remains, and what is removed.
  static var migrations: Set<String> {
    let (issuer, client) = ("https://Acme.example/a_b", "c_1")
    let older = ["https://Acme.example/a_b/_c_1", "https://Acme.example/a_b_c_1", "c_1"]
    let now = StorageKey(issuer: issuer, clientID: client).text
    func identity(_ claims: JSON) -> String { TrialWorld.token(claims) }
    let kept = [
      tokens("same", of: issuer, client), tokens("equal", of: "https://acme.example:443/a_b/", client),
      tokens("other", of: "https://b.example", client), tokens("other client", of: issuer, "c_2"),
      tokens("none", of: "", client), tokens("none of other client", of: "", "c_2"),
      tokens("unreadable", of: "", client, "x"), tokens("broken", of: "", client, "a.b"),
      tokens("unnamed", of: "", client, identity([:])), tokens("wrong", of: "", client, identity(["iss": 5])),
      tokens("named", of: "", client, identity(["iss": "HTTPS://acme.example:443/a_b/"])),
      tokens("named other", of: "", client, identity(["iss": "https://acme.example/A_B"])),
    ]
    var lines: [String] = []
    for tokens in kept {
      for (number, key) in (older + [now]).enumerated() {
        lines.append("\(tokens.id) \(number) \(outcome([(key, tokens)], issuer, client))")
      }
    }
    let all = (older + [now]).enumerated().map { ($1, tokens("\($0)", of: issuer, client)) }
    for count in 0...all.count {
      lines.append("first \(count) \(outcome(Array(all.prefix(count)), issuer + "/", client))")
    }
    let bare = [("c", tokens("bare", of: "", "c")), ("_c", tokens("new", of: "", "c"))]
    for count in 0...bare.count { lines.append("bare \(count) \(outcome(Array(bare.prefix(count)), "", "c"))") }
    for error in FailingStore.errors {
      let store = FailingStore(error: error)
      let text: String
      do throws(TokenStoreError) {
        let found = try store.tokens(issuer: issuer, clientID: client)
        let isRemoved = try store.removeTokens(issuer: issuer, clientID: client)
        text = "\(found?.id ?? "none") \(isRemoved)"
      } catch {
        text = "\(DrawFailure(error).detail ?? "-") \(error.errorDescription ?? "-")"
      }
      lines.append("failing \(text)")
    }
    return Set(lines)
  }
}
