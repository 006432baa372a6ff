// Reads claims by type (RFC 7519 §4.1, OIDC Core §2).

import EventStore

extension JSON {
  /// An optional text claim.
  func text(_ claim: String) throws(IDTokenFailure) -> String? {
    guard let value = self[claim] else { return nil }
    guard let text = value.string else { throw IDTokenFailure(claim, .wrongType, expected: "text") }
    return text
  }

  /// A required text claim.
  func requiredText(_ claim: String) throws(IDTokenFailure) -> String {
    guard let text = try text(claim) else { throw IDTokenFailure(claim, .missing) }
    return text
  }

  /// An optional time claim in whole seconds since 1970. A time beyond the calendar's range counts as missing.
  func time(_ claim: String) throws(IDTokenFailure) -> Int? {
    guard let value = self[claim] else { return nil }
    let limit = 253_402_300_800  // The year 10000.
    guard case .number = value, let seconds = value.double, seconds > -Double(limit), seconds < Double(limit) else {
      throw IDTokenFailure(claim, .wrongType, expected: "seconds since 1970")
    }
    return Int(seconds.rounded(.down))
  }

  /// A required time claim.
  func requiredTime(_ claim: String) throws(IDTokenFailure) -> Int {
    guard let time = try time(claim) else { throw IDTokenFailure(claim, .missing) }
    return time
  }

  /// The audience, which may be one text or a list.
  func audience() throws(IDTokenFailure) -> [String] {
    switch self["aud"] {
    case nil: throw IDTokenFailure("aud", .missing)
    case .string(let one): return [one]
    case .array(let many):
      let texts = many.compactMap(\.string)
      guard texts.count == many.count else { throw IDTokenFailure("aud", .wrongType, expected: "texts") }
      guard !texts.isEmpty else { throw IDTokenFailure("aud", .missing) }
      return texts
    case .null, .bool, .number, .object: throw IDTokenFailure("aud", .wrongType, expected: "a text or texts")
    }
  }
}
