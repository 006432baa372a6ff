// The answers of the person with the phone.

/// The end of a push challenge.
public enum PushAnswer: Sendable, Equatable, CaseIterable {
  /// «Yes, it's me»: `SUCCESS`, or the next step of the sign-in.
  case approve
  /// «No, it's not me»: `REJECTED`.
  case reject
  /// The user does not answer: `TIMEOUT`.
  case timeOut
  /// The question is dismissed on the phone: `CANCELLED`.
  case cancel
}
