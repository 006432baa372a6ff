// What a renewal may replace in the store if others remove or store tokens while it is under way, and what is recorded
// of a store's reasons, for the kind's tables.

import EventStore
import FlowRecording

/// A store with only the required parts.
private final class LeastStore: TokenStore {
  private let memory = MemoryTokenStore()

  func read(_ key: StorageKey) throws(TokenStoreError) -> StoredTokens? { try memory.read(key) }
  func write(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) { try memory.write(tokens, for: key) }
  func remove(_ key: StorageKey) throws(TokenStoreError) -> Bool { try memory.remove(key) }
  func keys() throws(TokenStoreError) -> [StorageKey] { try memory.keys() }
  func lock(_ key: StorageKey) async throws(TokenStoreError) -> TokenStoreLock { try await memory.lock(key) }
}

/// Claims of renewals, and the contents of the store after each of them.
enum RenewalClaimTrials {
  private typealias Meddling = (name: String, act: @Sendable (any TokenStore) -> Void)

  private static let key = StorageKey(issuer: "https://a.example", clientID: "c")
  private static let names: [(String, JSON?)] = [("issuer", "https://a.example"), ("clientId", "c")]

  /// The tokens with an ID.
  private static func tokens(_ id: String) -> StoredTokens {
    StoredTokens(
      id: id, issuer: "https://a.example", clientID: "c", tokenType: "Bearer", accessToken: "access of \(id)",
      issued: 1_000)
  }

  private static func keyed(_ more: [(String, JSON?)] = []) -> JSON { .members(names + more) }

  private static func clear(_ input: JSON, _ store: any TokenStore) {
    _ = StoredTokenDraws.clear(input, TrialWorld.environment(store: store))
  }

  /// What others do between a claim and its end.
  private static let meddlings: [Meddling] = [
    ("nothing", { _ in }), ("clear", { clear(keyed(), $0) }),
    ("clear another", { clear(["issuer": "https://a.example", "clientId": "d"], $0) }),
    ("clear all", { clear(["all": true], $0) }), ("clear elsewhere", { _ in clear(["all": true], MemoryTokenStore()) }),
    ("remove", { _ = try? $0.remove(key) }), ("sign in", { _ = try? $0.write(tokens("id-4"), for: key) }),
    ("write the same", { _ = try? $0.write(tokens("id-1"), for: key) }),
    (
      "clear and sign in",
      {
        clear(keyed(), $0)
        _ = try? $0.write(tokens("id-4"), for: key)
      }
    ),
    (
      "clear and write the same",
      {
        clear(keyed(), $0)
        _ = try? $0.write(tokens("id-1"), for: key)
      }
    ),
  ]

  private static func shown(_ store: any TokenStore) -> [String] {
    let keys = (try? store.keys()) ?? []
    return keys.map { key in
      let found = try? store.read(key)
      return "\(key.text) \(found?.id ?? "-") \(found?.accessToken ?? "-")"
    }
  }

  /// One line per store, contents, interference, and ID of the renewed tokens.
  static var claims: Set<String> {
    var lines: [String] = []
    for isWhole in [true, false] {
      for isKept in [true, false] {
        for before in [nil, "id-1", "id-2"] as [String?] {
          for (name, meddle) in meddlings {
            for id in ["id-1", "id-3"] {
              let said = end(of: id, before, isWhole: isWhole, isKept: isKept, meddle)
              lines.append("\(isWhole) \(isKept) \(before ?? "-") \(name) \(id) \(said)")
            }
          }
        }
      }
    }
    return Set(lines)
  }

  private static func end(
    of id: String, _ before: String?, isWhole: Bool, isKept: Bool, _ meddle: @Sendable (any TokenStore) -> Void
  ) -> String {
    var store: any TokenStore = MemoryTokenStore()
    if !isWhole { store = LeastStore() }
    if let before { _ = try? store.write(tokens(before), for: key) }
    let environment = TrialWorld.environment(store: store)
    let claim = keyed([("kept", isKept ? true : nil), ("refreshToken", "refresh")])
    let claimed = TrialWorld.value { await StoredTokenDraws.claim(claim, environment) }
    meddle(store)
    let renewed = keyed([("tokens", tokens(id).json)])
    let first = TrialWorld.text(StoredTokenDraws.keep(renewed, environment))
    let contents = shown(store)
    // A claim is only for its key.
    let other: JSON = ["issuer": "https://a.example", "clientId": "d", "tokens": tokens(id).json]
    let another = TrialWorld.text(StoredTokenDraws.keep(other, environment))
    environment[TokenLeaseSeam.self].end()
    let late = TrialWorld.text(StoredTokenDraws.keep(renewed, environment))
    return "\(TrialWorld.text(claimed)) \(first) \(contents) \(another) \(late) \(shown(store))"
  }

  /// One line per reason: what is recorded of it, without paths.
  static var reasons: Set<String> {
    let reasons = [
      "", "why", "a  b", "/p", "open on /home/ann/my tokens/a: it is closed", "/p, and more", "in /a b/c; then",
      "at /p.", "Input/output error", "read on /p: Input/output error", "one a/b and c/d end", " /p ", "/p: ", "x/",
      "Input/output error on /p,",
    ]
    return Set(
      reasons.flatMap { reason -> [String] in
        let errors: [TokenStoreError] = [
          .unsafe(reason: reason), .system(reason: reason, number: 5), .unavailable(reason: reason),
        ]
        return errors.map { "\(reason) \(TrialWorld.text(.failure(DrawFailure($0))))" }
      })
  }
}
