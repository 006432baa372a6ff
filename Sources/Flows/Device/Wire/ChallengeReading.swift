// Checks P1 to P6 on a notification (spec/device.md §7.1, §8.1): whether it belongs to this product, and whether its
// JWT is complete.

package import EventStore
import FlowRecording

/// The result of reading a notification.
package enum ChallengeReading: Sendable, Equatable {
  /// A challenge; nothing in it is verified.
  case challenge(Challenge)
  /// Not a challenge, or one that cannot be answered.
  case failure(CheckFailure, readable: JSON)

  /// Reads a notification.
  ///
  /// - Parameters:
  ///   - version: the value of the version member.
  ///   - challenge: the value of the challenge member.
  package init(version: JSON?, challenge: JSON?) {
    guard version?.string == DeviceVocabulary.payloadVersion else {
      self = .failure(
        .init("P1", .notRecognized, "the version is not \(DeviceVocabulary.payloadVersion)"), readable: [:])
      return
    }
    guard let token = challenge?.string else {
      self = .failure(.init("P2", .notRecognized, "there is no challenge"), readable: [:])
      return
    }
    self.init(token: token)
  }

  /// Reads a challenge JWT and runs checks P3 to P6.
  package init(token: String) {
    guard let jws = CompactJWS(token) else {
      self = .failure(.jwt("P3", "bad JWT structure"), readable: [:])
      return
    }
    if let failure = Self.structure(jws) ?? Self.claims(jws.claims) ?? Self.context(jws.claims) {
      self = .failure(failure, readable: Self.known(jws.claims))
    } else {
      self = .challenge(Challenge(header: jws.header, claims: jws.claims))
    }
  }

  private static func structure(_ jws: CompactJWS) -> CheckFailure? {
    let type = jws.header["typ"]
    if let type {
      // Another product's challenges arrive differently, so as a notification this does not belong to us (§6).
      guard type.string?.lowercased() == DeviceVocabulary.challengeType else {
        return type.string?.lowercased() == "okta-devicebind+jwt"
          ? CheckFailure("P3", .notRecognized, "a challenge of another product") : .jwt("P3", "bad JWT structure")
      }
    }
    let algorithm = jws.header["alg"]?.string ?? ""
    let families = ["none", "HS", "RS", "ES", "PS"]
    guard families.contains(where: { algorithm.hasPrefix($0) }) else { return .jwt("P3", "bad JWT structure") }
    return nil
  }

  /// The required claims in the order of §8.1.
  private static func claims(_ claims: JSON) -> CheckFailure? {
    func text(_ name: String) -> CheckFailure? {
      claims[name]?.string == nil ? .jwt("P4", "claim \(name) missing") : nil
    }
    func time(_ name: String) -> CheckFailure? {
      Challenge.seconds(claims[name]) == nil ? .jwt("P4", "claim \(name) missing") : nil
    }
    if let failure = text("orgId") ?? text("nonce") ?? text("verificationUri") { return failure }
    guard URLParts(claims["verificationUri"]?.string ?? "") != nil else {
      return .jwt("P5", "claim verificationUri invalid")
    }
    return text("iss") ?? text("aud") ?? time("iat") ?? time("exp") ?? text("transactionId")
  }

  private static func context(_ claims: JSON) -> CheckFailure? {
    guard claims["challengeContext"]?.object != nil, claims["authenticatorEnrollmentId"]?.string != nil else {
      return CheckFailure("P6", .internalError, "bad challenge")
    }
    return nil
  }

  /// The claims of a rejected token that are useful in the log.
  private static func known(_ claims: JSON) -> JSON {
    .members(
      ["transactionId", "jti", "iss", "aud", "iat", "exp", "orgId", "authenticatorEnrollmentId", "userId", "method"]
        .map { ($0, claims[$0]) })
  }
}

/// A check that a challenge failed.
package struct CheckFailure: Error, Sendable, Hashable {
  /// The check, such as `P3`, `V6`, or `H2`.
  package var check: String
  /// The kind of error that the application receives.
  package var kind: Kind
  /// The problem.
  package var message: String

  /// The kind of error that a failed check causes.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// `securityError(jwtError(…))`
    case jwt = "jwtError"
    /// `pushNotRecognized`
    case notRecognized = "pushNotRecognized"
    /// `internalError`
    case internalError
    /// `accountNotFoundForChallenge`
    case unknownEnrollment = "accountNotFoundForChallenge"
    /// `duplicateChallenge`
    case duplicate = "duplicateChallenge"
    /// `unsupportedTransactionType`
    case unsupportedType = "unsupportedTransactionType"
  }

  /// Creates a failure.
  package init(_ check: String, _ kind: Kind, _ message: String) {
    self.check = check
    self.kind = kind
    self.message = message
  }

  /// Creates a failure that the application receives as `securityError(jwtError(…))`.
  package static func jwt(_ check: String, _ message: String) -> CheckFailure { CheckFailure(check, .jwt, message) }
}
