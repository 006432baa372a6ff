// One key, two unrelated objects (authn §5.4): rules for remembering devices, and rules for passwords. The members of
// the object show which it is.

public import EventStore

extension EmbeddedResponse {
  /// The rules of an org. An object that holds both kinds is a `rememberDevice`, and `password` gives its other half.
  public enum Policy: OktaWireObject {
    /// Rules on remembering devices.
    case rememberDevice(RememberDevice)
    /// Rules on passwords.
    case password(Password)

    /// Reads rules; `nil` if there are none in the object.
    public init?(json: JSON) {
      if let rules = RememberDevice(json: json) {
        self = .rememberDevice(rules)
      } else if let rules = Password(json: json) {
        self = .password(rules)
      } else {
        return nil
      }
    }

    /// The rules as the org sent them.
    public var json: JSON {
      switch self {
      case .rememberDevice(let rules): rules.json
      case .password(let rules): rules.json
      }
    }

    /// The rules on remembering devices; `nil` if there are none.
    public var rememberDevice: RememberDevice? { RememberDevice(json: json) }
    /// The rules on passwords; `nil` if there are none.
    public var password: Password? { Password(json: json) }

    /// Rules on remembering devices.
    public struct RememberDevice: OktaWireObject {
      /// The rules as the org sent them.
      public let json: JSON

      /// Reads rules; `nil` if there are none on remembering devices.
      public init?(json: JSON) {
        guard json["allowRememberDevice"].map({ $0 != .null }) == true else { return nil }
        self.json = json
      }

      /// Whether the user may have the device remembered.
      public var allowRememberDevice: Bool { json["allowRememberDevice"]?.wireBool ?? false }
      /// Whether that is offered ticked.
      public var rememberDeviceByDefault: Bool? { json["rememberDeviceByDefault"]?.wireBool }
      /// For how many minutes; 0: as long as the device is known.
      public var rememberDeviceLifetimeInMinutes: Int? { json["rememberDeviceLifetimeInMinutes"]?.wireInt }
      /// Whether a push is sent by itself, by factor id.
      public var autoPushEnabled: [String: Bool] {
        var enabled: [String: Bool] = [:]
        for member in json["factorsPolicyInfo"]?.object?.members ?? [] {
          enabled[member.key] = member.value["autoPushEnabled"]?.wireBool
        }
        return enabled
      }
    }

    /// Rules on passwords.
    public struct Password: OktaWireObject {
      /// The rules as the org sent them.
      public let json: JSON

      /// Reads rules; `nil` if there are none on passwords.
      public init?(json: JSON) {
        guard ["expiration", "complexity", "age"].contains(where: { json[$0].map { $0 != .null } == true }) else {
          return nil
        }
        self.json = json
      }

      /// How long the password holds.
      public var expiration: PasswordExpiration? { json["expiration"].flatMap(PasswordExpiration.init(json:)) }
      /// What a password is made of.
      public var complexity: PasswordComplexity? { json["complexity"].flatMap(PasswordComplexity.init(json:)) }
      /// How old a password must and may be.
      public var age: PasswordAge? { json["age"].flatMap(PasswordAge.init(json:)) }

      /// How long a password holds.
      public struct PasswordExpiration: OktaWireObject {
        /// The rule as the org sent it.
        public let json: JSON

        /// Reads the rule; `nil` if this is no object.
        public init?(json: JSON) {
          guard json.object != nil else { return nil }
          self.json = json
        }

        /// Days until it expires.
        public var passwordExpireDays: Int? { json["passwordExpireDays"]?.wireInt }
      }

      /// What a password is made of. A number of 0 or -1 sets no limit.
      public struct PasswordComplexity: OktaWireObject {
        /// The rules as the org sent them.
        public let json: JSON

        /// Reads the rules; `nil` if this is no object.
        public init?(json: JSON) {
          guard json.object != nil else { return nil }
          self.json = json
        }

        /// The least number of characters.
        public var minLength: Int? { json["minLength"]?.wireInt }
        /// The least number of lower-case letters.
        public var minLowerCase: Int? { json["minLowerCase"]?.wireInt }
        /// The least number of upper-case letters.
        public var minUpperCase: Int? { json["minUpperCase"]?.wireInt }
        /// The least number of digits.
        public var minNumber: Int? { json["minNumber"]?.wireInt }
        /// The least number of other characters.
        public var minSymbol: Int? { json["minSymbol"]?.wireInt }
        /// Whether the login may not be part of it.
        public var excludeUsername: Bool? { json["excludeUsername"]?.wireBool }
        /// What else of the user may not be part of it.
        public var excludeAttributes: [String] { (json["excludeAttributes"]?.array ?? []).compactMap(\.string) }
      }

      /// How old a password must and may be.
      public struct PasswordAge: OktaWireObject {
        /// The rules as the org sent them.
        public let json: JSON

        /// Reads the rules; `nil` if this is no object.
        public init?(json: JSON) {
          guard json.object != nil else { return nil }
          self.json = json
        }

        /// Minutes before it may be changed again.
        public var minAgeMinutes: Int? { json["minAgeMinutes"]?.wireInt }
        /// How many earlier passwords may not come back.
        public var historyCount: Int? { json["historyCount"]?.wireInt }
      }
    }
  }
}
