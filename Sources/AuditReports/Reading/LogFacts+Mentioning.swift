// The facts of one person's flows, without parsing those of all others.

package import EventStore

extension LogFacts {
  /// Reads only the flows that may contain a login; the others are counted, but not parsed.
  ///
  /// - Parameters:
  ///   - logs: the logs, or recordings.
  ///   - user: the login; nil for all flows.
  ///   - withTokens: whether flows that used the tokens of these flows are read too.
  /// - Returns: facts that give the same results as those of all flows, for any filter by this login.
  /// - Throws: `StoreError` if one of them cannot be read. Cost: two passes over the records, four with tokens.
  package static func reading(
    _ logs: [some RecordReading], mentioning user: String?, withTokens: Bool = false
  ) throws(StoreError) -> LogFacts {
    guard let user else { return try reading(logs) }
    let mentions = Mentions(user)
    var wanted: [Set<ByteName>] = []
    for log in logs {
      var found: Set<ByteName> = []
      try log.forEach { record throws(StoreError) in
        if mentions.mayStand(in: record.data) { found.insert(ByteName(record.stream)) }
      }
      wanted.append(found)
    }
    let facts = try reading(logs) { wanted[$0].contains($1) }
    guard withTokens else { return facts }
    let ids = facts.flows.filter { $0.isOf(user: user) }.reduce(into: Set<String>()) { $0.formUnion($1.tokenIDs) }
    guard !ids.isEmpty else { return facts }
    for (store, log) in logs.enumerated() {
      var found: Set<ByteName> = []
      try log.forEach { record throws(StoreError) in
        guard record.type.hasPrefix(TokenLife.prefix), let data = try? JSON(parsing: record.data) else { return }
        if ids.contains(TokenFact(record, data).id(in: record.stream)) { found.insert(ByteName(record.stream)) }
      }
      wanted[store].formUnion(found)
    }
    return try reading(logs) { wanted[$0].contains($1) }
  }
}
