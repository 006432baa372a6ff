// What the Identity Engine requires of a person (idx.md §14). Only the policy determines the steps of a sign-in.

/// A sign-in policy.
public struct OrgPolicy: Sendable {
  /// A consent page after the factors.
  public enum Consent: String, Sendable, Equatable {
    /// Whether the application may read what its scopes name.
    case user = "consent"
    /// The same, asked of an administrator.
    case admin = "admin-consent"
    /// The same, scope by scope.
    case granular = "granular-consent"
    /// Whether the person recognizes the sign-in that a mail announced.
    case email = "email-challenge-consent"
  }

  /// A puzzle that only people solve, on the first page.
  public struct Captcha: Sendable, Equatable {
    /// Its id.
    public var id: String
    /// The name that an administrator gave it.
    public var name: String
    /// The key for the vendor's widget.
    public var siteKey: String
    /// Its vendor: `HCAPTCHA`, `RECAPTCHA_V2`.
    public var type: String
    /// The token that the widget returns; no other is accepted.
    public var token: String

    /// A puzzle.
    public init(
      id: String = "cap1000000000000001", name: String = "Puzzle", siteKey: String = "site-key-1",
      type: String = "HCAPTCHA", token: String
    ) {
      self.id = id
      self.name = name
      self.siteKey = siteKey
      self.type = type
      self.token = token
    }
  }

  /// A field of the profile pages.
  public struct ProfileField: Sendable, Equatable {
    /// The name below `userProfile`.
    public var name: String
    /// The text for people.
    public var label: String
    /// Whether it may stay empty.
    public var required: Bool

    /// A field.
    public init(_ name: String, _ label: String, required: Bool = true) {
      self.name = name
      self.label = label
      self.required = required
    }
  }

  /// An authenticator that may or must be set up.
  public struct Enrolment: Sendable, Equatable {
    /// The authenticator that is set up.
    public var authenticator: OrgAuthenticator
    /// Whether the sign-in cannot end without it.
    public var required: Bool

    /// An enrolment.
    public init(_ authenticator: OrgAuthenticator, required: Bool = true) {
      self.authenticator = authenticator
      self.required = required
    }
  }

  /// A short name, as `OrgPolicy.named` and command lines know it.
  public var name: String
  /// One sentence on what it asks.
  public var summary: String
  /// Whether the first page asks for the password as well.
  public var passwordOnFirstPage = false
  /// Whether the password comes before any other factor; otherwise a person chooses among all.
  public var passwordFirst = true
  /// How many different authenticators must be answered.
  public var factorCount = 2
  /// Whether a user who has fewer is turned away (or must enroll), instead of passing with fewer.
  public var needsAllFactors = false
  /// Whether a single choice that sends something (phone, mail, push) is confirmed first
  /// (`authenticator-verification-data`).
  public var confirmsSending = true
  /// Whether mails carry a link besides the code, and the page polls for it.
  public var emailMagicLink = true
  /// Whether a push shows a number that has to be picked on the phone.
  public var numberChallenge = false
  /// What has to be set up before the end; a user's own offers (`OrgUser.offers`) are added.
  public var enrolments: [Enrolment] = []
  /// The fields of self-service registration; empty for none.
  public var registration: [ProfileField] = []
  /// Whether the registration page asks for a password as well.
  public var registersPassword = false
  /// Whether a forgotten password can be reset.
  public var recovery = true
  /// Whether a locked account can be unlocked without help.
  public var unlock = true
  /// Whether an unlocked person goes on to sign in, instead of being asked to start again.
  public var signsInAfterUnlock = false
  /// Providers on the first page.
  public var identityProviders: [OrgIdentityProvider] = []
  /// Fields that are asked for when they are missing; all optional ones can be skipped.
  public var profileUpdate: [ProfileField] = []
  /// A consent page after everything else.
  public var consent: Consent?
  /// Whether «keep me signed in» is asked at the end.
  public var asksToStaySignedIn = false
  /// Whether «remember this device» is offered, and then only one factor asked on it.
  public var remembersDevice = true
  /// Whether the first page carries a challenge that a passkey may answer.
  public var passkeyAutofill = false
  /// A puzzle on the first page.
  public var captcha: Captcha?
  /// Whether an unknown user name is reported as such, instead of failing at the password.
  public var tellsUnknownUsers = false

  /// A policy; everything but the name is set afterwards.
  public init(name: String, summary: String = "") {
    self.name = name
    self.summary = summary
  }

  /// The same policy with some settings changed.
  public func with(_ change: (inout OrgPolicy) -> Void) -> OrgPolicy {
    var policy = self
    change(&policy)
    return policy
  }
}
