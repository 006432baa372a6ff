// Numbers modulo the order of P-256 (SEC 2 §2.4.2): just enough for deterministic signatures.

/// A number below the order of the curve, least significant limb first.
struct CurveScalar: Equatable {
  private var limbs: [UInt64]

  private static let order: [UInt64] = [
    0xf3b9_cac2_fc63_2551, 0xbce6_faad_a717_9e84, 0xffff_ffff_ffff_ffff, 0xffff_ffff_0000_0000,
  ]

  private init(limbs: [UInt64]) { self.limbs = limbs }

  /// The number in 32 bytes, most significant first, less the order if it is too large.
  init(_ bytes: some Collection<UInt8>) {
    limbs = [0, 0, 0, 0]
    for (index, byte) in bytes.reversed().prefix(32).enumerated() {
      limbs[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
    }
    if !Self.isBelow(limbs, Self.order) { limbs = Self.subtract(limbs, Self.order) }
  }

  var isZero: Bool { limbs.allSatisfy { $0 == 0 } }

  var bytes: [UInt8] {
    (0..<32).reversed().map { UInt8(truncatingIfNeeded: limbs[$0 / 8] >> UInt64($0 % 8 * 8)) }
  }

  static func + (left: Self, right: Self) -> Self {
    var out: [UInt64] = [0, 0, 0, 0]
    var carry: UInt64 = 0
    for index in 0..<4 {
      let (first, over) = left.limbs[index].addingReportingOverflow(right.limbs[index])
      let (second, more) = first.addingReportingOverflow(carry)
      out[index] = second
      carry = over || more ? 1 : 0
    }
    if carry == 1 || !isBelow(out, order) { out = subtract(out, order) }
    return Self(limbs: out)
  }

  static func * (left: Self, right: Self) -> Self {
    var out = Self(limbs: [0, 0, 0, 0])
    for bit in (0..<256).reversed() {
      out = out + out
      if right.limbs[bit / 64] >> UInt64(bit % 64) & 1 == 1 { out = out + left }
    }
    return out
  }

  /// The number that gives one when multiplied with this one: binary Euclid (HAC 14.61), the order being odd.
  var inverse: Self {
    var (u, v) = (limbs, Self.order)
    var (x, y) = (Self(limbs: [1, 0, 0, 0]), Self(limbs: [0, 0, 0, 0]))
    let one: [UInt64] = [1, 0, 0, 0]
    while u != one, v != one {
      while u[0] & 1 == 0 {
        u = Self.half(u, carry: 0)
        x = x.halved
      }
      while v[0] & 1 == 0 {
        v = Self.half(v, carry: 0)
        y = y.halved
      }
      if Self.isBelow(u, v) {
        v = Self.subtract(v, u)
        y = y + x.negated
      } else {
        u = Self.subtract(u, v)
        x = x + y.negated
      }
    }
    return u == one ? x : y
  }

  private var negated: Self { isZero ? self : Self(limbs: Self.subtract(Self.order, limbs)) }

  /// Half of it, modulo the order.
  private var halved: Self {
    if limbs[0] & 1 == 0 { return Self(limbs: Self.half(limbs, carry: 0)) }
    var sum: [UInt64] = [0, 0, 0, 0]
    var carry: UInt64 = 0
    for index in 0..<4 {
      let (first, over) = limbs[index].addingReportingOverflow(Self.order[index])
      let (second, more) = first.addingReportingOverflow(carry)
      sum[index] = second
      carry = over || more ? 1 : 0
    }
    return Self(limbs: Self.half(sum, carry: carry))
  }

  private static func half(_ limbs: [UInt64], carry: UInt64) -> [UInt64] {
    (0..<4).map { limbs[$0] >> 1 | ($0 < 3 ? limbs[$0 + 1] : carry) << 63 }
  }

  private static func isBelow(_ left: [UInt64], _ right: [UInt64]) -> Bool {
    for index in (0..<4).reversed() where left[index] != right[index] { return left[index] < right[index] }
    return false
  }

  private static func subtract(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
    var out: [UInt64] = [0, 0, 0, 0]
    var borrow: UInt64 = 0
    for index in 0..<4 {
      let (first, under) = left[index].subtractingReportingOverflow(right[index])
      let (second, more) = first.subtractingReportingOverflow(borrow)
      out[index] = second
      borrow = under || more ? 1 : 0
    }
    return out
  }
}
