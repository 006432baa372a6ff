// How an application configures its sign-ins (oidc §1).

public import Foundation

/// The configuration of one client of one authorization server.
///
/// It comes from a dictionary, a property list, or a JSON file with the same keys: `issuer`, `clientId`, `redirectUri`
/// and `scopes` are required, `logoutRedirectUri` is needed to sign out, and each other key is a parameter of
/// `/authorize` and of the sign-out.
///
/// Two configurations are equal if these six fields are; `options` does not count, and is not encoded.
public struct OktaAuthConfig: Sendable {
  /// The name of the property list that `default()` reads: `Okta`.
  public static let defaultPlistName = "Okta"

  /// The client id.
  public let clientId: String
  /// The issuer as configured, without a slash at its end: `https://acme.example/oauth2/default`.
  public let issuer: String
  /// The scopes to ask for, separated by single spaces.
  public let scopes: String
  /// Where the authorization server sends the browser back to.
  public let redirectUri: URL
  /// Where the authorization server sends the browser after a sign-out; `nil` if the client does not sign out.
  public let logoutRedirectUri: URL?
  /// Further parameters of `/authorize` and of the sign-out; none of them is a parameter of the protocol.
  public let additionalParams: [String: String]?
  /// The options that are configured in code and are in no file.
  public var options = OktaAuthOptions()
  /// Sees requests and answers; held weakly.
  public weak var requestCustomizationDelegate: (any OktaNetworkRequestCustomizationDelegate)?

  /// Reads `Okta.plist`, or `Okta.json`, beside the program or in the working directory.
  ///
  /// - Throws: `notConfigured` if there is neither, else as `init(fromPlist:)`.
  public static func `default`() throws(OktaError) -> OktaAuthConfig {
    guard let file = ConfigurationSource.find(defaultPlistName) else { throw .notConfigured }
    return try OktaAuthConfig(file: file)
  }

  /// Takes the values of a dictionary.
  ///
  /// - Parameter dictionary: values by the keys of oidc §1.1.
  /// - Throws: `missingConfigurationValues` if a required value is missing or empty, or if a URI cannot be one.
  public init(with dictionary: [String: String]) throws(OktaError) {
    try self.init(values: dictionary)
  }

  /// Reads a property list by its name, beside the program or in the working directory.
  ///
  /// - Parameter name: the name, without `.plist`, or a path.
  /// - Throws: `noPListGiven` if there is no such file, `pListParseFailure` if it cannot be read, is malformed or has a
  ///   value that is not text, and `missingConfigurationValues` as `init(with:)`.
  public init(fromPlist name: String) throws(OktaError) {
    guard let file = ConfigurationSource.find(name) else { throw .noPListGiven }
    try self.init(file: file)
  }

  /// Reads a property list or a JSON file.
  ///
  /// - Parameter file: the file; JSON if its name ends in `.json`.
  /// - Throws: as `init(fromPlist:)`.
  public init(file: URL) throws(OktaError) {
    try self.init(values: ConfigurationSource.values(of: file))
  }

  /// Whether a sign-in in the browser asks the person again: `options.noSSO`.
  public var noSSO: Bool {
    get { options.noSSO }
    set { options.noSSO = newValue }
  }

  /// Sets what requests of this configuration's clients say about the client, in place of the SDK's own name. The
  /// original sets it for the whole process.
  ///
  /// - Parameter value: the value of `User-Agent`; what cannot be in a header is left out.
  public mutating func setUserAgent(value: String) {
    options.userAgent = String(decoding: value.utf8.filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
  }

  /// The same configuration with further parameters; those of the same name are replaced.
  ///
  /// - Throws: `missingConfigurationValues` never: a configuration that stands cannot lose a value.
  public func configuration(withAdditionalParams parameters: [String: String]) -> OktaAuthConfig {
    OktaAuthConfig(self, additional: (additionalParams ?? [:]).merging(parameters) { $1 })
  }
}
