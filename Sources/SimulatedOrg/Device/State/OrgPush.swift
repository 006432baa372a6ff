// A challenge on its way to a device (device.md §7.1).

/// A notification as the push service would carry it.
public struct OrgPush: Sendable, Equatable {
  /// Where it goes: the token that the enrollment gave.
  public let pushToken: String
  /// The enrollment that is challenged.
  public let enrollmentID: String
  /// The challenge, which is the transaction.
  public let challengeID: String
  /// `payloadVersion`, `challenge` and `aps`.
  public let payload: OrgJSON
}
