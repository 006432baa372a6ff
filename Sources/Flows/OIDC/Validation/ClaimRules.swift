// The rules for the claims of an ID token, in the order of the table in oidc §8.1.

import EventStore
import FlowRecording

/// Compares the claims of a token whose signature was verified with the expected values.
struct ClaimRules {
  var claims: IDTokenClaims
  /// All claims, including those that are compared but not kept.
  var payload: JSON
  var expectation: IDTokenExpectation
  var algorithm: SignatureAlgorithm

  private var now: Int { Int(expectation.now.microseconds / 1_000_000) }
  private var skew: Int { Self.bounded(expectation.skew) }

  /// Limits seconds to the range from zero to a thousand years, so that sums of times cannot overflow.
  private static func bounded(_ seconds: Int) -> Int { min(max(seconds, 0), 31_556_952_000) }

  func check() throws(IDTokenFailure) {
    try checkIssuer()
    try checkAudience()
    try checkTimes()
    try checkNonce()
    try checkSubject()
    try checkHash("at_hash", of: expectation.accessToken)
    try checkHash("ds_hash", of: expectation.deviceSecret)
    try checkAuthentication()
  }

  private func checkIssuer() throws(IDTokenFailure) {
    guard claims.issuer.isSame(as: expectation.issuer) else {
      throw IDTokenFailure("iss", .mismatch, expected: expectation.issuer, actual: claims.issuer)
    }
    let url = URLParts(claims.issuer)
    guard url?.scheme == "https" || url?.isLoopback == true else {
      throw IDTokenFailure("iss", .insecure, expected: "an https URL", actual: claims.issuer)
    }
    if let former = expectation.former, !former.issuer.isSame(as: claims.issuer) {
      throw IDTokenFailure("iss", .mismatch, expected: former.issuer, actual: claims.issuer)
    }
  }

  private func checkAudience() throws(IDTokenFailure) {
    let client = expectation.clientID
    let shown = claims.audience.joined(separator: " ")
    func isMember(_ one: String) -> Bool { claims.audience.contains { $0.isSame(as: one) } }
    guard isMember(client) else { throw IDTokenFailure("aud", .mismatch, expected: client, actual: shown) }
    if let former = expectation.former, !former.audience.allSatisfy(isMember) {
      throw IDTokenFailure("aud", .mismatch, expected: former.audience.joined(separator: " "), actual: shown)
    }
    guard let party = try payload.text("azp") else {
      if claims.audience.count > 1 { throw IDTokenFailure("azp", .missing, expected: client) }
      return
    }
    guard party.isSame(as: client) else { throw IDTokenFailure("azp", .mismatch, expected: client, actual: party) }
  }

  private func checkTimes() throws(IDTokenFailure) {
    guard now < claims.expiry + skew else {
      throw IDTokenFailure("exp", .expired, expected: "after \(now - skew)", actual: "\(claims.expiry)")
    }
    guard abs(now - claims.issuedAt) <= skew else {
      throw IDTokenFailure("iat", .skewed, expected: "\(now) ± \(skew)", actual: "\(claims.issuedAt)")
    }
    guard claims.issuedAt <= claims.expiry else {
      throw IDTokenFailure("iat", .order, expected: "at most exp, \(claims.expiry)", actual: "\(claims.issuedAt)")
    }
    if let start = try payload.time("nbf"), start > now + skew {
      throw IDTokenFailure("nbf", .skewed, expected: "at most \(now + skew)", actual: "\(start)")
    }
  }

  /// A refreshed token need not contain the nonce, but if it does, the nonce must be the same (OIDC Core §12.2).
  private func checkNonce() throws(IDTokenFailure) {
    guard let expected = expectation.nonce else { return }
    guard let nonce = try payload.text("nonce") else {
      if expectation.former == nil { throw IDTokenFailure("nonce", .missing) }
      return
    }
    guard nonce.isSameInConstantTime(as: expected) else { throw IDTokenFailure("nonce", .mismatch) }
  }

  private func checkSubject() throws(IDTokenFailure) {
    let bytes = claims.subject.utf8
    guard !bytes.isEmpty else { throw IDTokenFailure("sub", .missing) }
    guard bytes.count <= 255, bytes.allSatisfy({ $0 < 0x80 }) else {
      throw IDTokenFailure("sub", .malformed, expected: "at most 255 ASCII characters")
    }
    if let former = expectation.former, !former.subject.isSame(as: claims.subject) {
      throw IDTokenFailure("sub", .mismatch)
    }
  }

  private func checkHash(_ claim: String, of secret: String?) throws(IDTokenFailure) {
    guard let secret, let hash = try payload.text(claim) else { return }
    guard hash.isSameInConstantTime(as: Base64URL.encode(algorithm.leftHalf(of: secret))) else {
      throw IDTokenFailure(claim, .mismatch)
    }
  }

  private func checkAuthentication() throws(IDTokenFailure) {
    if let maxAge = expectation.maxAge.map(Self.bounded) {
      guard let time = claims.authenticatedAt else { throw IDTokenFailure("auth_time", .missing) }
      guard now - time <= maxAge + skew else {
        throw IDTokenFailure("auth_time", .tooOld, expected: "after \(now - maxAge - skew)", actual: "\(time)")
      }
      guard time <= now + skew else {
        throw IDTokenFailure("auth_time", .skewed, expected: "at most \(now + skew)", actual: "\(time)")
      }
    }
    if let values = expectation.acrValues {
      let expected = values.joined(separator: " ")
      guard let context = claims.context else { throw IDTokenFailure("acr", .missing, expected: expected) }
      guard values.contains(where: { $0.isSame(as: context) }) else {
        throw IDTokenFailure("acr", .mismatch, expected: expected, actual: context)
      }
    }
  }
}
