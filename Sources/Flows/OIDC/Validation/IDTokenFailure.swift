// Why an ID token was refused (oidc §8.1): which claim, which rule, the expected value, the actual value. Never the
// token.

public import EventStore

/// A check that an ID token failed. `sub`, `nonce` and hashes are not quoted: they only «differ».
public struct IDTokenFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The rules of oidc §8.1.
  public enum Rule: String, Sendable, Hashable, CaseIterable {
    /// It is no JWT in three parts, or a part of it is not of its form.
    case malformed
    /// It is longer than any ID token.
    case tooLong
    /// A member of the header or a claim stands twice.
    case duplicate
    /// The claim must be there.
    case missing
    /// The claim is of another JSON type.
    case wrongType
    /// The algorithm is not allowed.
    case algorithm
    /// The header demands an extension that is not understood (`crit`).
    case critical
    /// No key of the server has this `kid`, or fits the algorithm. The server's keys may have changed.
    case unknownKey
    /// The key is too weak to count.
    case weakKey
    /// No key verifies the signature.
    case signature
    /// The value is another than expected.
    case mismatch
    /// The issuer is no https URL.
    case insecure
    /// The time is past.
    case expired
    /// The time is too far from the server's.
    case skewed
    /// The times contradict each other.
    case order
    /// The sign-in is too long ago.
    case tooOld
  }

  /// The claim or member of the header: `aud`, `alg`; `token` for the whole.
  public var claim: String
  /// The rule that it breaks.
  public var rule: Rule
  /// The expected value, if it is no secret.
  public var expected: String?
  /// The value in the token, if it is no secret; at most 100 characters.
  public var actual: String?

  /// A failed check.
  public init(_ claim: String, _ rule: Rule, expected: String? = nil, actual: String? = nil) {
    self.claim = Self.shown(claim)
    self.rule = rule
    self.expected = expected.map(Self.shown)
    self.actual = actual.map(Self.shown)
  }

  /// At most 100 characters, and none that steers a terminal.
  private static func shown(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(100) {
      let isControl = scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
      scalars.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(scalars) + (text.unicodeScalars.count > 100 ? "…" : "")
  }

  /// The failure as it is recorded.
  public var json: JSON {
    .members([
      ("claim", .string(claim)), ("rule", .string(rule.rawValue)), ("expected", expected.map(JSON.string)),
      ("actual", actual.map(JSON.string)),
    ])
  }

  /// Reads a failure that `json` wrote; nil if it is none.
  public init?(json: JSON) {
    guard let claim = json["claim"]?.string, let rule = json["rule"]?.string.flatMap(Rule.init) else { return nil }
    self.init(claim, rule, expected: json["expected"]?.string, actual: json["actual"]?.string)
  }

  /// One sentence: the claim, its fault, the expected value, the actual value.
  public var description: String {
    let values = [expected.map { "expected \($0)" }, actual.map { "it is \($0)" }].compactMap { $0 }
    return "\(claim) of the ID token \(rule.phrase)" + (values.isEmpty ? "" : ": " + values.joined(separator: ", "))
  }
}

extension IDTokenFailure.Rule {
  fileprivate var phrase: String {
    switch self {
    case .malformed: "is not of its form"
    case .tooLong: "is too long"
    case .duplicate: "stands twice"
    case .missing: "is missing"
    case .wrongType: "is of another type"
    case .algorithm: "is not an allowed algorithm"
    case .critical: "demands an extension that is not known"
    case .unknownKey: "names no key of the server"
    case .weakKey: "names a key that is too short"
    case .signature: "was not made by the server"
    case .mismatch: "differs"
    case .insecure: "is not secure"
    case .expired: "is past"
    case .skewed: "is too far from the server's time; check the clock of this machine"
    case .order: "is later than its end"
    case .tooOld: "is too long ago; sign in again"
    }
  }
}
