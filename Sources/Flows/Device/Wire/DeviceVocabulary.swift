// The words of the wire (spec/device.md §2-§10).

import EventStore

/// Words that both sides of the wire know.
package enum DeviceVocabulary {
  /// A sign-in.
  package static let login = "LOGIN"
  /// An authentication that a client started (CIBA).
  package static let ciba = "CIBA"
  /// The version of payloads that are ours.
  package static let payloadVersion = "IDXv1"
  /// The `typ` of challenges and of their answers.
  package static let challengeType = "okta-pushbind+jwt"
  /// The `aud` of challenges that every org uses.
  package static let challengeAudience = "okta.63c081db-1f13-5084-882f-e79e1e5e2da7"
  /// The authenticator's key.
  package static let authenticatorKey = "custom_app"
  /// The `iss` of assertions for maintenance tokens.
  package static let maintenanceIssuer = "urn:okta:devices:app:authenticator"
  /// The scope of maintenance tokens if the application names none.
  package static let maintenanceScope = "okta.myAccount.appAuthenticator.maintenance.manage"
  /// Members of a notification that are known by name.
  package static let payloadKeys: Set<String> = [
    "payloadVersion", "okta.payloadVersion", "challenge", "okta.challenge", "aps",
  ]

  /// What a person's answer was, for the org (§9.4).
  package enum Consent: String, Sendable, CaseIterable {
    /// They agreed.
    case approved = "APPROVED_CONSENT_PROMPT"
    /// They did not.
    case denied = "DENIED_CONSENT_PROMPT"
    /// They agreed and were verified.
    case verified = "APPROVED_USER_VERIFICATION"
    /// They agreed and cancelled the verification.
    case cancelled = "CANCELLED_USER_VERIFICATION"
    /// They agreed, and could not be verified now.
    case temporarilyUnavailable = "UV_TEMPORARILY_UNAVAILABLE"
    /// They agreed, and cannot be verified.
    case permanentlyUnavailable = "UV_PERMANENTLY_UNAVAILABLE"
    /// Nothing is said.
    case none = "NONE"

    /// What the person said by what a signed answer says: `approved`, `denied`; nil if it does not say its consent.
    static func word(of signed: JSON) -> String? {
      signed["consent"]?.string.map { $0 == denied.rawValue ? "denied" : "approved" }
    }
  }

  /// Which key signed.
  package enum KeyType: String, Sendable, CaseIterable {
    /// The silent one.
    case proofOfPossession
    /// The one of a verified person.
    case userVerification
  }

  /// Paths of the org (§4).
  package enum Path {
    package static let organization = "/.well-known/okta-organization"
    package static let configuration = "/.well-known/app-authenticator-configuration"
    package static let enrollments = "/idp/myaccount/app-authenticators"
    package static let token = "/oauth2/v1/token"
    package static let discovery = "/.well-known/openid-configuration"
  }

  /// The versioned media types (§3).
  package enum Media {
    package static let json = "application/json; okta-version=1.0.0"
    package static let mergePatch = "application/merge-patch+json; okta-version=1.0.0"
    package static let plain = "application/json"
    package static let form = "application/x-www-form-urlencoded"
  }
}
