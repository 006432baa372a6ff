// What a response says beside its remediations (idx §9.6, §13.4).

import EventStore

extension Response {
  /// What a sign-in is for.
  public enum Intent: OpenVocabulary {
    /// A new user registers.
    case enrollNewUser
    /// A user signs in.
    case login
    /// An authenticator is set up.
    case credentialEnrollment
    /// An authenticator is removed.
    case credentialUnenrollment
    /// A password is recovered.
    case credentialRecovery
    /// An authenticator is changed.
    case credentialModify
    /// Any other; its wire name stays, empty if there is none.
    case unknown(String)

    init(wire: String) {
      switch wire {
      case "ENROLL_NEW_USER": self = .enrollNewUser
      case "LOGIN": self = .login
      case "CREDENTIAL_ENROLLMENT": self = .credentialEnrollment
      case "CREDENTIAL_UNENROLLMENT": self = .credentialUnenrollment
      case "CREDENTIAL_RECOVERY": self = .credentialRecovery
      case "CREDENTIAL_MODIFY": self = .credentialModify
      default: self = .unknown(wire)
      }
    }

    /// Reads the word of the wire: `LOGIN`.
    public init(string: String) { self.init(wire: string) }

    /// Reads the word of the wire; `nil` gives `unknown` with an empty text.
    public init(string: String?) { self.init(wire: string ?? "") }

    /// Whether this is `unknown`.
    public var isUnknown: Bool { if case .unknown = self { true } else { false } }
  }

  /// The user who signs in.
  public struct User: Sendable, Hashable {
    /// The user's id.
    public let id: String
    /// The name the user signs in with.
    public let username: String?
    /// What the org says of the user.
    public let profile: Profile?

    /// What an org says of a user.
    public struct Profile: Sendable, Hashable {
      /// The first name.
      public let firstName: String?
      /// The last name.
      public let lastName: String?
      /// The time zone: `America/Los_Angeles`.
      public let timeZone: String?
      /// The locale: `en_US`.
      public let locale: String?
    }

    init?(_ json: JSON?) {
      guard let json, let id = json["id"]?.string else { return nil }
      self.id = id
      username = json["identifier"]?.string
      profile = json["profile"]?.object.map { profile in
        Profile(
          firstName: profile["firstName"]?.string, lastName: profile["lastName"]?.string,
          timeZone: profile["timeZone"]?.string, locale: profile["locale"]?.string)
      }
    }
  }

  /// The application that is signed in to. What the org leaves out is an empty text.
  public struct Application: Sendable, Hashable {
    /// The application's id.
    public let id: String
    /// Its label, for people.
    public let label: String
    /// Its name.
    public let name: String

    init?(_ json: JSON?) {
      guard let json, json.object != nil else { return nil }
      id = json["id"]?.string ?? ""
      label = json["label"]?.string ?? ""
      name = json["name"]?.string ?? ""
    }
  }
}
