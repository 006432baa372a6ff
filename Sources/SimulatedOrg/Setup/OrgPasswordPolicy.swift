// The rules for passwords, as `policy` shows them in PASSWORD_WARN, PASSWORD_EXPIRED and PASSWORD_RESET (authn.md
// §5.4).

/// Password rules of an org.
public struct OrgPasswordPolicy: Sendable, Equatable {
  /// Least number of characters.
  public var minLength = 8
  /// Least number of lower-case letters.
  public var minLowerCase = 1
  /// Least number of upper-case letters.
  public var minUpperCase = 1
  /// Least number of digits.
  public var minNumber = 1
  /// Least number of characters that are neither letter nor digit.
  public var minSymbol = 0
  /// Whether the login and its parts may not occur in the password.
  public var excludeUsername = true
  /// Least age of a password before it may be changed, in minutes.
  public var minAgeMinutes = 0
  /// How many earlier passwords must not be reused.
  public var historyCount = 4
  /// How many days before a password expires the user is warned.
  public var warnDays = 5
  /// How long a changed password lasts, in days; `nil` forever.
  public var maxAgeDays: Int? = 90

  /// The rules of a common org: eight characters, upper and lower case, a digit, no part of the login.
  public init() {}
}
