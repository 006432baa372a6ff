// The names of the checks on a challenge (spec/device.md §8.1, §8.2).

/// A check that a challenge must pass.
package enum ChallengeCheck: String, Sendable, CaseIterable {
  case p1 = "P1"
  case p2 = "P2"
  case p3 = "P3"
  case p4 = "P4"
  case p5 = "P5"
  case p6 = "P6"
  case p7 = "P7"
  case v1 = "V1"
  case v2 = "V2"
  case v3 = "V3"
  case v4 = "V4"
  case v5 = "V5"
  case v6 = "V6"
  case h1 = "H1"
  case h2 = "H2"
  case h3 = "H3"
  case h4 = "H4"
  case h5 = "H5"
  case h6 = "H6"
  case h7 = "H7"
  case h8 = "H8"
  case h9 = "H9"

  /// The checks on the notification itself.
  static let ofReading: [ChallengeCheck] = [.p1, .p2, .p3, .p4, .p5, .p6]
  /// The checks that need neither a network nor a key, in order.
  static let ofForm: [ChallengeCheck] = [.v1, .v2, .v3, .v4]
  /// Whether the challenge is for this enrollment and points to its org, in order.
  static let ofBelonging: [ChallengeCheck] = [.h1, .h2, .h3, .h4, .h5, .h6, .h7, .h8, .h9]

  /// What holds for a challenge that passes the check.
  package var sentence: String {
    switch self {
    case .p1: "the notification has our version"
    case .p2: "it carries a challenge"
    case .p3: "the challenge is a JWT of the right type"
    case .p4: "it has all claims that it must have"
    case .p5: "the URL for the answer is one"
    case .p6: "it has a context and an enrollment"
    case .p7: "the enrollment is one of this device"
    case .v1: "it has not expired"
    case .v2: "its algorithm is one of RSA"
    case .v3: "it was not issued in the future"
    case .v4: "it names its key"
    case .v5: "the org has that key"
    case .v6: "that key signed it"
    case .h1: "the issuer is the org"
    case .h2: "the audience is this product, or the client"
    case .h3: "the org is that of the enrollment"
    case .h4: "the person is that of the enrollment"
    case .h5: "the answer goes to the org"
    case .h6: "the method is push"
    case .h7: "it was not answered before"
    case .h8: "the enrollment takes such transactions"
    case .h9: "the enrollment that pulled it is the one that is meant"
    }
  }
}
