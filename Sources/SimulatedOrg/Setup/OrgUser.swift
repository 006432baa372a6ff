// A person as the org's administrator enters it.

/// A user of the org.
public struct OrgUser: Sendable {
  /// What the person types as user name; compared without regard to case.
  public var login: String
  /// The password; `nil` for a user who has none yet and comes with an activation token.
  public var password: String?
  /// Given name.
  public var firstName: String
  /// Family name.
  public var lastName: String
  /// Where recovery mails go; the login by default.
  public var email: String
  /// A verified number: for recovery by text or call (by default that of an SMS or call factor), and shown in
  /// MFA_ENROLL, where another number needs `updatePhone=true`.
  public var recoveryPhone: String?
  /// Active second factors, listed in this order.
  public var factors: [OrgFactor]
  /// Whether a sign-in needs a second factor; by default it does as soon as there is one.
  public var mfaRequired: Bool
  /// Factors the user may or must set up.
  public var offers: [OrgFactorOffer]
  /// Days until the password ends, from the moment the user is added; zero or less: already expired; `nil`: never.
  public var passwordExpiresIn: Int?
  /// Passwords used before, newest first.
  public var passwordHistory: [String]
  /// One-use token that signs in without password (`token` in the body) and leads to PASSWORD_RESET.
  public var activationToken: String?
  /// Question asked in recovery, and its answer; by default those of a question factor.
  public var recoveryQuestion: (question: String, answer: String)?
  /// Whether recovery starts are allowed at all for this user.
  public var mayRecover: Bool
  /// Whether the account starts locked.
  public var lockedOut: Bool
  /// Whether the `FACTOR_` names of factor sequencing take the place of the `MFA_` names.
  public var factorSequencing: Bool

  /// A user; everything but login and password may be left out.
  public init(
    login: String, password: String?, firstName: String = "Ann", lastName: String = "Example",
    email: String? = nil, recoveryPhone: String? = nil, factors: [OrgFactor] = [], mfaRequired: Bool? = nil,
    offers: [OrgFactorOffer] = [], passwordExpiresIn: Int? = nil, passwordHistory: [String] = [],
    activationToken: String? = nil, recoveryQuestion: (question: String, answer: String)? = nil,
    mayRecover: Bool = true, lockedOut: Bool = false, factorSequencing: Bool = false
  ) {
    self.login = login
    self.password = password
    self.firstName = firstName
    self.lastName = lastName
    self.email = email ?? login
    self.recoveryPhone = recoveryPhone
    self.factors = factors
    self.mfaRequired = mfaRequired ?? !factors.isEmpty
    self.offers = offers
    self.passwordExpiresIn = passwordExpiresIn
    self.passwordHistory = passwordHistory
    self.activationToken = activationToken
    self.recoveryQuestion = recoveryQuestion
    self.mayRecover = mayRecover
    self.lockedOut = lockedOut
    self.factorSequencing = factorSequencing
  }
}
