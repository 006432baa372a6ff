// Which records may contain a login, judging by their bytes alone, so that most can be skipped without a parser.

import EventStore

/// Looks for a login in the data of records.
struct Mentions {
  /// The login in lower case; nil if it is not ASCII, because records may contain it in many forms.
  private let wanted: [UInt8]?
  /// The kelvin sign, whose lower case is `k`: the only non-ASCII character that becomes ASCII in lower case.
  private static let kelvin: [UInt8] = [0xE2, 0x84, 0xAA]

  init(_ login: String) {
    let bytes = Array(login.lowercased().utf8)
    wanted = bytes.isEmpty || bytes.contains { $0 >= 0x80 || $0 == 0x5C } ? nil : bytes
  }

  /// Returns false if no text in the data is the login, in any case. Escapes are not decoded: data with escapes may
  /// contain it. Cost: linear.
  func mayStand(in data: ArraySlice<UInt8>) -> Bool {
    guard let wanted else { return true }
    let data = data.span
    let first = wanted[0]
    for index in data.indices {
      let byte = data[index]
      if byte == 0x5C { return true }
      if byte == Self.kelvin[0], Self.isKelvin(data, at: index) { return true }
      guard Self.lowered(byte) == first, Self.stands(wanted, in: data, at: index) else { continue }
      return true
    }
    return false
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  private static func stands(_ wanted: [UInt8], in data: Span<UInt8>, at index: Int) -> Bool {
    guard wanted.count <= data.count - index else { return false }
    for offset in wanted.indices where lowered(data[index + offset]) != wanted[offset] { return false }
    return true
  }

  private static func isKelvin(_ data: Span<UInt8>, at index: Int) -> Bool {
    guard kelvin.count <= data.count - index else { return false }
    return kelvin.indices.allSatisfy { data[index + $0] == kelvin[$0] }
  }
}
