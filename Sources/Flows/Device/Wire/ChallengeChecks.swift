// Checks V1 to V4 and H1 to H9 (spec/device.md §8.1-§8.3), as functions of the claims and stored data.

import FlowRecording

/// The values that a challenge is checked against.
package struct ChallengeExpectation: Sendable, Equatable {
  /// The org URL of the stored enrollment.
  package var orgURL: String
  /// The org ID of the stored enrollment.
  package var orgID: String
  /// The person of the stored enrollment.
  package var userID: String
  /// The transaction types that the enrollment accepts.
  package var transactionTypes: Set<String>
  /// The `aud` values accepted in addition to the product's own.
  package var audiences: Set<String>
  /// The origins accepted as the org's own in addition to that of its URL.
  package var origins: [String]
  /// The enrollment that pulled the challenge; `nil` if it was pushed.
  package var pulledFor: String?

  /// Creates an expectation.
  package init(
    orgURL: String, orgID: String, userID: String, transactionTypes: Set<String>, audiences: Set<String> = [],
    origins: [String] = [], pulledFor: String? = nil
  ) {
    self.orgURL = orgURL
    self.orgID = orgID
    self.userID = userID
    self.transactionTypes = transactionTypes
    self.audiences = audiences
    self.origins = origins
    self.pulledFor = pulledFor
  }
}

extension Challenge {
  /// Checks V1 to V4, and for V5 whether keys may be fetched: everything that needs neither a network nor a key.
  ///
  /// - Parameters:
  ///   - now: the time in microseconds since 1970.
  ///   - skew: the accepted difference between the org's clock and this one, in seconds; negative values count as 0.
  package func timeAndForm(at now: Int64, skew: Int) -> CheckFailure? {
    for check in ChallengeCheck.ofForm + [.v5] {
      if let failure = form(check, at: now, skew: skew) { return failure }
    }
    return nil
  }

  /// Runs one of V1 to V5, as far as it needs neither a network nor a key; `nil` if the challenge passes.
  func form(_ check: ChallengeCheck, at now: Int64, skew: Int) -> CheckFailure? {
    switch check {
    case .v1: return isExpired(at: now, skew: skew) ? .jwt("V1", "push challenge expired") : nil
    case .v2:
      return ["RS256", "RS384", "RS512"].contains(algorithm)
        ? nil : .jwt("V2", "algorithm \(algorithm) not supported")
    case .v3:
      return Self.micros(issuedAt) <= Self.sum(now, Self.micros(max(0, skew)))
        ? nil : .jwt("V3", "issued in the future")
    case .v4: return keyID == nil ? .jwt("V4", "no kid") : nil
    case .v5: return isServerNamed ? nil : .jwt("V5", "key not available")
    case .p1, .p2, .p3, .p4, .p5, .p6, .p7, .v6, .h1, .h2, .h3, .h4, .h5, .h6, .h7, .h8, .h9: return nil
    }
  }

  /// Whether the authorization server's ID is a single path segment. Nothing is verified yet, and the ID becomes part
  /// of the URL that the keys are fetched from: with dots, slashes, or a question mark, an attacker could choose any
  /// page of the org.
  private var isServerNamed: Bool {
    guard let id = authorizationServerID else { return true }
    return id.utf8.count <= 200
      && id.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Whether the challenge has expired: `now > exp + skew` (§8.3).
  package func isExpired(at now: Int64, skew: Int) -> Bool { now > endMicroseconds(skew: skew) }

  /// When the challenge expires, including the skew, in microseconds since 1970.
  package func endMicroseconds(skew: Int) -> Int64 {
    let end = expiresAt.addingReportingOverflow(max(0, skew))
    return Self.micros(end.overflow ? .max : end.partialValue)
  }

  private static func micros(_ seconds: Int) -> Int64 {
    let product = Int64(seconds).multipliedReportingOverflow(by: 1_000_000)
    return product.overflow ? (seconds < 0 ? .min : .max) : product.partialValue
  }

  private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
    let sum = one.addingReportingOverflow(other)
    return sum.overflow ? .max : sum.partialValue
  }

  /// Checks H1 to H6, H8, and H9: whether the challenge is for this enrollment and points to its org.
  ///
  /// - Parameter allowsCIBA: whether an enrollment without CIBA accepts a CIBA challenge, as in the reference.
  package func belongs(to expected: ChallengeExpectation, allowsCIBA: Bool = false) -> CheckFailure? {
    for check in ChallengeCheck.ofBelonging {
      if let failure = belonging(check, to: expected, allowsCIBA: allowsCIBA) { return failure }
    }
    return nil
  }

  /// Runs one of H1 to H9, except H7, which needs stored state; `nil` if the challenge passes.
  func belonging(
    _ check: ChallengeCheck, to expected: ChallengeExpectation, allowsCIBA: Bool = false
  ) -> CheckFailure? {
    switch check {
    case .h1: return isIssuer(of: expected) ? nil : .jwt("H1", "foreign issuer")
    case .h2:
      return audience == DeviceVocabulary.challengeAudience || expected.audiences.contains(audience)
        ? nil : .jwt("H2", "foreign audience")
    case .h3: return orgID == expected.orgID ? nil : .jwt("H3", "other organization")
    case .h4: return (userID ?? expected.userID) == expected.userID ? nil : .jwt("H4", "other user")
    case .h5: return isHome(verificationURI, of: expected) ? nil : .jwt("H5", "foreign verification URL")
    case .h6: return method == "push" ? nil : .jwt("H6", "method is not push")
    case .h8:
      let isTaken =
        transactionType != DeviceVocabulary.ciba || allowsCIBA
        || expected.transactionTypes.contains(DeviceVocabulary.ciba)
      return isTaken ? nil : CheckFailure("H8", .unsupportedType, transactionType)
    case .h9:
      return (expected.pulledFor ?? enrollmentID) == enrollmentID ? nil : .jwt("H9", "another enrollment pulled it")
    case .p1, .p2, .p3, .p4, .p5, .p6, .p7, .v1, .v2, .v3, .v4, .v5, .v6, .h7: return nil
    }
  }

  /// Whether the issuer is the org. At another origin that the application trusts, the path must be the same.
  private func isIssuer(of expected: ChallengeExpectation) -> Bool {
    ([expected.orgURL] + expected.origins).contains { origin in
      let home = Self.bare(origin)
      return Self.isSame(issuer, home) || Self.isSame(issuer, issuer(atOrg: home))
    }
  }

  /// Whether two URLs are the same, ignoring a trailing slash and the notation of the origin.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    if bare(one) == bare(other) { return true }
    guard let left = URLParts(bare(one)), let right = URLParts(bare(other)) else { return false }
    return left.isSameOrigin(as: right) && left.path == right.path && left.query == right.query
      && left.fragment == right.fragment
  }

  private func isHome(_ url: String, of expected: ChallengeExpectation) -> Bool {
    guard let parts = URLParts(url), !parts.authority.utf8.contains(UInt8(ascii: "@")),
      parts.scheme == "https" || parts.isLoopback
    else { return false }
    return ([expected.orgURL] + expected.origins).contains { parts.isSameOrigin(as: URLParts($0)) }
  }

  private static func bare(_ url: String) -> String { url.hasSuffix("/") ? String(url.dropLast()) : url }
}
