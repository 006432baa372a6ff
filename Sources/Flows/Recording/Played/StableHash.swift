// A hash that is the same in every run and on every machine, for names and made-up values; it protects nothing.

/// FNV-1a, 64 bits (draft-eastlake-fnv).
package enum StableHash {
  /// The hash of bytes.
  @inlinable package static func value(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }

  /// The hash of a text, 16 hexadecimal digits.
  package static func text(_ text: String) -> String {
    let digits = String(value(text.utf8), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
