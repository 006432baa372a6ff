// Checks ID tokens (oidc §8.1, OIDC Core §3.1.3.7).

import EventStore
import FlowRecording

/// The check of an ID token. It reads no clock and asks no server: all it needs is given.
public enum IDTokenCheck {
  /// The longest token that is looked at, in bytes.
  public static let limit = 65_536

  /// Checks a token.
  ///
  /// The order is that of the table of oidc §8.1: form, algorithm, signature, and then the claims, so that the first rule that
  /// is broken is named. `unknownKey` is the one failure that a fetch of newer keys may mend.
  ///
  /// - Parameters:
  ///   - token: the token as it came, a compact JWT.
  ///   - keys: the server's keys.
  ///   - expectation: the values that it must have.
  /// - Returns: the claims of the protocol, or the first rule that the token breaks.
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

  /// Checks all of a token but its signature, for what is known of the rules without a key.
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
    // Readers of JSON differ in which of two members of a name counts: a token that has both has two meanings.
    for object in [jws.header, jws.claims] {
      var names: Set<[UInt8]> = []
      for member in object.object?.members ?? [] where !names.insert(Array(member.key.utf8)).inserted {
        throw IDTokenFailure(member.key, .duplicate)
      }
    }
    return jws
  }
}

/// The members of a token's header that count.
struct IDTokenHeader {
  /// The algorithm, one that is allowed.
  var algorithm: SignatureAlgorithm
  /// The key that it names.
  var keyID: String?

  init(_ header: JSON, allowed: [String]) throws(IDTokenFailure) {
    let expected = allowed.joined(separator: " ")
    guard let name = header["alg"] else { throw IDTokenFailure("alg", .missing, expected: expected) }
    guard let text = name.string else { throw IDTokenFailure("alg", .wrongType, expected: "text") }
    guard let algorithm = SignatureAlgorithm(rawValue: text), allowed.contains(where: { $0.isSame(as: text) }) else {
      throw IDTokenFailure("alg", .algorithm, expected: expected, actual: text)
    }
    self.algorithm = algorithm
    // An extension that must be understood (RFC 7515 §4.1.11), and none is.
    guard header["crit"] == nil else { throw IDTokenFailure("crit", .critical) }
    if let kid = header["kid"] {
      guard let text = kid.string else { throw IDTokenFailure("kid", .wrongType, expected: "text") }
      keyID = text
    }
  }
}
