// Compares secrets without revealing by timing where they differ.

extension StringProtocol {
  /// Whether two texts have the same bytes. The time depends only on their lengths.
  package func isSameInConstantTime(as other: some StringProtocol) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return zip(utf8, other.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
