// The results of draws that store tokens, and the order in which callers obtain the lock for stored tokens, for the
// kind's tables.

import EventStore
import FlowRecording

/// Draws of the store, locks, and leases.
enum StoreDrawTrials {
  private static let kept: [(String, JSON?)] = [
    ("id", "id-1"), ("issuer", "https://a.example"), ("clientId", "c"), ("accessToken", "access"),
    ("refreshToken", "refresh"), ("issued", 1_000),
  ]
  private static let key: [(String, JSON?)] = [("issuer", "https://a.example"), ("clientId", "c")]

  /// A store with tokens under their key and under the key of the oldest versions.
  private static func filled() -> MemoryTokenStore {
    let store = MemoryTokenStore()
    let keys = [StorageKey(issuer: "https://a.example", clientID: "c"), StorageKey.legacy]
    for (key, id) in zip(keys, ["id-1", "id-2"]) {
      guard var tokens = StoredTokens(json: .members(kept)) else { continue }
      tokens.id = id
      _ = try? store.write(tokens, for: key)
    }
    return store
  }

  private static func keyed(_ more: [(String, JSON?)]) -> JSON { .members(key + more) }

  private static func names(_ store: any TokenStore) -> [String] { ((try? store.keys()) ?? []).map(\.text) }

  /// One line per input of a draw: its result, and the contents of the store afterward.
  static var draws: Set<String> {
    let tokens = JSON.members(kept)
    let keeps: [JSON] = [
      keyed([("tokens", tokens)]), ["tokens": tokens], [:], ["tokens": ["id": "x"]],
      ["tokens": tokens, "issuer": "https://b.example", "clientId": "d"],
      ["tokens": tokens, "issuer": "https://b.example"], ["tokens": tokens, "clientId": "d"],
    ]
    let reads: [JSON] = [
      keyed([]), [:], ["issuer": "https://a.example"], ["clientId": "c"], ["legacy": true], ["legacy": false],
      keyed([("legacy", true)]), ["issuer": "https://A.example:443/", "clientId": "c"],
      ["issuer": "https://b.example", "clientId": "c"],
    ]
    let clears: [JSON] = reads + [["all": true], keyed([("all", true)]), keyed([("all", 1)])]
    var lines: [String] = []
    func note(_ name: String, _ inputs: [JSON], _ draw: (JSON, FlowEnvironment) -> Result<JSON, DrawFailure>) {
      for (number, input) in inputs.enumerated() {
        let store = filled()
        let result = TrialWorld.text(draw(input, TrialWorld.environment(store: store)))
        lines.append("\(name) \(number) \(result) \(names(store))")
      }
      for (number, error) in FailingStore.errors.enumerated() {
        let environment = TrialWorld.environment(store: FailingStore(error: error))
        let results = inputs.map { TrialWorld.text(draw($0, environment)) }
        lines.append("\(name) failing \(number) \(results)")
      }
    }
    note("keep", keeps) { StoredTokenDraws.keep($0, $1) }
    note("read", reads) { StoredTokenDraws.read($0, $1) }
    note("clear", clears) { StoredTokenDraws.clear($0, $1) }
    return Set(lines + claims)
  }

