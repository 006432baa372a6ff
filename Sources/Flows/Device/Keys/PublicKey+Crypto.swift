import Crypto

extension PublicKey {
  /// Creates a key from the point of a P-256 key, without its leading 4 (SEC 1 §2.3.3).
  init(_ key: P256.Signing.PublicKey) {
    let point = Array(key.rawRepresentation)
    self.init(x: Array(point.prefix(32)), y: Array(point.dropFirst(32)))
  }
}
