// Why an ID token was rejected (oidc §8.1): the claim, the rule, and the expected and actual values. Never the token.

public import EventStore

/// A check that an ID token failed. For `sub`, `nonce`, and hashes, no values are quoted, only that they «differ».
public struct IDTokenFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The rules of oidc §8.1.
  public enum Rule: String, Sendable, Hashable, CaseIterable {
    /// The token is not a JWT with three well-formed parts.
    case malformed
    /// The token is longer than the limit.
    case tooLong
    /// A header member or claim occurs twice.
    case duplicate
    /// A required claim is missing.
    case missing
    /// The claim has the wrong JSON type.
    case wrongType
    /// The algorithm is not allowed.
    case algorithm
    /// The header requires an extension that is not supported (`crit`).
    case critical
    /// The server has no key with this `kid`, or none that fits the algorithm. Its keys may have changed.
    case unknownKey
    /// The key is too weak to be accepted.
    case weakKey
    /// No key verifies the signature.
    case signature
    /// The value differs from the expected one.
    case mismatch
    /// The issuer is not an https URL.
    case insecure
    /// The time has passed.
    case expired
    /// The time differs too much from the server's.
    case skewed
    /// The times contradict each other.
    case order
    /// The sign-in was too long ago.
    case tooOld
  }

  /// The claim or header member, such as `aud` or `alg`; `token` for the whole token.
  public var claim: String
  /// The violated rule.
  public var rule: Rule
  /// The expected value, if it is not secret.
  public var expected: String?
  /// The value in the token, if it is not secret; at most 100 characters.
  public var actual: String?

  /// Creates a failure.
  public init(_ claim: String, _ rule: Rule, expected: String? = nil, actual: String? = nil) {
    self.claim = Self.shown(claim)
    self.rule = rule
    self.expected = expected.map(Self.shown)
    self.actual = actual.map(Self.shown)
  }

  /// At most 100 characters, without any that could control a terminal.
  private static func shown(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(100) {
      let isControl = scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
      scalars.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(scalars) + (text.unicodeScalars.count > 100 ? "…" : "")
  }

  /// The failure in the format that is recorded.
  public var json: JSON {
    .members([
      ("claim", .string(claim)), ("rule", .string(rule.rawValue)), ("expected", expected.map(JSON.string)),
      ("actual", actual.map(JSON.string)),
    ])
  }

  /// Reads a failure in the format of `json`; `nil` if it is not one.
  public init?(json: JSON) {
    guard let claim = json["claim"]?.string, let rule = json["rule"]?.string.flatMap(Rule.init) else { return nil }
    self.init(claim, rule, expected: json["expected"]?.string, actual: json["actual"]?.string)
  }

  /// One sentence with the claim, the problem, and the expected and actual values.
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
