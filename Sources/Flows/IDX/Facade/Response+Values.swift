// Values of a response besides its remediations (idx §9.6, §13.4).

import EventStore

extension Response {
  /// The purpose of a sign-in.
  public enum Intent: OpenVocabulary {
    /// A new user registers.
    case enrollNewUser
    /// A user signs in.
    case login
    /// An authenticator is being set up.
    case credentialEnrollment
    /// An authenticator is being removed.
    case credentialUnenrollment
    /// A password is being recovered.
    case credentialRecovery
    /// An authenticator is being changed.
    case credentialModify
    /// Any other purpose, by its name on the wire; empty if there is none.
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

    /// Creates an intent from its name on the wire, such as `LOGIN`.
    public init(string: String) { self.init(wire: string) }

    /// Creates an intent from its name on the wire; `nil` results in `unknown` with an empty text.
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
    /// The user's profile.
    public let profile: Profile?

    /// The org's profile of a user.
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

  /// The application that the user signs in to. Values that the org omits are empty strings.
  public struct Application: Sendable, Hashable {
    /// The application's ID.
    public let id: String
    /// Its display name.
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
