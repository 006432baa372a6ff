// Time-based one-time passwords: RFC 6238 over HMAC-SHA-1, steps of 30 seconds.

import Crypto

enum TimePasscode {
  static let stepSeconds: Int64 = 30

  /// The step a moment lies in.
  static func step(at time: Timestamp) -> Int64 { time.seconds / stepSeconds }

  /// The code of one step (RFC 4226 §5.3).
  static func code(secret: [UInt8], step: Int64, digits: Int = 6) -> String {
    let counter = (0..<8).reversed().map { UInt8(truncatingIfNeeded: step >> ($0 * 8)) }
    let hash = Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: secret)))
    let offset = Int(hash[hash.count - 1] & 0x0f)
    let number = hash[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) } & 0x7fff_ffff
    let text = String(number % (0..<digits).reduce(1) { product, _ in product * 10 })
    return String(repeating: "0", count: digits - text.count) + text
  }
}
