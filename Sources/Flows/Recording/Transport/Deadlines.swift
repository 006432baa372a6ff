// Deadlines of requests. libcurl's own timeout is not used, because it restarts after waiting for a free connection.

/// The deadlines of a transport's requests. All requests have the same timeout and are added in the order in which they
/// were posted, so the first one is always the next to expire.
struct Deadlines {
  private var entries: [(id: UInt64, at: ContinuousClock.Instant)] = []
  private var start = 0

  /// Adds a request, whose deadline must not be before those added earlier.
  mutating func add(_ id: UInt64, at deadline: ContinuousClock.Instant) { entries.append((id, deadline)) }

  /// Returns the next deadline of a request in progress, and removes requests that have ended.
  mutating func first(where isUnderWay: (UInt64) -> Bool) -> ContinuousClock.Instant? {
    while start < entries.count, !isUnderWay(entries[start].id) { start += 1 }
    if start == entries.count || start >= 1024 {
      entries.removeFirst(start)
      start = 0
    }
    return entries.count > start ? entries[start].at : nil
  }

  /// Returns the first request in progress whose deadline was before `now`.
  mutating func due(at now: ContinuousClock.Instant, where isUnderWay: (UInt64) -> Bool) -> UInt64? {
    guard let deadline = first(where: isUnderWay), deadline <= now else { return nil }
    return entries[start].id
  }
}
