// A challenge as its JWT says it (spec/device.md §7.2), and what of it is for people.

package import EventStore

/// The claims of a challenge. Secrets in it are placeholders if it came out of a flow.
package struct Challenge: Sendable, Equatable {
  /// The header of its JWT.
  package var header: JSON
  /// Its claims.
  package var claims: JSON

  /// A challenge of its JWT's parts.
  package init(header: JSON, claims: JSON) {
    self.header = header
    self.claims = claims
  }

  private func text(_ name: String) -> String { claims[name]?.string ?? "" }

  /// The transaction: `ft…`.
  package var transactionID: String { text("transactionId") }
  /// Who asks, by its own word: the org's URL.
  package var issuer: String { text("iss") }
  /// For which application.
  package var audience: String { text("aud") }
  /// The org's id.
  package var orgID: String { text("orgId") }
  /// Which enrollment is meant.
  package var enrollmentID: String { text("authenticatorEnrollmentId") }
  /// Where the answer goes.
  package var verificationURI: String { text("verificationUri") }
  /// What the answer must echo.
  package var nonce: String { text("nonce") }
  /// `push`, or a method that this product does not serve.
  package var method: String? { claims["method"]?.string }
  /// The person, if it says so.
  package var userID: String? { claims["userId"]?.string }
  /// Another name of the transaction, if it says so.
  package var tokenID: String? { claims["jti"]?.string }
  /// The key that signed it.
  package var keyID: String? { header["kid"]?.string }
  /// How it is signed.
  package var algorithm: String { header["alg"]?.string ?? "" }
  /// The authorization server that signed it; nil for the org itself.
  package var authorizationServerID: String? {
    let id = claims["authorizationServerId"]?.string
    return id?.isEmpty == false ? id : nil
  }
  /// When it was made, seconds since 1970.
  package var issuedAt: Int { Self.seconds(claims["iat"]) ?? 0 }
  /// When it ends, seconds since 1970.
  package var expiresAt: Int { Self.seconds(claims["exp"]) ?? 0 }
  /// What the person signs in to.
  package var appInstanceName: String? { claims["appInstanceName"]?.string }

  /// What was known where the challenge came from.
  package var context: JSON { claims["challengeContext"] ?? [:] }
  /// Where the person is, in words.
  package var clientLocation: String? { context["clientLocation"]?.string }
  /// The system that they sign in on.
  package var clientOS: String? { context["clientOS"]?.string }

  /// `LOGIN` or `CIBA`; anything else counts as `LOGIN` (§7.2).
  package var transactionType: String {
    context["transactionType"]?.string == DeviceVocabulary.ciba ? DeviceVocabulary.ciba : DeviceVocabulary.login
  }

  /// What a CIBA client wants confirmed, as it came.
  package var bindingMessage: String? { context["bindingMessage"]?.string }

  /// Whether a key of a verified person is wanted. Missing or unknown means that it is not.
  package var requirement: VerificationRequirement {
    VerificationRequirement(rawValue: claims["userVerification"]?.string ?? "") ?? .none
  }

  /// The names of signals that are asked for, of plug-ins, and of providers.
  package func names(of claim: String) -> [String] {
    (claims[claim]?.array ?? []).compactMap { $0.string ?? $0["name"]?.string }
  }

  /// The server of the keys: from the org URL that is stored, never from the token's own `iss` (§8.1).
  package func issuer(atOrg orgURL: String) -> String {
    authorizationServerID.map { orgURL + "/oauth2/" + $0 } ?? orgURL
  }

  /// Whole seconds of a claim, since 1970 and before the year 10000; a decimal string is taken as well (§7.2). Whoever can
  /// send a notification chooses them, so a time that no calendar has is none: nothing that reckons with it overflows.
  package static func seconds(_ claim: JSON?) -> Int? {
    guard let seconds = claim?.int ?? claim?.string.flatMap(Int.init) else { return nil }
    return (0..<253_402_300_800).contains(seconds) ? seconds : nil
  }
}

/// Whether a challenge wants the key of a verified person.
package enum VerificationRequirement: String, Sendable, Equatable, CaseIterable {
  /// It does not.
  case none = "NONE"
  /// It would rather not.
  case discouraged = "DISCOURAGED"
  /// If it can be.
  case preferred = "PREFERRED"
  /// It must be.
  case required = "REQUIRED"

  /// Whether the key of a verified person is tried first (§9.2).
  package var wantsVerification: Bool { self == .preferred || self == .required }
}
