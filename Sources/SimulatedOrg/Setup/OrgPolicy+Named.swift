// Ready-made policies: one for each walk-through that a client has to manage.

extension OrgPolicy {
  /// Password, then a second factor for those who have one. What an org does by default.
  public static let standard = OrgPolicy(
    name: "standard", summary: "user name, password, a second factor for those who have one")

  /// Every ready-made policy, `standard` first.
  public static let named: [OrgPolicy] = [
    standard,
    OrgPolicy(name: "password", summary: "user name, then password").with { $0.factorCount = 1 },
    OrgPolicy(name: "password-one-page", summary: "user name and password on one page").with {
      ($0.factorCount, $0.passwordOnFirstPage) = (1, true)
    },
    OrgPolicy(name: "two-factors", summary: "password and another factor, or no entry").with {
      $0.needsAllFactors = true
    },
    OrgPolicy(name: "any-two", summary: "any two factors in any order").with {
      ($0.passwordFirst, $0.needsAllFactors) = (false, true)
    },
    OrgPolicy(name: "three-factors", summary: "password and two others").with {
      ($0.factorCount, $0.confirmsSending) = (3, false)
    },
    OrgPolicy(name: "passwordless", summary: "any one factor, no password first").with {
      ($0.passwordFirst, $0.factorCount) = (false, 1)
    },
    OrgPolicy(name: "codes-only", summary: "mails carry a code and no link; nothing is confirmed first").with {
      ($0.emailMagicLink, $0.confirmsSending) = (false, false)
    },
    OrgPolicy(name: "number-challenge", summary: "a push shows a number to pick").with {
      ($0.numberChallenge, $0.confirmsSending) = (true, false)
    },
    OrgPolicy(name: "enrol-required", summary: "phone, question and Google Authenticator must be set up").with {
      $0.enrolments = [.init(.phone), .init(.question), .init(.google)]
    },
    OrgPolicy(name: "enrol-optional", summary: "every authenticator may be set up, none must").with {
      $0.enrolments = OrgAuthenticator.enrollable.map { Enrolment($0, required: false) }
    },
    OrgPolicy(name: "registration", summary: "new people register, prove their mail and set a password").with {
      $0.registration = nameFields
      $0.enrolments = [.init(.email), .init(.password), .init(.phone, required: false)]
    },
    OrgPolicy(name: "registration-with-password", summary: "new people register with a password at once").with {
      ($0.registration, $0.registersPassword) = (nameFields, true)
    },
    OrgPolicy(name: "unlock-and-sign-in", summary: "an unlocked person goes on to sign in").with {
      $0.signsInAfterUnlock = true
    },
    OrgPolicy(name: "social", summary: "Google, a company's SAML and a provider that refuses, beside the password")
      .with {
        $0.factorCount = 1
        $0.identityProviders = providers
      },
    OrgPolicy(name: "social-two-factors", summary: "a provider, and then another factor").with {
      $0.identityProviders = providers
      $0.needsAllFactors = true
    },
    OrgPolicy(name: "profile", summary: "a missing profile field is asked for; it can be skipped").with {
      $0.factorCount = 1
      $0.profileUpdate = [.init("secondEmail", "Secondary email", required: false)]
    },
    OrgPolicy(name: "profile-required", summary: "a missing profile field has to be given").with {
      $0.factorCount = 1
      $0.profileUpdate = [.init("department", "Department"), .init("nickName", "Nick name", required: false)]
    },
    OrgPolicy(name: "consent", summary: "the application's scopes have to be allowed").with {
      ($0.factorCount, $0.consent) = (1, .user)
    },
    OrgPolicy(name: "admin-consent", summary: "an administrator allows the scopes").with {
      ($0.factorCount, $0.consent) = (1, .admin)
    },
    OrgPolicy(name: "granular-consent", summary: "each scope is allowed by itself").with {
      ($0.factorCount, $0.consent) = (1, .granular)
    },
    OrgPolicy(name: "email-consent", summary: "a sign-in has to be confirmed as one's own").with {
      ($0.factorCount, $0.consent) = (1, .email)
    },
    OrgPolicy(name: "stay-signed-in", summary: #""keep me signed in" is asked at the end"#).with {
      ($0.factorCount, $0.asksToStaySignedIn) = (1, true)
    },
    OrgPolicy(name: "passkey", summary: "a passkey may answer on the first page").with { $0.passkeyAutofill = true },
    OrgPolicy(name: "open-door", summary: "unknown user names are reported; nothing is recovered").with {
      ($0.tellsUnknownUsers, $0.recovery, $0.unlock, $0.remembersDevice) = (true, false, false, false)
    },
  ]

  /// The ready-made policy of that name.
  public static func named(_ name: String) -> OrgPolicy? { named.first { $0.name == name } }

  private static let nameFields: [ProfileField] = [
    .init("firstName", "First name"), .init("lastName", "Last name"), .init("email", "Email"),
  ]

  private static let providers = [
    OrgIdentityProvider(id: "0oa1google0000000001", name: "Google", service: "GOOGLE", login: "ann@acme.example"),
    OrgIdentityProvider(id: "0oa1saml000000000001", name: "Acme SSO", service: "SAML2", login: "bob@acme.example"),
    OrgIdentityProvider(id: "0oa1apple00000000001", name: "Apple", service: "APPLE", login: nil),
  ]
}

extension OrgAuthenticator {
  /// Those that can be set up during a sign-in.
  static let enrollable: [Self] = [.email, .phone, .question, .oktaVerify, .google, .webauthn, .duo]
}
