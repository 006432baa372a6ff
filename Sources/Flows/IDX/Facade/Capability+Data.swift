// Capabilities that consist of data (idx §8, 5-10).

import EventStore
import FlowRecording
public import Foundation

extension Capability {
  /// What the org knows about an authenticator, mostly masked, such as `a***n@acme.example`.
  public struct Profile: AuthenticatorCapability, Hashable {
    /// The values by name.
    public let values: [String: String]

    init(_ json: JSON) {
      values = Dictionary(
        (json.object?.members ?? []).compactMap { member in member.value.string.map { (member.key, $0) } },
        uniquingKeysWith: { _, last in last })
    }

    /// Returns the value with the given name.
    public subscript(name: String) -> String? { values[name] }
  }

  /// The requirements for a password.
  public struct PasswordSettings: AuthenticatorCapability, Hashable {
    /// The number of days until the password expires; 0 if the org does not report it.
    public let daysToExpiry: Int
    /// The minimum length, in characters.
    public let minLength: Int
    /// The minimum number of lowercase letters.
    public let minLowerCase: Int
    /// The minimum number of uppercase letters.
    public let minUpperCase: Int
    /// The minimum number of digits.
    public let minNumber: Int
    /// The minimum number of symbols.
    public let minSymbol: Int
    /// How many times a character may be repeated in a row; 0 for no limit.
    public let maxConsecutiveRepeatingCharacters: Int
    /// Whether the password must not contain the username.
    public let excludeUsername: Bool
    /// The profile attributes that the password must not contain, such as `firstName`.
    public let excludeAttributes: [String]

    init(_ settings: JSON) {
      let complexity = settings["complexity"]
      // Some orgs write numbers and booleans as text.
      func integer(_ json: JSON?) -> Int { json?.int ?? json?.string.flatMap { Int($0) } ?? 0 }
      func number(_ name: String) -> Int { integer(complexity?[name]) }
      daysToExpiry = integer(settings["daysToExpiry"])
      minLength = number("minLength")
      minLowerCase = number("minLowerCase")
      minUpperCase = number("minUpperCase")
      minNumber = number("minNumber")
      minSymbol = number("minSymbol")
      maxConsecutiveRepeatingCharacters = number("maxConsecutiveRepeatingCharacters")
      excludeUsername = complexity?["excludeUsername"].flatMap(FieldReading.flag) ?? false
      excludeAttributes = (complexity?["excludeAttributes"]?.array ?? []).compactMap(\.string)
    }

    /// The rules in the format of password generators, one per line, such as `required: minlength: 8`.
    public var passwordRules: String {
      let rules = [
        ("minlength: ", minLength), ("lower: ", minLowerCase), ("upper: ", minUpperCase), ("digit: ", minNumber),
        ("symbol: ", minSymbol), ("max-consecutive: ", maxConsecutiveRepeatingCharacters),
      ]
      return rules.filter { $0.1 > 0 }.map { "required: \($0.0)\($0.1)" }.joined(separator: ";\n")
    }
  }

  /// A code to scan with an app that generates one-time codes. Its description contains neither the code nor the
  /// secret.
  public struct OTP: AuthenticatorCapability, Hashable, CustomStringConvertible, CustomReflectable {
    /// The media type of the image, such as `image/png`.
    public let mimeType: String
    /// The image of the QR code.
    public let imageData: Data
    /// The secret to enter if the code cannot be scanned.
    public let sharedSecret: String?

    init?(_ reading: AuthenticatorReading) {
      guard let code = reading.qrCode,
        let data = Data(base64Encoded: String(code.base64), options: .ignoreUnknownCharacters)
      else { return nil }
      mimeType = code.mimeType
      imageData = data
      sharedSecret = reading.contextualData?["sharedSecret"]?.string
    }

    /// The type and size of the image.
    public var description: String { "OTP(\(mimeType), \(imageData.count) bytes)" }

    /// No children, so that a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// The input of a Duo prompt, and its result.
  public final class Duo: AuthenticatorCapability, CustomStringConvertible, CustomReflectable {
    /// Duo's host.
    public let host: String
    /// The signed token for the prompt.
    public let signedToken: String
    /// The script that displays the prompt.
    public let script: String
    private let signature = Locked<String?>(nil)

    init(host: String, signedToken: String, script: String) {
      self.host = host
      self.signedToken = signedToken
      self.script = script
    }

    /// The result of the prompt, which is sent with the remediation.
    public var signatureData: String? {
      get { signature.withLock { $0 } }
      set { signature.withLock { $0 = newValue } }
    }

    /// The host.
    public var description: String { "Duo(\(host))" }

    /// No children, so that a dump shows no token.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// A number that the user must choose on a device.
  public struct NumberChallenge: AuthenticatorCapability, Hashable {
    /// The number to choose.
    public let correctAnswer: String
  }

  /// An identity provider with which to continue in a browser.
  public struct SocialIDP: RemediationCapability, Hashable {
    /// The URL to open in a browser. Pass the redirect to `InteractionCodeFlow.redirectResult(for:)`.
    public let redirectUrl: URL
    /// The provider's id.
    public let id: String
    /// The provider's name.
    public let idpName: String
    /// The provider's service.
    public let service: Service
    let origin: ResponseOrigin

    /// Services of identity providers.
    public enum Service: Swift.Sendable, Hashable {
      /// A SAML 2.0 provider.
      case saml
      /// Google.
      case google
      /// Facebook.
      case facebook
      /// LinkedIn.
      case linkedin
      /// Microsoft.
      case microsoft
      /// An OpenID Connect provider.
      case oidc
      /// Another Okta org.
      case okta
      /// Integrated Windows Authentication.
      case iwa
      /// Agentless Integrated Windows Authentication.
      case agentlessIwa
      /// A certificate.
      case x509
      /// Apple.
      case apple
      /// A provider from the Okta Integration Network.
      case oinSocial
      /// Any other service, by its name on the wire.
      case other(String)

      /// Creates a service from its name on the wire, such as `SAML2`.
      public init(string: String) { self.init(wire: string) }

      init(wire: String) {
        switch wire {
        case "SAML2": self = .saml
        case "GOOGLE": self = .google
        case "FACEBOOK": self = .facebook
        case "LINKEDIN": self = .linkedin
        case "MICROSOFT": self = .microsoft
        case "OIDC": self = .oidc
        case "OKTA": self = .okta
        case "IWA": self = .iwa
        case "AgentlessDSSO": self = .agentlessIwa
        case "X509": self = .x509
        case "APPLE": self = .apple
        case "OIN_SOCIAL": self = .oinSocial
        default: self = .other(wire)
        }
      }
    }

    init?(_ form: FormReading, _ origin: ResponseOrigin) {
      guard form.name == "redirect-idp", let type = form.json["type"]?.string,
        let id = form.json["idp"]?["id"]?.string, let name = form.json["idp"]?["name"]?.string,
        let url = form.href.flatMap({ URL(string: $0) })
      else { return nil }
      redirectUrl = url
      self.id = id
      idpName = name
      service = Service(wire: type)
      self.origin = origin
    }

    /// Returns whether both lead to the same provider in the same way, even if they come from different responses.
    public static func == (left: SocialIDP, right: SocialIDP) -> Bool {
      left.redirectUrl == right.redirectUrl && left.id == right.id && left.idpName == right.idpName
        && left.service == right.service
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(redirectUrl)
      hasher.combine(id)
      hasher.combine(idpName)
      hasher.combine(service)
    }
  }
}
