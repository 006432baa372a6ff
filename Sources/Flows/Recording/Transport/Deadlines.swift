// When requests must have ended. Kept here and not by libcurl, whose time-out starts anew after waiting for a free
// connection.

/// The deadlines of a transport's requests. All requests have the same time-out and are added in the order in which
/// they were posted, so that the first is always the next one due.
struct Deadlines {
  private var entries: [(id: UInt64, at: ContinuousClock.Instant)] = []
  private var start = 0

  /// Adds a request; its deadline is not before any added earlier.
  mutating func add(_ id: UInt64, at deadline: ContinuousClock.Instant) { entries.append((id, deadline)) }

  /// The next deadline of a request that is still under way; forgets those that are not.
  mutating func first(where isUnderWay: (UInt64) -> Bool) -> ContinuousClock.Instant? {
    while start < entries.count, !isUnderWay(entries[start].id) { start += 1 }
    if start == entries.count || start >= 1024 {
      entries.removeFirst(start)
      start = 0
    }
    return entries.count > start ? entries[start].at : nil
  }

  /// The request under way that was due first, if it was due before `now`.
  mutating func due(at now: ContinuousClock.Instant, where isUnderWay: (UInt64) -> Bool) -> UInt64? {
    guard let deadline = first(where: isUnderWay), deadline <= now else { return nil }
    return entries[start].id
  }
}
