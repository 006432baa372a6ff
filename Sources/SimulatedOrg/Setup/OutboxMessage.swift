// Messages that the org would have sent by means other than HTTP.

/// A code or token that left by phone or mail.
public struct OutboxMessage: Sendable, Equatable {
  /// The way it went.
  public enum Channel: String, Sendable, Equatable {
    /// A text message.
    case sms
    /// A voice call.
    case call
    /// An e-mail.
    case mail
  }

  /// The way it went.
  public let channel: Channel
  /// Phone number or address, unmasked.
  public let to: String
  /// The pass code, recovery token or activation link.
  public let code: String
  /// The address a mail carries beside the code: opening it answers the challenge (Identity Engine only).
  public let link: String?
  /// The login of the user it belongs to.
  public let userLogin: String
}
