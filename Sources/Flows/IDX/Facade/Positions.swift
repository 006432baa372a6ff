// Positions in lists of a response, which a caller may get wrong.

extension Array {
  /// The element at a position, or `nil` if there is none.
  func at(_ index: some BinaryInteger) -> Element? {
    guard let index = Int(exactly: index), indices.contains(index) else { return nil }
    return self[index]
  }
}
