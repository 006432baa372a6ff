// The keys of one issuer over time: one signs, the one before it may still be published.

/// Two RSA keys that take turns; each turn has its own `kid`.
struct SigningKeys {
  private let name: String
  private let pair: [SigningKey]
  /// How often the keys were rotated.
  private var turn = 0
  /// Whether the key before this one is still in the key set.
  private var publishesPrevious = false

  /// Keys of the org (`nil`), or of the custom authorization server with this id.
  init(server: String?) {
    name = server.map { "sim-\($0)-rs256" } ?? "sim-org-rs256"
    pair =
      server == nil
      ? [TestRSAKey.organizationFirst, TestRSAKey.organizationSecond]
      : [TestRSAKey.serverFirst, TestRSAKey.serverSecond]
  }

  private func id(_ turn: Int) -> String { "\(name)-\(turn + 1)" }

  /// The key that signs now.
  var current: (id: String, key: SigningKey) { (id(turn), pair[turn % 2]) }

  /// The key that does not sign now, under no id: a signature by it is never right.
  var other: SigningKey { pair[(turn + 1) % 2] }

  /// The members of `keys`.
  var published: [OrgJSON] {
    var keys = [pair[turn % 2].webKey(id: id(turn))]
    if publishesPrevious, turn > 0 { keys.append(pair[(turn - 1) % 2].webKey(id: id(turn - 1))) }
    return keys
  }

  /// Signs with the next key from now on.
  ///
  /// - Parameter keepingPrevious: Whether the key set still holds the key that signed until now.
  mutating func rotate(keepingPrevious: Bool) {
    turn += 1
    publishesPrevious = keepingPrevious
  }
}
