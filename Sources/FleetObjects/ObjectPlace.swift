// Names of objects: `s3://BUCKET/PREFIX`, and the names under it.
package import EventStore

/// A place in a bucket, as a person names it.
package struct ObjectPlace: Sendable, Hashable {
  /// The prefix of the names of such places.
  static let scheme = "s3://"

  /// The bucket's name.
  let bucket: String
  /// The path of the place, without a slash at its end: `s3://BUCKET/PREFIX`.
  package let path: String

  /// True if a text names a place in a bucket, whether well-formed or not.
  package static func isOne(_ path: String) -> Bool { path.hasPrefix(scheme) }

  /// The place that a text names. Throws `invalid` if the bucket's name is not one, or the prefix has characters that
  /// not every storage and URL accepts unencoded.
  package init(_ given: String) throws(StoreError) {
    func fail(_ what: String, _ advice: String) -> StoreError {
      StoreError(.invalid, what, file: given, advice: advice)
    }
    guard Self.isOne(given) else {
      throw fail("this names no place in a bucket", "give s3://BUCKET/PREFIX")
    }
    var rest = given.dropFirst(Self.scheme.count)
    while rest.hasSuffix("/") { rest.removeLast() }
    let parts = rest.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let bucket = parts.first, Self.isBucket(bucket) else {
      throw fail(
        "this names no bucket",
        "give s3://BUCKET/PREFIX; a bucket has 3 to 63 lower-case letters, digits, dots and hyphens")
    }
    guard parts.dropFirst().allSatisfy(Self.isName) else {
      throw fail("the prefix has a part that is not taken", "use letters, digits, hyphens, dots and underscores")
    }
    self.bucket = bucket
    path = Self.scheme + parts.joined(separator: "/")
  }

  private static func isBucket(_ name: String) -> Bool {
    let isEdge = { (byte: UInt8) in (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) }
    guard (3...63).contains(name.utf8.count), let first = name.utf8.first, let last = name.utf8.last else {
      return false
    }
    return isEdge(first) && isEdge(last) && name.utf8.allSatisfy { isEdge($0) || $0 == 0x2D || $0 == 0x2E }
      && !name.contains("..")
  }

  private static func isName(_ part: String) -> Bool {
    !part.isEmpty && part != "." && part != ".." && part.utf8.allSatisfy(RequestSigner.isPlain)
  }

  /// The key of a path under this bucket; empty for the bucket itself. Nil if the path lies elsewhere.
  func key(of path: String) -> String? {
    let start = Self.scheme + bucket
    guard path.hasPrefix(start) else { return nil }
    let rest = path.dropFirst(start.count)
    if rest.isEmpty { return "" }
    return rest.first == "/" ? String(rest.dropFirst()) : nil
  }
}
