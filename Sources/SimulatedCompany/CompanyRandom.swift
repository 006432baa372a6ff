// Random numbers from a seed, so that a company is the same on every machine.

/// SplitMix64 (Steele, Lea, Flood 2014).
struct CompanyRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// A random number from 0 up to, but not including, `bound`.
  mutating func below(_ bound: Int) -> Int { bound <= 1 ? 0 : Int(next() % UInt64(bound)) }

  /// A random number in a range.
  mutating func within(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  /// Returns `true` with the given probability, in thousandths.
  mutating func chance(perMille: Int) -> Bool { below(1_000) < perMille }

  /// A random element of an array, which must not be empty.
  mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }
}
