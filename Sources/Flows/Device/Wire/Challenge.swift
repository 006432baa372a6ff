// A challenge, as described by its JWT (spec/device.md §7.2), including the parts that are displayed.

package import EventStore

/// The claims of a challenge. In a challenge from a flow, secrets are placeholders.
package struct Challenge: Sendable, Equatable {
  /// The header of the JWT.
  package var header: JSON
  /// The claims of the JWT.
  package var claims: JSON

  /// Creates a challenge from the parts of its JWT.
  package init(header: JSON, claims: JSON) {
    self.header = header
    self.claims = claims
  }

  private func text(_ name: String) -> String { claims[name]?.string ?? "" }

  /// The transaction ID: `ft…`.
  package var transactionID: String { text("transactionId") }
  /// The org's URL, as the challenge itself claims.
  package var issuer: String { text("iss") }
  /// The application that the challenge is intended for.
  package var audience: String { text("aud") }
  /// The org's ID.
  package var orgID: String { text("orgId") }
  /// The ID of the enrollment that the challenge is for.
  package var enrollmentID: String { text("authenticatorEnrollmentId") }
  /// The URL that the answer is sent to.
  package var verificationURI: String { text("verificationUri") }
  /// The nonce that the answer must repeat.
  package var nonce: String { text("nonce") }
  /// `push`, or a method that this product does not support.
  package var method: String? { claims["method"]?.string }
  /// The person's ID, if present.
  package var userID: String? { claims["userId"]?.string }
  /// The JWT's ID, if present.
  package var tokenID: String? { claims["jti"]?.string }
  /// The ID of the key that signed the JWT.
  package var keyID: String? { header["kid"]?.string }
  /// The signature algorithm.
  package var algorithm: String { header["alg"]?.string ?? "" }
  /// The authorization server that signed the challenge; `nil` if it was the org itself.
  package var authorizationServerID: String? {
    let id = claims["authorizationServerId"]?.string
    return id?.isEmpty == false ? id : nil
  }
  /// When the challenge was issued, in seconds since 1970.
  package var issuedAt: Int { Self.seconds(claims["iat"]) ?? 0 }
  /// When the challenge expires, in seconds since 1970.
  package var expiresAt: Int { Self.seconds(claims["exp"]) ?? 0 }
  /// The application that the person signs in to.
  package var appInstanceName: String? { claims["appInstanceName"]?.string }

  /// The context in which the challenge was created.
  package var context: JSON { claims["challengeContext"] ?? [:] }
  /// The location of the person who signs in, in words.
  package var clientLocation: String? { context["clientLocation"]?.string }
  /// The operating system that the person signs in on.
  package var clientOS: String? { context["clientOS"]?.string }

  /// `LOGIN` or `CIBA`; anything else counts as `LOGIN` (§7.2).
  package var transactionType: String {
    context["transactionType"]?.string == DeviceVocabulary.ciba ? DeviceVocabulary.ciba : DeviceVocabulary.login
  }

  /// The message that a CIBA client wants confirmed, as received.
  package var bindingMessage: String? { context["bindingMessage"]?.string }

  /// Whether user verification is requested. If the claim is missing or unknown, it is not.
  package var requirement: VerificationRequirement {
    VerificationRequirement(rawValue: claims["userVerification"]?.string ?? "") ?? .none
  }

  /// The names of the requested signals, plug-ins, and providers.
  package func names(of claim: String) -> [String] {
    (claims[claim]?.array ?? []).compactMap { $0.string ?? $0["name"]?.string }
  }

  /// The issuer of the keys, based on the stored org URL and never on the token's own `iss` (§8.1).
  package func issuer(atOrg orgURL: String) -> String {
    authorizationServerID.map { orgURL + "/oauth2/" + $0 } ?? orgURL
  }

  /// The whole seconds of a claim, since 1970 and before the year 10000. A decimal string is also accepted (§7.2). An
  /// attacker who can send a notification chooses this value, so times out of that range are rejected to keep
  /// calculations from overflowing.
  package static func seconds(_ claim: JSON?) -> Int? {
    guard let seconds = claim?.int ?? claim?.string.flatMap(Int.init) else { return nil }
    return (0..<253_402_300_800).contains(seconds) ? seconds : nil
  }
}

/// Whether a challenge requests user verification.
package enum VerificationRequirement: String, Sendable, Equatable, CaseIterable {
  /// User verification is not used.
  case none = "NONE"
  /// User verification should be avoided.
  case discouraged = "DISCOURAGED"
  /// User verification is preferred.
  case preferred = "PREFERRED"
  /// User verification is required.
  case required = "REQUIRED"

  /// Whether the user verification key is tried first (§9.2).
  package var wantsVerification: Bool { self == .preferred || self == .required }
}
