// Compares secrets without saying by its time where they differ.

extension StringProtocol {
  /// Whether two texts have the same bytes. The time depends on their lengths alone.
  package func isSameInConstantTime(as other: some StringProtocol) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return zip(utf8, other.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
