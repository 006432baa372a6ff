// Names of the Identity Engine that the SDK treats in a way of their own (idx §13).

enum IDXVocabulary {
  /// Remediations that are polled (§8, 4).
  static let polls: Set<String> = ["enroll-poll", "challenge-poll", "device-challenge-poll", "poll"]
  static let cancel = "cancel"
  static let issue = "issue"
  /// The content type of the Identity Engine (§3).
  static let ion = "application/ion+json; okta-version=1.0.0"
  static let form = "application/x-www-form-urlencoded"
}
