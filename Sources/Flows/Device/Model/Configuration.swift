// The configuration of an application (spec/device.md §16.1, §16.2).

public import Foundation

/// The push service environment that delivers an application's notifications.
public enum APSEnvironment: String, Sendable, Hashable, CaseIterable {
  /// The environment for released applications.
  case production
  /// The environment for applications in development.
  case development
}

/// Settings for push notifications and their buttons.
public struct PushSettings: Sendable, Hashable {
  /// The push service environment.
  public var apsEnvironment: APSEnvironment
  /// The title of the button that approves.
  public var approveActionTitle: String?
  /// The title of the button that denies.
  public var denyActionTitle: String?
  /// The title of the button for a challenge that requires user verification.
  public var userVerificationActionTitle: String?

  /// Creates settings.
  public init(
    apsEnvironment: APSEnvironment = .production, approveActionTitle: String? = nil, denyActionTitle: String? = nil,
    userVerificationActionTitle: String? = nil
  ) {
    self.apsEnvironment = apsEnvironment
    self.approveActionTitle = approveActionTitle
    self.denyActionTitle = denyActionTitle
    self.userVerificationActionTitle = userVerificationActionTitle
  }
}

/// The identity and settings of an application.
public final class ApplicationConfig {
  /// The application's name, known to orgs as the bundle ID.
  public let applicationName: String
  /// The application's version.
  public let applicationVersion: String
  /// The name of the directory for the application's storage.
  public let applicationGroupId: String
  /// A name that separates its keys from those of other applications in the same group.
  public let keychainGroupId: String?
  /// The ID of the installation. If it is `nil`, an ID is generated and stored.
  public let applicationInstallationId: String?
  /// The settings for push notifications.
  public var pushSettings = PushSettings()
  /// Additional origins under which orgs are known, such as custom domains (§8.2).
  public var trustedOrigins: [URL] = []
  /// The `aud` values that a challenge may have in addition to the product's own and the client ID.
  public var acceptedAudiences: [String] = []

  /// Creates a configuration.
  public init(
    applicationName: String, applicationVersion: String, applicationGroupId: String, keychainGroupId: String? = nil,
    applicationInstallationId: String? = nil
  ) {
    self.applicationName = applicationName
    self.applicationVersion = applicationVersion
    self.applicationGroupId = applicationGroupId
    self.keychainGroupId = keychainGroupId
    self.applicationInstallationId = applicationInstallationId
  }

  /// The push service environment that delivers notifications.
  public var apsEnvironment: APSEnvironment {
    get { pushSettings.apsEnvironment }
    set { pushSettings.apsEnvironment = newValue }
  }
}

/// Identifies an authenticator of an org.
public struct DeviceAuthenticatorConfig: Sendable, Hashable {
  /// The org's URL in normalized form: `https`, host, and port. `http` is kept only for this machine.
  public let orgURL: URL
  /// The authenticator's key.
  public let authenticatorKey: String
  /// The ID of the OAuth client that the access token was issued to.
  public let oidcClientId: String

  /// Creates a configuration. A URL without a scheme becomes `https`; anything after host and port is removed.
  public init(orgURL: URL, oidcClientId: String) {
    self.orgURL = DeviceTexts.orgURL(orgURL.absoluteString).flatMap { URL(string: $0) } ?? orgURL
    authenticatorKey = DeviceVocabulary.authenticatorKey
    self.oidcClientId = oidcClientId
  }

  /// The org's URL if requests may be sent to it; otherwise `nil`.
  var usableURL: String? { DeviceTexts.orgURL(orgURL.absoluteString) }
}

/// The name in the original API.
public typealias AuthenticatorConfig = DeviceAuthenticatorConfig

/// The push token to which an installation's notifications are sent. It is never printed, because anyone who has it can
/// send notifications.
public enum DeviceToken: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// No token yet. Challenges can still be pulled.
  case empty
  /// The token's bytes, as provided by a push service.
  case tokenData(Data)
  /// A text token that the org's push provider can deliver to.
  case tokenString(String)

  /// The token as sent to the org: the bytes in lowercase hex, or the text.
  var text: String {
    switch self {
    case .empty: ""
    case .tokenData(let data): DeviceTexts.hex(data)
    case .tokenString(let text): text
    }
  }

  /// The kind of token only.
  public var description: String { self == .empty ? "DeviceToken(empty)" : "DeviceToken" }
  /// Nothing, because the token is secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// How a user verification key is bound.
public struct BiometricEnrollmentSettings: Sendable, Hashable {
  /// What unlocks the key.
  public struct AccessControlFlags: OptionSet, Sendable, Hashable {
    /// The bits of the option set.
    public let rawValue: Int
    /// Creates flags from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Any verified person.
    public static let userPresence = AccessControlFlags(rawValue: 1)
    /// Any enrolled finger or face.
    public static let biometryAny = AccessControlFlags(rawValue: 2)
    /// Only the fingers or faces enrolled when the key was created.
    public static let biometryCurrentSet = AccessControlFlags(rawValue: 4)
    /// The device's passcode.
    public static let devicePasscode = AccessControlFlags(rawValue: 8)
    /// The key may be used for signing.
    public static let privateKeyUsage = AccessControlFlags(rawValue: 16)
  }

  /// What unlocks the key. A verifier's enrolled set binds keys regardless; the flags are only stored.
  public var accessControlFlags: AccessControlFlags

  /// Creates settings.
  public init(accessControlFlags: AccessControlFlags) { self.accessControlFlags = accessControlFlags }

  /// The default: only the fingers or faces enrolled when the key was created.
  public static let `default` = BiometricEnrollmentSettings(
    accessControlFlags: [.biometryCurrentSet, .privateKeyUsage])
}

/// The parameters of an enrollment.
public struct EnrollmentParameters: Sendable {
  /// The push token to which notifications are sent.
  public var deviceToken: DeviceToken
  /// Whether to enroll a user verification key; `nil` to leave this unspecified.
  public private(set) var userVerification: Bool?
  /// How the user verification key is bound.
  public private(set) var userVerificationSettings = BiometricEnrollmentSettings.default
  /// Whether the enrollment accepts CIBA challenges.
  public private(set) var isCIBAEnabled = false

  /// Creates parameters with the bytes of a push token, as in the original API.
  public init(deviceToken: Data, enableUserVerification: Bool) {
    self.deviceToken = .tokenData(deviceToken)
    userVerification = enableUserVerification
  }

  /// Creates parameters with a push token that leave user verification unspecified.
  public init(deviceToken: DeviceToken) { self.deviceToken = deviceToken }

  /// Specifies whether to enroll a user verification key.
  public mutating func enableUserVerification(
    enable: Bool, userVerificationSettings: BiometricEnrollmentSettings = .default
  ) {
    userVerification = enable
    self.userVerificationSettings = userVerificationSettings
  }

  /// Specifies whether the enrollment accepts CIBA challenges.
  public mutating func enableCIBATransactions(enable: Bool) { isCIBAEnabled = enable }
}

/// Constants that describe the SDK.
public enum DeviceAuthenticatorConstants {
  /// The SDK's version.
  public static let version = "0.1.0"
  /// The SDK's name.
  public static let name = "DeviceAuthenticator"
  /// The directory for storage, relative to the group's directory.
  public static let defaultStorageRelativeDirectoryPath = "DeviceAuthenticator"
  /// The name of the storage file.
  public static let defaultStorageName = "DeviceAuthenticator.db"
}
