// What primary authentication can be given beside user name and password (authn §2.1).

import EventStore
import FlowRecording

/// What else is sent with a sign-in. Each member has the value that sends what the plain methods send.
public struct OktaAuthenticationOptions: Sendable, Hashable {
  /// Whether to come back to MFA_ENROLL after one enrolment while optional factors remain.
  public var multiOptionalFactorEnroll = true
  /// Whether the org warns of a password that expires soon.
  public var warnBeforePasswordExpired = true
  /// Comes back unchanged in later answers; at most 2048 bytes.
  public var relayState: String?
  /// The application's id or URI, for a step-up that the org starts.
  public var audience: String?
  /// The activation token of a new user; takes the place of user name and password.
  public var activationToken: String?
  /// The id of the device, 1 to 32 letters, digits and `+/=-_`; sent as cookie `DT` for the rest of the flow, and as
  /// context. With any other token the call fails with `OktaError.invalidParameters`, and nothing is sent.
  public var deviceToken: String?
  /// What the application computed of the device; feeds the org's «new sign-in» mails.
  public var deviceFingerprint: String?
  /// The API token of a trusted application; sent as `Authorization: SSWS …`, to the org's own origin alone, and with the
  /// credentials alone: what follows is authorized by the transaction's token (authn §2.3). Not for applications that run where
  /// users are.
  public var apiToken: String?
  /// The user's IP address, for a trusted application that signs in for another person; sent as `X-Forwarded-For`, to
  /// the org's own origin alone, and beside the API token alone.
  public var forwardedFor: String?
  /// Languages for texts and messages of the org, as in the header `Accept-Language`: `de, en;q=0.5`. Sent with what follows in
  /// the flow too, until the next call of this kind: the org words errors, text messages and mails in them.
  public var acceptLanguage: String?

  /// Whether the languages go along with what follows; not in recordings of versions that sent them once.
  var languagesStay = true
  /// Whether the device token counts once the call's request is sent; not in recordings of versions in which that of a refused
  /// call counted too.
  var deviceOnceSent = true

  /// The options of the plain methods.
  public init() {}

  /// The device token as an argument: null if it cannot be sent, so that the core refuses the call.
  private var checkedDeviceToken: JSON? {
    deviceToken.map { DeviceToken.checked($0).map(JSON.string) ?? .null }
  }

  /// What a flow keeps of the options, beside them.
  var standing: [(String, JSON?)] {
    [
      ("languagesStay", acceptLanguage != nil && languagesStay ? true : nil),
      ("deviceOnceSent", deviceToken != nil && deviceOnceSent ? true : nil),
    ]
  }

  var arguments: [(String, JSON?)] {
    [
      ("multiOptionalFactorEnroll", multiOptionalFactorEnroll ? nil : false),
      ("warnBeforePasswordExpired", warnBeforePasswordExpired ? nil : false),
      ("relayState", relayState.map(JSON.string)), ("audience", audience.map(JSON.string)),
      ("token", activationToken.map(JSON.string)), ("deviceToken", checkedDeviceToken),
      ("deviceFingerprint", deviceFingerprint.map(JSON.string)),
      ("apiToken", apiToken.map(JSON.string)), ("forwardedFor", forwardedFor.map(JSON.string)),
      ("acceptLanguage", acceptLanguage.map(JSON.string)),
    ]
  }
}
