// Searches the data of records for bytes.

extension ArraySlice<UInt8> {
  /// The index after the first occurrence of some bytes; nil if there is none.
  func end(of wanted: [UInt8]) -> Int? {
    guard let first = wanted.first, count >= wanted.count else { return nil }
    var rest = self.dropLast(wanted.count - 1)
    while let index = rest.firstIndex(of: first) {
      if self[index...].starts(with: wanted) { return index + wanted.count }
      rest = rest[(index + 1)...]
    }
    return nil
  }
}
