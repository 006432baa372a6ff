// Which records may have a login in them, by their bytes alone: most need no parser to be passed over.

import EventStore

/// Looks for a login in the data of records.
struct Mentions {
  /// The login in lower case; nil if it has more than ASCII, which any record may have in many forms.
  private let wanted: [UInt8]?
  /// The sign for the unit kelvin is a `k` in lower case: the only character beyond ASCII that becomes one of ASCII.
  private static let kelvin: [UInt8] = [0xE2, 0x84, 0xAA]

  init(_ login: String) {
    let bytes = Array(login.lowercased().utf8)
    wanted = bytes.isEmpty || bytes.contains { $0 >= 0x80 || $0 == 0x5C } ? nil : bytes
  }

  /// False if no text in the data is the login, in any case. What is written with escapes is not looked into: it may
  /// be. Cost: linear.
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
