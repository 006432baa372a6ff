// The names of the Identity Engine (idx §13). These closed vocabularies are never masked in a log, even if a password
// happens to be one of the words.

enum IDXVocabulary {
  /// The remediations that are polled (§8, 4).
  static let polls: Set<String> = ["enroll-poll", "challenge-poll", "device-challenge-poll", "poll"]
  static let cancel = "cancel"
  static let issue = "issue"
  /// The content type of the Identity Engine (§3).
  static let ion = "application/ion+json; okta-version=1.0.0"
  static let form = "application/x-www-form-urlencoded"

  /// The options of interact in addition to the parameters that the protocol needs (§2.3).
  static let interactOptions: Set<String> = ["recovery_token", "activation_token", "max_age", "acr_values", "nonce"]

  /// Remediation names (§13.1), and the names of an authenticator's forms.
  static let remediations: Set<String> = Set(RemediationNames.known).union(RemediationNames.others)

  /// Kinds of authenticators (§13.2).
  static let kinds: Set<String> = [
    "app", "email", "phone", "password", "security_question", "device", "security_key", "federated", "proximity", "tac",
    "otp",
  ]

  /// Keys of authenticators (§13.3).
  static let keys: Set<String> = [
    "okta_password", "okta_email", "phone_number", "security_question", "okta_verify", "custom_app", "custom_push",
    "google_otp", "symantec_vip", "duo", "webauthn", "yubikey_token", "onprem_mfa", "rsa_token", "custom_otp",
    "external_idp", "smart_card_idp", "nfc_pin", "tac",
  ]

  /// Methods of authenticators (§13.3).
  static let methods: Set<String> = [
    "sms", "voice", "email", "push", "signed_nonce", "signedNonce", "totp", "otp", "password", "webauthn",
    "security_question", "idp", "duo", "federated", "cert", "nfc_pin", "nfc", "tac",
  ]

  static let channels: Set<String> = ["qrcode", "email", "sms", "samedevice", "devicebootstrap"]

  /// Services of identity providers (§13.5).
  static let services: Set<String> = [
    "SAML2", "GOOGLE", "FACEBOOK", "LINKEDIN", "MICROSOFT", "OIDC", "OKTA", "IWA", "AgentlessDSSO", "X509", "APPLE",
    "OIN_SOCIAL", "ID_PROOFING",
  ]

  /// The purposes of a flow (§13.4).
  static let intents: Set<String> = [
    "ENROLL_NEW_USER", "LOGIN", "CREDENTIAL_ENROLLMENT", "CREDENTIAL_UNENROLLMENT", "CREDENTIAL_RECOVERY",
    "CREDENTIAL_MODIFY", "CONSENT", "AUTHENTICATION", "ENROLLMENT", "RECOVERY", "UNLOCK_ACCOUNT", "login",
  ]

  static let fieldTypes: Set<String> = ["string", "boolean", "object", "set", "array", "number", "integer"]

  /// Fields whose value is always secret (§17).
  static let secretFields: Set<String> = [
    "stateHandle", "stateToken", "interaction_code", "interactionCode", "interaction_handle", "interactionHandle",
    "code_verifier", "codeVerifier", "code", "recovery_token", "activation_token", "client_secret", "passcode", "totp",
    "answer", "signatureData", "clientData", "attestation", "authenticatorData", "userHandle", "password",
    "challengeRequest", "captchaToken", "userCode", "newPassword", "otp",
  ]

  /// Fields whose value is personal (§17).
  static let personalFields: Set<String> = [
    "identifier", "email", "secondEmail", "secondaryEmail", "phoneNumber", "mobilePhone", "primaryPhone", "firstName",
    "lastName", "middleName", "displayName", "nickName", "login", "username", "question", "city", "state", "zipCode",
    "streetAddress", "postalAddress", "countryCode", "title", "organization", "department", "locale",
    "preferredLanguage", "timezone",
  ]

  /// Fields in which a person enters their login.
  static let loginFields: Set<String> = ["identifier", "login", "username"]

  /// Fields whose value is a word of the protocol or the ID of an object.
  static let publicFields: Set<String> = [
    "id", "methodType", "channel", "enrollmentId", "authenticatorId", "rememberMe", "autoChallenge", "questionKey",
    "grant_type", "client_id", "clientId", "keepMeSignedIn", "revokeSessions", "consent", "captchaId", "factorType",
    "factorId", "scope", "redirect_uri", "authenticator",
  ]

  /// The field names of the protocol, ending with those that contain other fields.
  static let fields: Set<String> = secretFields.union(personalFields).union(publicFields).union([
    "credentials", "userProfile", "optedScopes", "captchaVerify",
  ])

  /// Values of options.
  static let optionValues: Set<String> = methods.union(channels).union(["custom", "interaction_code", "true", "false"])

  /// Path segments of the protocol (§2, §3).
  static let paths: Set<String> = [
    "idp", "idx", "oauth2", "default", "v1", "interact", "introspect", "token", "authorize", "well-known", "identify",
    "select", "challenge", "answer", "poll", "resend", "send", "skip", "cancel", "context", "credential", "enroll",
    "new",
    "recover", "authenticators", "webauthn-autofillui", "webauthn", "unlock-account", "consent", "activate", "sso",
    "idps", "api", "login", "step-up", "redirect", "email", "verify", "messages",
  ]
}
