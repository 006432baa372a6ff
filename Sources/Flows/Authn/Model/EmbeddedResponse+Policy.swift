// One key for two unrelated objects (authn §5.4): rules for remembering devices, and rules for passwords. The object's
// members show which one it is.

public import EventStore

extension EmbeddedResponse {
  /// The rules of an org. An object with both kinds of rules is a `rememberDevice`; `password` returns the other half.
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

      /// Reads rules; `nil` if there are none for remembering devices.
      public init?(json: JSON) {
        guard json["allowRememberDevice"].map({ $0 != .null }) == true else { return nil }
        self.json = json
      }

      /// Whether the user may choose to have the device remembered.
      public var allowRememberDevice: Bool { json["allowRememberDevice"]?.wireBool ?? false }
      /// Whether that option is selected by default.
      public var rememberDeviceByDefault: Bool? { json["rememberDeviceByDefault"]?.wireBool }
      /// How long a device is remembered, in minutes; 0 for as long as the device is known.
      public var rememberDeviceLifetimeInMinutes: Int? { json["rememberDeviceLifetimeInMinutes"]?.wireInt }
      /// Whether a push is sent automatically, keyed by factor ID.
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

      /// Reads rules; `nil` if there are none for passwords.
      public init?(json: JSON) {
        guard ["expiration", "complexity", "age"].contains(where: { json[$0].map { $0 != .null } == true }) else {
          return nil
        }
        self.json = json
      }

      /// How long the password remains valid.
      public var expiration: PasswordExpiration? { json["expiration"].flatMap(PasswordExpiration.init(json:)) }
      /// The composition rules for passwords.
      public var complexity: PasswordComplexity? { json["complexity"].flatMap(PasswordComplexity.init(json:)) }
      /// The minimum and maximum age of passwords.
      public var age: PasswordAge? { json["age"].flatMap(PasswordAge.init(json:)) }

      /// How long a password remains valid.
      public struct PasswordExpiration: OktaWireObject {
        /// The rule as the org sent it.
        public let json: JSON

        /// Reads the rule; `nil` if the value is not an object.
        public init?(json: JSON) {
          guard json.object != nil else { return nil }
          self.json = json
        }

        /// The number of days until the password expires.
        public var passwordExpireDays: Int? { json["passwordExpireDays"]?.wireInt }
      }

      /// The composition rules for passwords. A number of 0 or -1 sets no limit.
      public struct PasswordComplexity: OktaWireObject {
        /// The rules as the org sent them.
        public let json: JSON

        /// Reads the rules; `nil` if the value is not an object.
        public init?(json: JSON) {
          guard json.object != nil else { return nil }
          self.json = json
        }

        /// The minimum number of characters.
        public var minLength: Int? { json["minLength"]?.wireInt }
        /// The minimum number of lowercase letters.
        public var minLowerCase: Int? { json["minLowerCase"]?.wireInt }
        /// The minimum number of uppercase letters.
        public var minUpperCase: Int? { json["minUpperCase"]?.wireInt }
        /// The minimum number of digits.
        public var minNumber: Int? { json["minNumber"]?.wireInt }
        /// The minimum number of other characters.
        public var minSymbol: Int? { json["minSymbol"]?.wireInt }
        /// Whether the password must not contain the login.
        public var excludeUsername: Bool? { json["excludeUsername"]?.wireBool }
        /// Other attributes of the user that the password must not contain.
        public var excludeAttributes: [String] { (json["excludeAttributes"]?.array ?? []).compactMap(\.string) }
      }

      /// The minimum and maximum age of passwords.
      public struct PasswordAge: OktaWireObject {
        /// The rules as the org sent them.
        public let json: JSON

        /// Reads the rules; `nil` if the value is not an object.
        public init?(json: JSON) {
          guard json.object != nil else { return nil }
          self.json = json
        }

        /// The number of minutes before the password may be changed again.
        public var minAgeMinutes: Int? { json["minAgeMinutes"]?.wireInt }
        /// How many previous passwords cannot be reused.
        public var historyCount: Int? { json["historyCount"]?.wireInt }
      }
    }
  }
}
