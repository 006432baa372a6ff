// A short-lived cache of the keys that orgs sign with (spec/device.md §8.5).

import EventStore
import FlowRecording

/// Keys by issuer and `kid`. A key is kept for one hour, at most 32 are kept, and an unknown key is fetched at most
/// once every 30 s per issuer.
package final class OrgKeyCache: Sendable {
  private struct Entry {
    var issuer: String
    var kid: String
    var jwk: JSON
    var at: Timestamp
  }
  private struct Contents {
    var entries: [Entry] = []
    var misses: [String: Timestamp] = [:]
  }
  private let contents = Locked(Contents())
  private static let (age, pause, limit) = (Int64(3_600_000_000), Int64(30_000_000), 32)

  /// Creates an empty cache.
  package init() {}

  /// The value of the draw that looks a key up: the key, or whether it may be fetched.
  func value(of input: JSON, at now: Timestamp) -> JSON {
    let issuer = input["issuer"]?.string ?? ""
    let kid = input["kid"]?.string ?? ""
    return contents.withLock { contents in
      if let entry = contents.entries.last(where: { $0.issuer == issuer && $0.kid == kid }),
        (0...Self.age).contains(now.microseconds - entry.at.microseconds)
      {
        return ["jwk": entry.jwk, "mayFetch": true]
      }
      let last = contents.misses[issuer]
      let mayFetch = last.map { !(0..<Self.pause).contains(now.microseconds - $0.microseconds) } ?? true
      return ["mayFetch": .bool(mayFetch)]
    }
  }

  /// Stores an issuer's current keys. If the requested key is not among them, the next fetch is delayed.
  func keep(_ keys: [JSON], of issuer: String, lookingFor kid: String, at now: Timestamp) {
    contents.withLock { contents in
      contents.entries.removeAll { $0.issuer == issuer }
      // The requested key is kept no matter how many keys there are.
      let named = keys.compactMap { jwk in jwk["kid"]?.string.map { Entry(issuer: issuer, kid: $0, jwk: jwk, at: now) }
      }
      contents.entries += named.filter { $0.kid != kid } + named.filter { $0.kid == kid }.prefix(1)
      if contents.entries.count > Self.limit { contents.entries.removeFirst(contents.entries.count - Self.limit) }
      if contents.misses.count >= Self.limit {
        contents.misses = contents.misses.filter { (0..<Self.pause).contains(now.microseconds - $0.value.microseconds) }
      }
      contents.misses[issuer] = keys.contains { $0["kid"]?.string == kid } ? nil : now
    }
  }
}