  /// Claims made before tokens are renewed.
  private static var claims: [String] {
    let own: [(String, JSON?)] = key + [("refreshToken", "refresh"), ("accessToken", "access"), ("issued", 1_000)]
    let changes: [[(String, JSON?)]] = [
      [], [("issuer", nil)], [("clientId", nil)], [("clientId", "d")], [("refreshToken", "older")],
      [("refreshToken", nil)], [("accessToken", "older")], [("accessToken", nil)],
      [("accessToken", "older"), ("issued", 999)], [("accessToken", "older"), ("issued", 1_001)],
      [("accessToken", "older"), ("issued", "1001")], [("accessToken", "older"), ("issued", nil)],
      [("accessToken", "older"), ("issued", .number("1.5"))],
    ]
    let inputs = changes.map { CoreTrials.with($0, in: own) }
    var lines = inputs.enumerated().map { number, input in
      let environment = TrialWorld.environment(store: filled())
      let result = TrialWorld.value { await StoredTokenDraws.claim(input, environment) }
      return "claim \(number) \(TrialWorld.text(result))"
    }
    let changed = JSON.members(own.filter { $0.0 != "accessToken" })
    if var ended = StoredTokens(json: .members(kept)) {
      ended.authorizationError = "invalid_grant"
      let store = MemoryTokenStore()
      _ = try? store.write(ended, for: ended.key)
      let environment = TrialWorld.environment(store: store)
      let result = TrialWorld.value { await StoredTokenDraws.claim(changed, environment) }
      lines.append("claim ended \(TrialWorld.text(result))")
    }
    // If stored tokens are gone, they were removed, and a renewal does not restore them. Tokens that were never stored
    // become a new entry.
    for isKept in [true, false] {
      let store = MemoryTokenStore()
      let environment = TrialWorld.environment(store: store)
      let input = CoreTrials.with([("kept", isKept ? true : nil)], in: own)
      let result = TrialWorld.value { await StoredTokenDraws.claim(input, environment) }
      let kept = TrialWorld.text(StoredTokenDraws.keep(keyed([("tokens", JSON.members(Self.kept))]), environment))
      lines.append("claim of none, kept \(isKept) \(TrialWorld.text(result)) \(kept) \(names(store))")
      environment[TokenLeaseSeam.self].end()
    }
    for (number, error) in FailingStore.errors.enumerated() {
      let environment = TrialWorld.environment(store: FailingStore(error: error))
      let result = TrialWorld.value { await StoredTokenDraws.claim(changed, environment) }
      lines.append("claim failing \(number) \(TrialWorld.text(result))")
    }
    return lines
  }

  // MARK: Locks

  /// One line per step of callers that wait for locks.
  static var locks: Set<String> { Set(turns + leases) }

  private static var turns: [String] {
    let store = filled()
    let environment = TrialWorld.environment(store: store)
    let tasks = PlayedTasks()
    let (heard, locks) = (Locked<[String]>([]), Locked<[Int: TokenStoreLock]>([:]))
    let (one, two) = (StorageKey(issuer: "https://a.example", clientID: "c"), StorageKey(older: "two"))
    func wait(_ number: Int, _ key: StorageKey) {
      tasks.run(number) {
        do throws(TokenStoreError) {
          let lock = try await store.lock(key)
          locks.withLock { $0[number] = lock }
          heard.withLock { $0.append("\(number) has it") }
        } catch {
          heard.withLock { $0.append("\(number) \(DrawFailure(error).reason.rawValue)") }
        }
      }
    }
    var lines: [String] = []
    func note(_ name: String) {
      tasks.runReady()
      lines.append("turn \(lines.count) \(name) \(heard.withLock { $0 })")
    }
    func release(_ number: Int) { locks.withLock { $0.removeValue(forKey: number) }?.release() }
    for number in 1...5 { wait(number, one) }
    wait(6, two)
    note("two keys")
    _ = tasks.cancel(3)
    note("the third gives up")
    for number in [1, 6, 2, 4] {
      release(number)
      note("\(number) lets go")
    }
    wait(7, one)
    _ = tasks.cancel(7)
    note("one that was given up before")
    release(5)
    wait(8, one)
    note("free again")
    release(8)
    // A claim holds the lock until its call is over.
    tasks.run(9) {
      let input: JSON = ["issuer": "https://a.example", "clientId": "c"]
      let result = await StoredTokenDraws.claim(input, environment)
      heard.withLock { $0.append("9 \(TrialWorld.text(result))") }
    }
    note("claimed")
    wait(10, one)
    note("the lease has it")
    environment[TokenLeaseSeam.self].end()
    note("the lease has ended")
    release(10)
    tasks.run(11) {
      let said = try? await store.withLock(one) { "inside" }
      heard.withLock { $0.append("11 \(said ?? "nothing")") }
    }
    wait(12, one)
    note("a step alone")
    release(12)
    return lines
  }

  private static var leases: [String] {
    let heard = Locked<[String]>([])
    func lock(_ name: String) -> TokenStoreLock { TokenStoreLock { heard.withLock { $0.append(name) } } }
    var lines: [String] = []
    func note() { lines.append("lease \(lines.count) \(heard.withLock { $0 })") }
    let lease = TokenLease()
    lease.hold(lock("a"))
    lease.hold(lock("b"))
    note()
    lease.end()
    note()
    lease.hold(lock("c"))
    note()
    lease.end()
    note()
    let twice = lock("d")
    twice.release()
    twice.release()
    note()
    _ = lock("e")
    note()
    return lines
  }
}
