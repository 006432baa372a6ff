// A cache of the keys of authorization servers (oidc §8.2).

package import EventStore
import FlowRecording

/// The seam for the key cache.
package enum KeyCacheSeam: FlowSeam {
  private static let process = KeyCache()
  /// The cache of this process.
  package static var live: KeyCache { process }
}

/// Key sets by issuer, as long as the server allows, at most a day. For an unknown `kid`, the set is fetched again, at
/// most once in 30 s for each issuer.
package final class KeyCache: Sendable {
  private struct Entry {
    var keys: KeySet
    var at: Timestamp
    var age: Int64
    var forced: Timestamp?
  }
  private let entries = Locked<[String: Entry]>([:])
  private static let (pause, usual, longest, limit) = (Int64(30_000_000), 3_600, 86_400, 32)

  /// An empty cache.
  package init() {}

  /// The value of the draw that looks keys up.
  ///
  /// - Parameters:
  ///   - input: `issuer`, and `kid` if the token names one.
  ///   - now: the time.
  /// - Returns: `jwks` if the known set must be used, with or without the key; otherwise `mayFetch`, true if it may be
  ///   fetched. A set without the key is returned as long as it may not be fetched again.
  package func value(of input: JSON, at now: Timestamp) -> JSON {
    let issuer = input["issuer"]?.string ?? ""
    let kid = input["kid"]?.string
    return entries.withLock { entries in
      guard var entry = entries[issuer], Self.isWithin(entry.age, from: entry.at, to: now) else {
        return ["mayFetch": true]
      }
      guard !entry.keys.holds(kid) else { return ["jwks": entry.keys.json, "mayFetch": false] }
      guard entry.forced.map({ !Self.isWithin(Self.pause, from: $0, to: now) }) ?? true else {
        return ["jwks": entry.keys.json, "mayFetch": false]
      }
      entry.forced = now
      entries[issuer] = entry
      return ["mayFetch": true]
    }
  }

  /// Keeps a set that was fetched.
  ///
  /// - Parameters:
  ///   - document: the set, as the server sent it; a document that is not a key set is not kept.
  ///   - issuer: the owner of the keys.
  ///   - maxAge: the validity of the set in seconds, by `Cache-Control`; nil if the server specifies none, which means
  ///     an hour.
  ///   - now: the time.
  package func keep(_ document: JSON, of issuer: String, maxAge: Int?, at now: Timestamp) {
    guard let keys = KeySet(document) else { return }
    let seconds = min(max(maxAge ?? Self.usual, 0), Self.longest)
    entries.withLock { entries in
      let forced = entries[issuer]?.forced
      if entries[issuer] == nil, entries.count >= Self.limit,
        let oldest = entries.min(by: { $0.value.at < $1.value.at })
      {
        entries[oldest.key] = nil
      }
      entries[issuer] = Entry(keys: keys, at: now, age: Int64(seconds) * 1_000_000, forced: forced)
    }
  }

  /// Whether a time is in the span that begins at another; a clock that went back ends the span.
  private static func isWithin(_ span: Int64, from start: Timestamp, to now: Timestamp) -> Bool {
    let (passed, overflowed) = now.microseconds.subtractingReportingOverflow(start.microseconds)
    return !overflowed && passed >= 0 && passed < span
  }
}
