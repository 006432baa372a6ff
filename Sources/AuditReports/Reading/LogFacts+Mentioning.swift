// The facts of one person's flows, without parsing those of all others.

package import EventStore

extension LogFacts {
  /// Reads of some logs the flows in which a login may stand; the others are counted, and not parsed.
  ///
  /// - Parameters:
  ///   - logs: the logs, or recordings.
  ///   - user: the login; nil for all flows.
  /// - Returns: facts that say the same as those of all flows, to any filter by this login.
  /// - Throws: `StoreError` if one of them cannot be read. Cost: two passes over the records.
  package static func reading(_ logs: [some RecordReading], mentioning user: String?) throws(StoreError) -> LogFacts {
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
    return try reading(logs) { wanted[$0].contains($1) }
  }
}
