// What to do after an error code (authn §9.2).

/// What to do after an error from the org.
public enum OktaErrorAdvice: String, Sendable, Hashable, CaseIterable {
  /// The input was rejected. The status is unchanged, and the same step can be tried again.
  case retryStep
  /// The request came too soon or too often. Wait, then try again.
  case waitThenRetry
  /// The transaction is over, or has moved on without this step. Start over.
  case startOver
  /// The request is not valid, or the org is not configured for it.
  case checkConfiguration
  /// The org has a problem. Try again later.
  case tryLater

  private static let codes: [OktaErrorAdvice: Set<String>] = [
    .retryStep: ["E0000014", "E0000068", "E0000080", "E0000082", "E0000083", "E0000087"],
    .waitThenRetry: ["E0000047", "E0000109", "E0000118", "E0000133", "E0000204", "E0000205"],
    .startOver: ["E0000011", "E0000069", "E0000079", "E0000105", "E0000110"],
    .checkConfiguration: ["E0000015", "E0000018", "E0000019", "E0000021", "E0000022", "E0000122"],
    .tryLater: ["E0000009", "E0000010", "E0000067", "E0000138", "E0000139"],
  ]

  /// The minimum number of seconds between codes by text message, email, and call.
  static let throttles = ["E0000109": 30, "E0000118": 5, "E0000133": 30]

  /// The advice for a code; `nil` if the code alone does not determine it.
  public init?(errorCode: String) {
    guard let advice = OktaErrorAdvice.codes.first(where: { $0.value.contains(errorCode) }) else { return nil }
    self = advice.key
  }

  /// One sentence for a person.
  public var sentence: String {
    switch self {
    case .retryStep: "Check what was typed and try this step again"
    case .waitThenRetry: "Wait a little, then try again"
    case .startOver: "The sign-in is over; begin again"
    case .checkConfiguration: "Check how the application and the org are set up"
    case .tryLater: "The org has trouble; try again later"
    }
  }
}
