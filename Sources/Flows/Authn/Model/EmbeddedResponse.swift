// The embedded objects of a transaction (authn §5): user, factors, rules, and target.

public import EventStore
public import Foundation

/// The embedded objects of a transaction.
public struct EmbeddedResponse: OktaWireObject {
  /// The object as the org sent it.
  public let json: JSON

  /// Reads embedded objects; `nil` if the value is not an object.
  public init?(json: JSON) {
    guard json.object != nil else { return nil }
    self.json = json
  }

  /// The user who signs in, once known.
  public var user: User? { json["user"].flatMap(User.init(json:)) }
  /// The current factor.
  public var factor: Factor? {
    (json["factor"]?.array?.first ?? json["factor"]).flatMap(Factor.init(json:))
      ?? json["factors"].flatMap(Factor.init(json:))
  }
  /// The factors to choose from, in the org's order; `nil` if there is no list.
  public var factors: [Factor]? {
    (json["factors"]?.array ?? json["factor"]?.array)?.compactMap(Factor.init(json:))
      ?? json["factors"].flatMap(Factor.init(json:)).map { [$0] }
  }
  /// The rules for passwords, or for remembering devices.
  public var policy: Policy? { json["policy"].flatMap(Policy.init(json:)) }
  /// The application that the user signs in to.
  public var target: Target? { json["target"].flatMap(Target.init(json:)) }
  /// How that application requests the sign-in.
  public var authentication: AuthenticationObject? {
    json["authentication"].flatMap(AuthenticationObject.init(json:))
  }

  /// A user.
  public struct User: OktaWireObject {
    /// The user as the org sent it.
    public let json: JSON

    /// Reads a user; `nil` if the value is not an object.
    public init?(json: JSON) {
      guard json.object != nil else { return nil }
      self.json = json
    }

    /// The user's id.
    public var id: String? { json["id"]?.string }
    /// When the password was last changed.
    public var passwordChanged: Date? { json["passwordChanged"]?.string.flatMap(Date.init(wire:)) }
    /// Names, locale, and time zone.
    public var profile: Profile? { json["profile"].flatMap(Profile.init(json:)) }
    /// The recovery question.
    public var recoveryQuestion: RecoveryQuestion? { json["recovery_question"].flatMap(RecoveryQuestion.init(json:)) }

    /// Names, locale, and time zone of a user.
    public struct Profile: OktaWireObject {
      /// The profile as the org sent it.
      public let json: JSON

      /// Reads a profile; `nil` if the value is not an object.
      public init?(json: JSON) {
        guard json.object != nil else { return nil }
        self.json = json
      }

      /// The login.
      public var login: String? { json["login"]?.string }
      /// The first name.
      public var firstName: String? { json["firstName"]?.string }
      /// The last name.
      public var lastName: String? { json["lastName"]?.string }
      /// The locale.
      public var locale: String? { json["locale"]?.string }
      /// The time zone.
      public var timeZone: String? { json["timeZone"]?.string }
    }

    /// A recovery question.
    public struct RecoveryQuestion: OktaWireObject {
      /// The question as the org sent it.
      public let json: JSON

      /// Reads a question; `nil` if the value is not an object.
      public init?(json: JSON) {
        guard json.object != nil else { return nil }
        self.json = json
      }

      /// The question itself.
      public var question: String? { json["question"]?.string }
    }
  }

  /// An application.
  public struct Target: OktaWireObject {
    /// The application as the org sent it.
    public let json: JSON

    /// Reads an application; `nil` if the value is not an object.
    public init?(json: JSON) {
      guard json.object != nil else { return nil }
      self.json = json
    }

    /// `APP`
    public var type: String? { json["type"]?.string }
    /// The application's name.
    public var name: String? { json["name"]?.string }
    /// The application's display name.
    public var label: String? { json["label"]?.string }
    /// The application's client ID.
    public var clientId: String? { json["clientId"]?.string }
    /// The application's links, such as a logo or terms of service.
    public var links: LinksResponse? { json["_links"].flatMap(LinksResponse.init(json:)) }
  }

  /// How an application requests a sign-in.
  public struct AuthenticationObject: OktaWireObject {
    /// The object as the org sent it.
    public let json: JSON

    /// Reads the object; `nil` if the value is not an object.
    public init?(json: JSON) {
      guard json.object != nil else { return nil }
      self.json = json
    }

    /// The protocol.
    public var authProtocol: AuthProtocol? { json["protocol"]?.string.map(AuthProtocol.init(raw:)) }
    /// The issuer of the assertion after the sign-in.
    public var issuer: Issuer? { json["issuer"].flatMap(Issuer.init(json:)) }

    /// The protocol of a sign-in to an application.
    public enum AuthProtocol: OktaWireWord {
      /// `SAML2.0`
      case saml_2_0
      /// `SAML1.1`
      case saml_1_1
      /// `WS-FED`
      case ws_fed
      /// `OAUTH2.0`
      case oauth_2_0
      /// Any other, as the server wrote it.
      case unknown(String)

      /// The protocols that the SDK has a case for.
      public static let known: [AuthProtocol] = [.saml_2_0, .saml_1_1, .ws_fed, .oauth_2_0]

      /// The protocol as it is sent and received.
      public var rawValue: String {
        switch self {
        case .saml_2_0: "SAML2.0"
        case .saml_1_1: "SAML1.1"
        case .ws_fed: "WS-FED"
        case .oauth_2_0: "OAUTH2.0"
        case .unknown(let raw): raw
        }
      }
    }

    /// The issuer of an assertion.
    public struct Issuer: OktaWireObject {
      /// The issuer as the org sent it.
      public let json: JSON

      /// Reads an issuer; `nil` if the value is not an object.
      public init?(json: JSON) {
        guard json.object != nil else { return nil }
        self.json = json
      }

      /// The issuer's id.
      public var id: String? { json["id"]?.string }
      /// The issuer's name.
      public var name: String? { json["name"]?.string }
      /// The issuer's URI.
      public var uri: String? { json["uri"]?.string }
    }
  }
}
