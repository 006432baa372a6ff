// The entropy seam: flow ids and every random draw come from here.

/// A source of random bits.
public protocol Entropy: Sendable {
  /// The next 64 random bits.
  func next() -> UInt64
}

/// The operating system's generator, fit for secrets.
public struct SystemEntropy: Entropy {
  /// Makes the source.
  public init() {}

  /// 64 bits of the system's generator.
  public func next() -> UInt64 {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }
}

/// A repeatable generator (SplitMix64) for tests, demonstrations and benchmarks. Not fit for secrets.
public final class SeededEntropy: Entropy {
  private let state: Locked<UInt64>

  /// Makes a generator that returns the same bits for the same seed.
  public init(seed: UInt64) { state = Locked(seed) }

  /// The next 64 bits of the sequence.
  public func next() -> UInt64 {
    state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return bits ^ (bits >> 31)
    }
  }
}
