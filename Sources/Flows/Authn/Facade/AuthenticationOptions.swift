// Options of primary authentication in addition to user name and password (authn §2.1).

import EventStore
import FlowRecording

/// Options of a sign-in. The defaults match the plain methods.
public struct OktaAuthenticationOptions: Sendable, Hashable {
  /// Whether to return to MFA_ENROLL after an enrollment while optional factors remain.
  public var multiOptionalFactorEnroll = true
  /// Whether the org warns of a password that expires soon.
  public var warnBeforePasswordExpired = true
  /// Returned unchanged in later answers; at most 2048 bytes.
  public var relayState: String?
  /// The application's id or URI, for a step-up that the org starts.
  public var audience: String?
  /// The activation token of a new user; replaces user name and password.
  public var activationToken: String?
  /// The id of the device, 1 to 32 letters, digits and `+/=-_`; sent as cookie `DT` for the rest of the flow, and as
  /// context. With an invalid token, the call fails with `OktaError.invalidParameters`, and nothing is sent.
  public var deviceToken: String?
  /// A fingerprint of the device computed by the application; the org uses it for «new sign-in» emails.
  public var deviceFingerprint: String?
  /// The API token of a trusted application; sent as `Authorization: SSWS …`, only to the org's own origin and only
  /// with the credentials: later requests are authorized by the transaction's token (authn §2.3). Not for applications
  /// that run on users' machines.
  public var apiToken: String?
  /// The user's IP address, for a trusted application that signs in on behalf of a person; sent as `X-Forwarded-For`,
  /// only to the org's own origin and only together with the API token.
  public var forwardedFor: String?
  /// Languages for texts and messages of the org, as in the header `Accept-Language`: `de, en;q=0.5`. Also sent with
  /// later requests of the flow, until the next call of this kind, because the org uses them for errors, text messages
  /// and emails.
  public var acceptLanguage: String?

  /// Whether the languages apply to later requests; not in recordings of versions that sent them once.
  var languagesStay = true
  /// Whether the device token applies when the call's request is sent; not in recordings of versions in which a refused
  /// call's token counted too.
  var deviceOnceSent = true

  /// The options of the plain methods.
  public init() {}

  /// The device token as an argument: null if it cannot be sent, so that the core refuses the call.
  private var checkedDeviceToken: JSON? {
    deviceToken.map { DeviceToken.checked($0).map(JSON.string) ?? .null }
  }

  /// The settings that a flow keeps in addition to the options.
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
