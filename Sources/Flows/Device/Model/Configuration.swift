// What an application configures (spec/device.md §16.1, §16.2).

public import Foundation

/// Which push service an application's notifications come through.
public enum APSEnvironment: String, Sendable, Hashable, CaseIterable {
  /// The one of applications that people use.
  case production
  /// The one of applications that are being made.
  case development
}

/// How notifications come, and what their buttons say.
public struct PushSettings: Sendable, Hashable {
  /// Which push service.
  public var apsEnvironment: APSEnvironment
  /// The title of the button that approves.
  public var approveActionTitle: String?
  /// The title of the button that denies.
  public var denyActionTitle: String?
  /// The title of the button of a challenge that wants user verification.
  public var userVerificationActionTitle: String?

  /// Makes settings.
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

/// What the application is.
public final class ApplicationConfig {
  /// Its name, which orgs know as the bundle id.
  public let applicationName: String
  /// Its version.
  public let applicationVersion: String
  /// The name of the directory of its storage.
  public let applicationGroupId: String
  /// A name for its keys apart from other applications of the same group.
  public let keychainGroupId: String?
  /// What the installation is recognised by; one is made and kept if it is nil.
  public let applicationInstallationId: String?
  /// How notifications come.
  public var pushSettings = PushSettings()
  /// Origins under which orgs are known beside their URL: custom domains (§8.2).
  public var trustedOrigins: [URL] = []
  /// What counts as `aud` of a challenge beside the product's own and the client id.
  public var acceptedAudiences: [String] = []

  /// Makes a configuration.
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

  /// Which push service the notifications come through.
  public var apsEnvironment: APSEnvironment {
    get { pushSettings.apsEnvironment }
    set { pushSettings.apsEnvironment = newValue }
  }
}

/// Which authenticator of which org.
public struct DeviceAuthenticatorConfig: Sendable, Hashable {
  /// The org's URL in its one form: `https`, host and port. `http` is kept for this machine alone.
  public let orgURL: URL
  /// The authenticator's key.
  public let authenticatorKey: String
  /// The OAuth client that the access token is for.
  public let oidcClientId: String

  /// Makes a configuration. A URL without a scheme is taken as `https`; what is behind host and port is left out.
  public init(orgURL: URL, oidcClientId: String) {
    self.orgURL = DeviceTexts.orgURL(orgURL.absoluteString).flatMap { URL(string: $0) } ?? orgURL
    authenticatorKey = DeviceVocabulary.authenticatorKey
    self.oidcClientId = oidcClientId
  }

  /// The org's URL, if requests may go there.
  var usableURL: String? { DeviceTexts.orgURL(orgURL.absoluteString) }
}

/// The name in the seed document.
public typealias AuthenticatorConfig = DeviceAuthenticatorConfig

/// Where notifications of an installation go. It prints nothing: whoever has it can send notifications.
public enum DeviceToken: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// None yet; challenges can be pulled.
  case empty
  /// The bytes of a push service.
  case tokenData(Data)
  /// A text that the org's push provider can deliver to.
  case tokenString(String)

  /// What the org is given: lower-case hex of bytes, or the text.
  var text: String {
    switch self {
    case .empty: ""
    case .tokenData(let data): DeviceTexts.hex(data)
    case .tokenString(let text): text
    }
  }

  /// The kind alone.
  public var description: String { self == .empty ? "DeviceToken(empty)" : "DeviceToken" }
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// How a key of a verified person is bound.
public struct BiometricEnrollmentSettings: Sendable, Hashable {
  /// What unlocks the key.
  public struct AccessControlFlags: OptionSet, Sendable, Hashable {
    /// The number.
    public let rawValue: Int
    /// Flags of a number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Anyone who is verified.
    public static let userPresence = AccessControlFlags(rawValue: 1)
    /// Any enrolled finger or face.
    public static let biometryAny = AccessControlFlags(rawValue: 2)
    /// Those enrolled when the key was made.
    public static let biometryCurrentSet = AccessControlFlags(rawValue: 4)
    /// The device's pass code.
    public static let devicePasscode = AccessControlFlags(rawValue: 8)
    /// The use of the private key.
    public static let privateKeyUsage = AccessControlFlags(rawValue: 16)
  }

  /// What unlocks the key. A verifier's enrolled set binds keys in any case; the flags are carried.
  public var accessControlFlags: AccessControlFlags

  /// Makes settings.
  public init(accessControlFlags: AccessControlFlags) { self.accessControlFlags = accessControlFlags }

  /// Those enrolled when the key was made.
  public static let `default` = BiometricEnrollmentSettings(
    accessControlFlags: [.biometryCurrentSet, .privateKeyUsage])
}

/// What an enrollment is asked with.
public struct EnrollmentParameters: Sendable {
  /// Where notifications go.
  public var deviceToken: DeviceToken
  /// Whether a key of a verified person is enrolled; nil says nothing of it.
  public private(set) var userVerification: Bool?
  /// How that key is bound.
  public private(set) var userVerificationSettings = BiometricEnrollmentSettings.default
  /// Whether CIBA challenges are taken.
  public private(set) var isCIBAEnabled = false

  /// Parameters with a token's bytes, as in the seed document.
  public init(deviceToken: Data, enableUserVerification: Bool) {
    self.deviceToken = .tokenData(deviceToken)
    userVerification = enableUserVerification
  }

  /// Parameters with a token, and nothing said of user verification.
  public init(deviceToken: DeviceToken) { self.deviceToken = deviceToken }

  /// Says whether a key of a verified person is enrolled.
  public mutating func enableUserVerification(
    enable: Bool, userVerificationSettings: BiometricEnrollmentSettings = .default
  ) {
    userVerification = enable
    self.userVerificationSettings = userVerificationSettings
  }

  /// Says whether CIBA challenges are taken.
  public mutating func enableCIBATransactions(enable: Bool) { isCIBAEnabled = enable }
}

/// What the SDK is called.
public enum DeviceAuthenticatorConstants {
  /// The SDK's version.
  public static let version = "0.1.0"
  /// The SDK's name.
  public static let name = "DeviceAuthenticator"
  /// Where storage is below the group's directory.
  public static let defaultStorageRelativeDirectoryPath = "DeviceAuthenticator"
  /// The name of the storage's file.
  public static let defaultStorageName = "DeviceAuthenticator.db"
}
