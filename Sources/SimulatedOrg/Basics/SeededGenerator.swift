// Ids, tokens and codes from a seed, so that two orgs with one seed give the same answers.

/// SplitMix64: every value follows from the seed and the number of values drawn before it.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A separate generator for one name (a login), independent of the draws of others.
  init(seed: UInt64, for name: String) {
    // FNV-1a, since `Hasher` differs from process to process.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    state = seed ^ hash
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  private static let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  /// An opaque string of letters and digits, `length` characters after the prefix.
  mutating func text(_ prefix: String, length: Int) -> String {
    let tail = (0..<length).map { _ in Self.letters[Int(next() % UInt64(Self.letters.count))] }
    return prefix + String(decoding: tail, as: UTF8.self)
  }

  /// A code of decimal digits, leading zeros kept.
  mutating func digits(_ count: Int) -> String {
    let tail = (0..<count).map { _ in UInt8(ascii: "0") + UInt8(next() % 10) }
    return String(decoding: tail, as: UTF8.self)
  }

  /// `count` bytes.
  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
