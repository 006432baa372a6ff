// Defects of the tokens that an authorization server issues.

/// A defect for which a client should reject a token answer.
///
/// Whole answers that go wrong (HTML, 429, cut connections) are a ``Fault``.
public enum OrgTokenDefect: Sendable, Equatable {
  /// The ID token is spoiled as a challenge would be; defects that only a challenge can have change nothing. Claims
  /// take any value: `.idToken(.claim("aud", "other"))`, `.idToken(.claim("nonce", nil))`.
  case idToken(OrgChallengeDefect)
  /// `iat` and `exp` of the ID token are off by this many seconds, as if the server's clock were.
  case skewed(seconds: Int)
  /// A member of the answer has this value; it is left out if `nil`: `.member("token_type", "DPoP")`.
  case member(String, OrgJSON?)
}
