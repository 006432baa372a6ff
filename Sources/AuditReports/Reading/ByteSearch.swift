// Looks for bytes in the data of records.

extension ArraySlice<UInt8> {
  /// The index behind the first place of some bytes; nil if they are not there.
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
