// What a transaction is about (authn §5): user, factors, rules, target. Members are read when asked for; what is missing or
// of another type is nil.

public import EventStore

/// The embedded objects of a transaction.
public struct EmbeddedResponse: Sendable, Hashable {
  /// A user.
  public typealias User = OktaAPISuccessResponse.User

  /// The object as the org sent it.
  public let json: JSON

  init?(_ json: JSON) {
    guard json.object != nil else { return nil }
    self.json = json
  }

  /// The user who signs in, once known.
  public var user: User? { json["user"].flatMap(User.init) }
  /// The factors: those to choose from, or the one in question.
  public var factors: [JSON] { TransactionReading(json: ["_embedded": json]).factors }
  /// The rules for passwords, or for remembering devices.
  public var policy: Policy? { json["policy"].flatMap(Policy.init) }
  /// The application that the user signs in to.
  public var target: Target? { json["target"].flatMap(Target.init) }
  /// How that application asked for the sign-in.
  public var authentication: AuthenticationObject? { json["authentication"].flatMap(AuthenticationObject.init) }

  /// An application.
  public struct Target: Sendable, Hashable {
    /// `APP`
    public var type: String?
    /// Its name.
    public var name: String?
    /// Its name for people.
    public var label: String?
    /// Its client id.
    public var clientId: String?

    init?(_ json: JSON) {
      guard json.object != nil else { return nil }
      type = json["type"]?.string
      name = json["name"]?.string
      label = json["label"]?.string
      clientId = json["clientId"]?.string
    }
  }

  /// How an application asks for a sign-in.
  public struct AuthenticationObject: Sendable, Hashable {
    /// `SAML2.0`, `OAUTH2.0` and the like.
    public var protocolType: String?
    /// The id of the issuer.
    public var issuerId: String?
    /// The name of the issuer.
    public var issuerName: String?
    /// The URI of the issuer.
    public var issuerURI: String?

    init?(_ json: JSON) {
      guard json.object != nil else { return nil }
      protocolType = json["protocol"]?.string
      issuerId = json["issuer"]?["id"]?.string
      issuerName = json["issuer"]?["name"]?.string
      issuerURI = json["issuer"]?["uri"]?.string
    }
  }
}
