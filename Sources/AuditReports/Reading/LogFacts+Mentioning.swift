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
    var streams: [Sighting] = []
    for log in logs { streams.append(try Sighting(of: user, in: log)) }
    return try reading(logs) { streams[$0].isWanted($1) }
  }
}

/// The streams of a log, and which of them may have a login.
private struct Sighting {
  private var wanted: Set<ByteName> = []

  /// Looks through a log.
  init(of user: String, in log: some RecordReading) throws(StoreError) {
    let mentions = Mentions(user)
    var found: Set<ByteName> = []
    try log.forEach { record throws(StoreError) in
      guard mentions.mayStand(in: record.data) else { return }
      found.insert(ByteName(record.stream))
    }
    wanted = found
  }

  func isWanted(_ stream: ByteName) -> Bool { wanted.contains(stream) }
}
