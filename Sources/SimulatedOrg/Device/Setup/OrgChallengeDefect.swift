// What can be wrong with a challenge (device.md §20.5).

/// A defect for which a device should reject a challenge.
public enum OrgChallengeDefect: Sendable, Equatable {
  /// A byte of the signature is changed.
  case wrongSignature
  /// Another key signed, under the right `kid`.
  case otherKey
  /// The header names a key that the issuer does not publish.
  case unknownKey
  /// `alg` is `none`, and there is no signature.
  case unsigned
  /// HS256 with the public key's modulus as the secret.
  case sharedSecret
  /// A member of the header has this value; it is left out if `nil`. The signature is right.
  case header(String, OrgJSON?)
  /// A claim has this value; it is left out if `nil`. The signature is right.
  case claim(String, OrgJSON?)
  /// It expired this many seconds ago. The signature is right.
  case expired(seconds: Int = 3600)
  /// It is issued this many seconds from now. The signature is right.
  case early(seconds: Int = 3600)
  /// The payload of the enrollment's challenge before it is delivered again in its place, if there was one.
  case replayed
  /// The notification has this payload version.
  case payloadVersion(OrgJSON)
  /// The challenge in the notification is this value, whatever it is.
  case payload(OrgJSON)
}
