// The org's handling of custom push authenticators (device.md §4, §20).

public import Foundation

/// The settings of the org's push authenticators.
public struct OrgDevices: Sendable {
  /// What a challenge names as its audience.
  public enum Audience: Sendable, Equatable {
    /// The constant that orgs send, whatever the application.
    case constant
    /// The OAuth client that the authenticator was enrolled through.
    case client

    /// `aud` of challenges under `constant`.
    public static let value = "okta.63c081db-1f13-5084-882f-e79e1e5e2da7"
  }

  /// The party that answers a push that a sign-in starts.
  public enum PushSource: Sendable, Equatable {
    /// The enrolled devices of the user; for a user without one, the answers given by `SimulatedOrg.answerPush`.
    case devices
    /// Only the answers given by `SimulatedOrg.answerPush`. Devices are not challenged.
    case script
  }

  /// The org's id.
  public var organizationID = "00o1simulatedorg0000"
  /// Whether the feature is on; otherwise every call is refused with 401 `E0000015`.
  public var isEnabled = true
  /// The authenticators, the first one first in every list.
  public var authenticators: [OrgAppAuthenticator] = [.init()]
  /// The platforms that may enroll. Okta lists `ANDROID` and `IOS` only.
  public var platforms: Set<String> = ["ANDROID", "IOS", "MACOS", "LINUX"]
  /// `aud` of challenges.
  public var audience = Audience.constant
  /// Whether a new LOGIN challenge ends the pending ones of the same user and client.
  public var supersedesPending = false
  /// The party that answers a push that a sign-in starts.
  public var pushSource = PushSource.devices
  /// What such a push asks of the device; `nil` to follow the authenticator's own policy.
  public var signInVerification: OrgUserVerification?
  /// `appInstanceName` of challenges that no named application starts.
  public var applicationName = "Acme Portal"
  /// `clientLocation` of challenges.
  public var clientLocation = "Oslo, Norway"
  /// Seconds an access token lives.
  public var tokenLifetime: TimeInterval = 3600

  /// The usual settings: one authenticator, user verification preferred.
  public init() {}

  /// The same settings with some changed.
  public func with(_ change: (inout OrgDevices) -> Void) -> OrgDevices {
    var devices = self
    change(&devices)
    return devices
  }
}
