// A CAPTCHA (idx §4).

import EventStore

extension Response {
  /// A CAPTCHA that is displayed by its provider's widget and verified by the org.
  public struct Captcha: Sendable, Hashable {
    /// The ID at the org.
    public let id: String
    /// The name that an administrator gave it; empty if there is none.
    public let name: String
    /// The key for setting up the provider's widget.
    public let siteKey: String
    /// The CAPTCHA provider.
    public let type: Kind

    /// CAPTCHA providers.
    public enum Kind: OpenVocabulary {
      /// hCaptcha.
      case hCaptcha
      /// Google's reCAPTCHA, version 2.
      case reCaptchaV2
      /// Any other provider, by its name on the wire.
      case unknown(String)

      /// Creates a kind from its name on the wire, such as `HCAPTCHA`.
      public init(string: String) {
        switch string {
        case "HCAPTCHA": self = .hCaptcha
        case "RECAPTCHA_V2": self = .reCaptchaV2
        default: self = .unknown(string)
        }
      }

      /// Whether this is `unknown`.
      public var isUnknown: Bool { if case .unknown = self { true } else { false } }
    }

    init?(_ json: JSON?) {
      guard let json, let id = json["id"]?.string, let siteKey = json["siteKey"]?.string else { return nil }
      self.id = id
      name = json["name"]?.string ?? ""
      self.siteKey = siteKey
      type = Kind(string: json["type"]?.string ?? "")
    }
  }
}
