// Checks ID tokens (oidc §8.1, OIDC Core §3.1.3.7).

import EventStore
import FlowRecording

/// The check of an ID token. It uses neither a clock nor the network: everything it needs is passed in.
public enum IDTokenCheck {
  /// The maximum length of a token, in bytes.
  public static let limit = 65_536

  /// Checks a token.
  ///
  /// The checks follow the table in oidc §8.1: format, algorithm, signature, and then the claims. The result names the
  /// first violated rule. `unknownKey` is the only failure that fetching newer keys may resolve.
  ///
  /// - Parameters:
  ///   - token: the compact JWT as received.
  ///   - keys: the server's keys.
  ///   - expectation: the values that it must have.
  /// - Returns: the protocol's claims, or the first rule that the token violates.
  public static func check(
    _ token: String, keys: KeySet, against expectation: IDTokenExpectation
  ) async -> Result<IDTokenClaims, IDTokenFailure> {
    do throws(IDTokenFailure) {
      let jws = try form(of: token)
      let header = try IDTokenHeader(jws.header, allowed: expectation.algorithms)
      try await TokenSignature(header: header, jws: jws).verify(by: keys)
      let claims = try IDTokenClaims(jws.claims, header: header)
      try ClaimRules(claims: claims, payload: jws.claims, expectation: expectation, algorithm: header.algorithm).check()
      return .success(claims)
    } catch {
      return .failure(error)
    }
  }

  /// Checks everything except the signature, to test the rules without a key.
  static func trial(
    _ token: String, against expectation: IDTokenExpectation
  ) -> Result<IDTokenClaims, IDTokenFailure> {
    do throws(IDTokenFailure) {
      let jws = try form(of: token)
      let header = try IDTokenHeader(jws.header, allowed: expectation.algorithms)
      let claims = try IDTokenClaims(jws.claims, header: header)
      try ClaimRules(claims: claims, payload: jws.claims, expectation: expectation, algorithm: header.algorithm).check()
      return .success(claims)
    } catch {
      return .failure(error)
    }
  }

  private static func form(of token: String) throws(IDTokenFailure) -> CompactJWS {
    guard token.utf8.count <= limit else {
      throw IDTokenFailure("token", .tooLong, expected: "\(limit) bytes", actual: "\(token.utf8.count) bytes")
    }
    guard let jws = CompactJWS(token) else {
      let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).count
      throw IDTokenFailure("token", .malformed, expected: "3 parts of JSON in base64url", actual: "\(parts) parts")
    }
    // JSON readers differ in which of two members with the same name counts, so such a token would be ambiguous.
    for object in [jws.header, jws.claims] {
      var names: Set<[UInt8]> = []
      for member in object.object?.members ?? [] where !names.insert(Array(member.key.utf8)).inserted {
        throw IDTokenFailure(member.key, .duplicate)
      }
    }
    return jws
  }
}

/// The relevant members of a token's header.
struct IDTokenHeader {
  /// The algorithm, which is an allowed one.
  var algorithm: SignatureAlgorithm
  /// The key ID in the header.
  var keyID: String?

  init(_ header: JSON, allowed: [String]) throws(IDTokenFailure) {
    let expected = allowed.joined(separator: " ")
    guard let name = header["alg"] else { throw IDTokenFailure("alg", .missing, expected: expected) }
    guard let text = name.string else { throw IDTokenFailure("alg", .wrongType, expected: "text") }
    guard let algorithm = SignatureAlgorithm(rawValue: text), allowed.contains(where: { $0.isSame(as: text) }) else {
      throw IDTokenFailure("alg", .algorithm, expected: expected, actual: text)
    }
    self.algorithm = algorithm
    // No extension that must be understood (RFC 7515 §4.1.11) is supported.
    guard header["crit"] == nil else { throw IDTokenFailure("crit", .critical) }
    if let kid = header["kid"] {
      guard let text = kid.string else { throw IDTokenFailure("kid", .wrongType, expected: "text") }
      keyID = text
    }
  }
}
