// Capabilities that are data (idx §8, 5-10).

import EventStore
import FlowRecording
public import Foundation

extension Capability {
  /// What the org knows of an authenticator, most of it hidden: `a***n@acme.example`.
  public struct Profile: AuthenticatorCapability, Hashable {
    /// The texts by their names.
    public let values: [String: String]

    init(_ json: JSON) {
      values = Dictionary(
        (json.object?.members ?? []).compactMap { member in member.value.string.map { (member.key, $0) } },
        uniquingKeysWith: { _, last in last })
    }

    /// The text of that name.
    public subscript(name: String) -> String? { values[name] }
  }

  /// What a password must be like.
  public struct PasswordSettings: AuthenticatorCapability, Hashable {
    /// In how many days the password expires; 0 if the org does not say.
    public let daysToExpiry: Int
    /// How long it must be, in characters.
    public let minLength: Int
    /// How many lower-case letters it needs.
    public let minLowerCase: Int
    /// How many upper-case letters it needs.
    public let minUpperCase: Int
    /// How many digits it needs.
    public let minNumber: Int
    /// How many symbols it needs.
    public let minSymbol: Int
    /// How often a character may stand in a row; 0 for no limit.
    public let maxConsecutiveRepeatingCharacters: Int
    /// Whether it must not contain the user name.
    public let excludeUsername: Bool
    /// Parts of the profile that it must not contain: `firstName`.
    public let excludeAttributes: [String]

    init(_ settings: JSON) {
      let complexity = settings["complexity"]
      func number(_ name: String) -> Int { complexity?[name]?.int ?? 0 }
      daysToExpiry = settings["daysToExpiry"]?.int ?? 0
      minLength = number("minLength")
      minLowerCase = number("minLowerCase")
      minUpperCase = number("minUpperCase")
      minNumber = number("minNumber")
      minSymbol = number("minSymbol")
      maxConsecutiveRepeatingCharacters = number("maxConsecutiveRepeatingCharacters")
      excludeUsername = complexity?["excludeUsername"]?.bool ?? false
      excludeAttributes = (complexity?["excludeAttributes"]?.array ?? []).compactMap(\.string)
    }

    /// The rules as password generators read them: `required: minlength: 8`, one a line.
    public var passwordRules: String {
      let rules = [
        ("minlength: ", minLength), ("lower: ", minLowerCase), ("upper: ", minUpperCase), ("digit: ", minNumber),
        ("symbol: ", minSymbol), ("max-consecutive: ", maxConsecutiveRepeatingCharacters),
      ]
      return rules.filter { $0.1 > 0 }.map { "required: \($0.0)\($0.1)" }.joined(separator: ";\n")
    }
  }

  /// A code to scan into an app that makes one-time codes. What it prints of itself shows neither code nor secret.
  public struct OTP: AuthenticatorCapability, Hashable, CustomStringConvertible, CustomReflectable {
    /// The type of the image: `image/png`.
    public let mimeType: String
    /// The image of the QR code.
    public let imageData: Data
    /// The secret to type if no code can be scanned.
    public let sharedSecret: String?

    init?(_ reading: AuthenticatorReading) {
      guard let code = reading.qrCode,
        let data = Data(base64Encoded: String(code.base64), options: .ignoreUnknownCharacters)
      else { return nil }
      mimeType = code.mimeType
      imageData = data
      sharedSecret = reading.contextualData?["sharedSecret"]?.string
    }

    /// The size of the image.
    public var description: String { "OTP(\(mimeType), \(imageData.count) bytes)" }

    /// No children: a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// What a Duo prompt needs, and what it brings.
  public final class Duo: AuthenticatorCapability, CustomStringConvertible, CustomReflectable {
    /// Duo's host.
    public let host: String
    /// The token that Duo signed the prompt with.
    public let signedToken: String
    /// The script that shows the prompt.
    public let script: String
    private let signature = Locked<String?>(nil)

    init(host: String, signedToken: String, script: String) {
      self.host = host
      self.signedToken = signedToken
      self.script = script
    }

    /// What the prompt brought; it goes into the remediation when that is sent.
    public var signatureData: String? {
      get { signature.withLock { $0 } }
      set { signature.withLock { $0 = newValue } }
    }

    /// The host.
    public var description: String { "Duo(\(host))" }

    /// No children: a dump shows no token.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// A number to choose on a device.
  public struct NumberChallenge: AuthenticatorCapability, Hashable {
    /// The number to choose.
    public let correctAnswer: String
  }

  /// An identity provider to go on at, in a browser.
  public struct SocialIDP: RemediationCapability, Hashable {
    /// What a browser must open. The redirect back goes to `InteractionCodeFlow.redirectResult(for:)`.
    public let redirectUrl: URL
    /// The provider's id.
    public let id: String
    /// The provider's name.
    public let idpName: String
    /// Which service it is.
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
      /// Another org.
      case okta
      /// Integrated Windows Authentication.
      case iwa
      /// The same without an agent.
      case agentlessIwa
      /// A certificate.
      case x509
      /// Apple.
      case apple
      /// A provider of the integration network.
      case oinSocial
      /// Any other; its wire name stays.
      case other(String)

      /// Reads the word of the wire: `SAML2`.
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

    /// Whether both lead to the same provider in the same way, whatever responses they are from.
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
