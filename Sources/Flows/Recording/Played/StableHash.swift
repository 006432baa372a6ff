// A hash that is the same in every run and on every machine, for names and made-up values; not for security.

/// FNV-1a, 64 bits (draft-eastlake-fnv).
package enum StableHash {
  /// The hash of bytes.
  package static func value(_ bytes: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
    return hash
  }

  /// The hash of a text in UTF-8.
  package static func value(_ text: String) -> UInt64 { value(text.utf8.span) }

  /// The hash of a text, 16 hexadecimal digits.
  package static func text(_ text: String) -> String {
    let digits = String(value(text), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
