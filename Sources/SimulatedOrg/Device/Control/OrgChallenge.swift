// A challenge as the org's administrator sees it.

public import Foundation

/// A challenge and its outcome.
public struct OrgChallenge: Sendable, Equatable {
  /// The answer that settled a challenge.
  public struct Answer: Sendable, Equatable {
    /// `kid` of the key that signed.
    public let keyID: String
    /// `proofOfPossession` or `userVerification`.
    public let keyType: String
    /// `userConsent`.
    public let consent: String
    /// `jti` of the answer.
    public let jti: String
    /// All claims.
    public let claims: OrgJSON
    /// The HTTP status that the device was given.
    public let status: Int
    /// When it came, on the org's clock.
    public let at: Date
  }

  /// Its id, which is the transaction's.
  public let id: String
  /// The enrollment that was asked.
  public let enrollmentID: String
  /// What it is about.
  public let transactionType: OrgTransactionType
  /// Its outcome so far.
  public let status: OrgChallengeStatus
  /// When it was made, on the org's clock.
  public let created: Date
  /// Until when it can be answered.
  public let expires: Date
  /// `payloadVersion` and `challenge`, as delivered.
  public let payload: OrgJSON
  /// The answer that settled it.
  public let answer: Answer?

  /// The challenge JWT, if it is a string.
  public var token: String? { payload["challenge"]?.string }
}

extension OrgState {
  func shown(_ challenge: DeviceChallenge) -> OrgChallenge {
    OrgChallenge(
      id: challenge.id, enrollmentID: challenge.enrollment, transactionType: challenge.type,
      status: challenge.status(at: now), created: challenge.created.date, expires: challenge.expires.date,
      payload: challenge.payload,
      answer: challenge.answer.map { answer in
        OrgChallenge.Answer(
          keyID: answer.token.header["kid"]?.string ?? "", keyType: answer.token.text("keyType") ?? "",
          consent: answer.token.claims["challengeResponseContext"]?["userConsent"]?.string ?? "",
          jti: answer.token.text("jti") ?? "", claims: answer.token.claims, status: answer.status, at: answer.at.date)
      })
  }
}
