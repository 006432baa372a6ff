// One key, two unrelated objects (authn §5.4): rules for remembering devices, and rules for passwords. Told apart by what
// is in them; where both are, both are read.

import EventStore

extension EmbeddedResponse {
  /// The rules of an org.
  public struct Policy: Sendable, Hashable {
    /// On remembering devices; nil where the object has none.
    public var rememberDevice: RememberDevice?
    /// On passwords; nil where the object has none.
    public var password: Password?

    init?(_ json: JSON) {
      guard json.object != nil else { return nil }
      if json["allowRememberDevice"] != nil { rememberDevice = RememberDevice(json) }
      if ["expiration", "complexity", "age"].contains(where: { json[$0] != nil }) { password = Password(json) }
    }

    /// Rules on remembering devices.
    public struct RememberDevice: Sendable, Hashable {
      /// Whether the user may have the device remembered.
      public var allowRememberDevice: Bool?
      /// Whether that is offered ticked.
      public var rememberDeviceByDefault: Bool?
      /// For how many minutes; 0: as long as the device is known.
      public var rememberDeviceLifetimeInMinutes: Int?
      /// Whether a push is sent by itself, by factor id.
      public var autoPushEnabled: [String: Bool] = [:]

      init(_ json: JSON) {
        allowRememberDevice = json["allowRememberDevice"]?.wireBool
        rememberDeviceByDefault = json["rememberDeviceByDefault"]?.wireBool
        rememberDeviceLifetimeInMinutes = json["rememberDeviceLifetimeInMinutes"]?.wireInt
        for member in json["factorsPolicyInfo"]?.object?.members ?? [] {
          autoPushEnabled[member.key] = member.value["autoPushEnabled"]?.wireBool
        }
      }
    }

    /// Rules on passwords.
    public struct Password: Sendable, Hashable {
      /// How long the password holds.
      public var expiration: PasswordExpiration?
      /// What a password is made of.
      public var complexity: PasswordComplexity?
      /// How old a password must and may be.
      public var age: PasswordAge?

      init(_ json: JSON) {
        expiration = json["expiration"].flatMap(PasswordExpiration.init)
        complexity = json["complexity"].flatMap(PasswordComplexity.init)
        age = json["age"].flatMap(PasswordAge.init)
      }

      /// How long a password holds.
      public struct PasswordExpiration: Sendable, Hashable {
        /// Days until it expires.
        public var passwordExpireDays: Int?

        init?(_ json: JSON) {
          guard json.object != nil else { return nil }
          passwordExpireDays = json["passwordExpireDays"]?.wireInt
        }
      }

      /// What a password is made of. A number of 0 or -1 sets no limit.
      public struct PasswordComplexity: Sendable, Hashable {
        /// The least number of characters.
        public var minLength: Int?
        /// The least number of lower-case letters.
        public var minLowerCase: Int?
        /// The least number of upper-case letters.
        public var minUpperCase: Int?
        /// The least number of digits.
        public var minNumber: Int?
        /// The least number of other characters.
        public var minSymbol: Int?
        /// Whether the login may not be part of it.
        public var excludeUsername: Bool?
        /// What else of the user may not be part of it.
        public var excludeAttributes: [String]

        init?(_ json: JSON) {
          guard json.object != nil else { return nil }
          minLength = json["minLength"]?.wireInt
          minLowerCase = json["minLowerCase"]?.wireInt
          minUpperCase = json["minUpperCase"]?.wireInt
          minNumber = json["minNumber"]?.wireInt
          minSymbol = json["minSymbol"]?.wireInt
          excludeUsername = json["excludeUsername"]?.wireBool
          excludeAttributes = (json["excludeAttributes"]?.array ?? []).compactMap(\.string)
        }
      }

      /// How old a password must and may be.
      public struct PasswordAge: Sendable, Hashable {
        /// Minutes before it may be changed again.
        public var minAgeMinutes: Int?
        /// How many earlier passwords may not come back.
        public var historyCount: Int?

        init?(_ json: JSON) {
          guard json.object != nil else { return nil }
          minAgeMinutes = json["minAgeMinutes"]?.wireInt
          historyCount = json["historyCount"]?.wireInt
        }
      }
    }
  }
}
