// Safe access to lists of a response by position.

extension Array {
  /// The element at a position, or `nil` if there is none.
  func at(_ index: some BinaryInteger) -> Element? {
    guard let index = Int(exactly: index), indices.contains(index) else { return nil }
    return self[index]
  }
}
