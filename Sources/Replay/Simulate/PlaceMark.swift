// The marks in made-up secrets, by which an org that answers as recorded recognizes its clients.

import FlowRecording

/// The mark of a client's place: letters and digits that replace as many in each secret made up for that client.
struct PlaceMark: Sendable, Hashable {
  /// How many marks there are: as many as three digits of base 36 can express.
  static let count = 46_656
  /// The length of every mark.
  private static let length = 12
  private static let start = UInt8(ascii: "q")
  /// Searched at most, in bytes.
  private static let mostBytes = 1 << 20

  /// The number of the place, below `count`.
  let number: Int

  /// The mark of a place; numbers from `count` on start again at 0.
  init(_ number: Int) { self.number = abs(number % Self.count) }

  /// A letter, the number, and digits that follow from the number, so that no other text is mistaken for a mark.
  var text: String {
    "q" + Self.digits(UInt64(number), 3) + Self.digits(StableHash.value("place.\(number)"), Self.length - 4)
  }

  private static func digits(_ value: UInt64, _ count: Int) -> String {
    let digits = String(value, radix: 36)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + String(digits.suffix(count))
  }

  /// The marks in a text, in order, in lowercase or uppercase letters.
  static func all(in text: some Collection<UInt8>) -> [PlaceMark] {
    let bytes = Array(text.prefix(mostBytes))
    var found: [PlaceMark] = []
    for index in bytes.indices where bytes[index] | 0x20 == start && index + length <= bytes.count {
      let word = String(decoding: bytes[index..<(index + length)], as: UTF8.self).lowercased()
      guard let number = Int(word.dropFirst().prefix(3), radix: 36), (0..<count).contains(number) else { continue }
      let mark = PlaceMark(number)
      if mark.text == word { found.append(mark) }
    }
    return found
  }
}
