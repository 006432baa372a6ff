// The part of CBOR (RFC 8949) that WebAuthn uses.

/// A CBOR value; maps keep their order.
indirect enum CBOR: Equatable {
  case int(Int)
  case bytes([UInt8])
  case text(String)
  case array([CBOR])
  case map([Pair])

  struct Pair: Equatable {
    var key: CBOR
    var value: CBOR

    init(_ key: CBOR, _ value: CBOR) {
      self.key = key
      self.value = value
    }
  }

  subscript(key: CBOR) -> CBOR? {
    guard case .map(let pairs) = self else { return nil }
    return pairs.first { $0.key == key }?.value
  }

  var bytes: [UInt8]? {
    if case .bytes(let bytes) = self { bytes } else { nil }
  }

  var encoded: [UInt8] {
    switch self {
    case .int(let number): number < 0 ? Self.head(1, -1 - number) : Self.head(0, number)
    case .bytes(let bytes): Self.head(2, bytes.count) + bytes
    case .text(let text): Self.head(3, text.utf8.count) + Array(text.utf8)
    case .array(let values): Self.head(4, values.count) + values.flatMap(\.encoded)
    case .map(let pairs): Self.head(5, pairs.count) + pairs.flatMap { $0.key.encoded + $0.value.encoded }
    }
  }

  private static func head(_ major: UInt8, _ count: Int) -> [UInt8] {
    switch count {
    case ..<24: [major << 5 | UInt8(count)]
    case ..<256: [major << 5 | 24, UInt8(count)]
    case ..<65_536: [major << 5 | 25, UInt8(count >> 8), UInt8(count & 0xff)]
    default: [major << 5 | 26] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    }
  }

  /// The value at the front of some bytes, and the bytes after it; `nil` if there is no valid value.
  static func read(_ bytes: ArraySlice<UInt8>, depth: Int = 0) -> (value: CBOR, rest: ArraySlice<UInt8>)? {
    guard depth < 16, let first = bytes.first else { return nil }
    var rest = bytes.dropFirst()
    var count = Int(first & 31)
    if count >= 24 {
      guard count <= 26 else { return nil }
      let width = 1 << (count - 24)
      guard rest.count >= width else { return nil }
      count = rest.prefix(width).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(width)
    }
    switch first >> 5 {
    case 0: return (.int(count), rest)
    case 1: return (.int(-1 - count), rest)
    case 2, 3:
      guard rest.count >= count else { return nil }
      let part = Array(rest.prefix(count))
      return (first >> 5 == 2 ? .bytes(part) : .text(String(decoding: part, as: UTF8.self)), rest.dropFirst(count))
    case 4, 5:
      guard rest.count >= count else { return nil }
      var values: [CBOR] = []
      for _ in 0..<(first >> 5 == 4 ? count : count * 2) {
        guard let (value, left) = read(rest, depth: depth + 1) else { return nil }
        values.append(value)
        rest = left
      }
      if first >> 5 == 4 { return (.array(values), rest) }
      let pairs = stride(from: 0, to: values.count, by: 2).map { Pair(values[$0], values[$0 + 1]) }
      return (.map(pairs), rest)
    default: return nil
    }
  }
}
