// The checks V1 to V4 and H1 to H9 (spec/device.md §8.1-§8.3), as functions of the claims and of what is stored.

import FlowRecording

/// What a challenge is held against.
package struct ChallengeExpectation: Sendable, Equatable {
  /// The org's URL of the stored enrollment.
  package var orgURL: String
  /// The org's id of the stored enrollment.
  package var orgID: String
  /// The person of the stored enrollment.
  package var userID: String
  /// The transaction types that the enrollment takes.
  package var transactionTypes: Set<String>
  /// What counts as `aud` beside the product's own.
  package var audiences: Set<String>
  /// Origins that count as the org's own beside that of its URL.
  package var origins: [String]
  /// The enrollment that pulled; nil for one that was pushed.
  package var pulledFor: String?

  /// Makes one.
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
  /// V1 to V4, and of V5 whether keys may be asked for: what needs neither network nor key.
  ///
  /// - Parameters:
  ///   - now: microseconds since 1970.
  ///   - skew: how many seconds the org's clock may be off; negative counts as none.
  package func timeAndForm(at now: Int64, skew: Int) -> CheckFailure? {
    if isExpired(at: now, skew: skew) { return .jwt("V1", "push challenge expired") }
    guard ["RS256", "RS384", "RS512"].contains(algorithm) else {
      return .jwt("V2", "algorithm \(algorithm) not supported")
    }
    guard Self.micros(issuedAt) <= Self.sum(now, Self.micros(max(0, skew))) else {
      return .jwt("V3", "issued in the future")
    }
    if keyID == nil { return .jwt("V4", "no kid") }
    return isServerNamed ? nil : .jwt("V5", "key not available")
  }

  /// Whether the authorization server's id is one segment of a path. Nothing is verified yet, and the id stands in the URL
  /// that the keys come from: with dots, slashes or a question mark a forger would choose the page of the org.
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

  /// Whether the challenge has ended: `now > exp + skew` (§8.3).
  package func isExpired(at now: Int64, skew: Int) -> Bool { now > endMicroseconds(skew: skew) }

  /// When the challenge ends, with the skew, in microseconds since 1970.
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

  /// H1 to H6, H8 and H9: whether the challenge is for this enrollment, and leads back to its org.
  ///
  /// - Parameter allowsCIBA: whether a CIBA challenge is taken by an enrollment without it, as the reference does.
  package func belongs(to expected: ChallengeExpectation, allowsCIBA: Bool = false) -> CheckFailure? {
    if !isIssuer(of: expected) { return .jwt("H1", "foreign issuer") }
    guard audience == DeviceVocabulary.challengeAudience || expected.audiences.contains(audience) else {
      return .jwt("H2", "foreign audience")
    }
    if orgID != expected.orgID { return .jwt("H3", "other organization") }
    if let userID, userID != expected.userID { return .jwt("H4", "other user") }
    if !isHome(verificationURI, of: expected) { return .jwt("H5", "foreign verification URL") }
    if method != "push" { return .jwt("H6", "method is not push") }
    if transactionType == DeviceVocabulary.ciba, !allowsCIBA, !expected.transactionTypes.contains(DeviceVocabulary.ciba)
    {
      return CheckFailure("H8", .unsupportedType, transactionType)
    }
    if let pulled = expected.pulledFor, pulled != enrollmentID { return .jwt("H9", "another enrollment pulled it") }
    return nil
  }

  private func isIssuer(of expected: ChallengeExpectation) -> Bool {
    let claimed = Self.bare(issuer)
    let org = Self.bare(expected.orgURL)
    if claimed == org || claimed == Self.bare(issuer(atOrg: org)) { return true }
    // Another name of the org: the same path under an origin that the application trusts.
    return expected.origins.contains { origin in
      let other = Self.bare(origin)
      return claimed == other || claimed == issuer(atOrg: other)
    }
  }

  private func isHome(_ url: String, of expected: ChallengeExpectation) -> Bool {
    guard let parts = URLParts(url), !parts.authority.utf8.contains(UInt8(ascii: "@")),
      parts.scheme == "https" || parts.isLoopback
    else { return false }
    return ([expected.orgURL] + expected.origins).contains { parts.isSameOrigin(as: URLParts($0)) }
  }

  private static func bare(_ url: String) -> String { url.hasSuffix("/") ? String(url.dropLast()) : url }
}
