// The vocabulary of the wire protocol (spec/device.md §2-§10).

import EventStore

/// Constants that both sides of the protocol use.
package enum DeviceVocabulary {
  /// A sign-in.
  package static let login = "LOGIN"
  /// An authentication started by a client (CIBA).
  package static let ciba = "CIBA"
  /// The payload version that identifies notifications of this product.
  package static let payloadVersion = "IDXv1"
  /// The `typ` of challenges and of their answers.
  package static let challengeType = "okta-pushbind+jwt"
  /// The `aud` that challenges of every org use.
  package static let challengeAudience = "okta.63c081db-1f13-5084-882f-e79e1e5e2da7"
  /// The authenticator's key.
  package static let authenticatorKey = "custom_app"
  /// The `iss` of assertions for maintenance tokens.
  package static let maintenanceIssuer = "urn:okta:devices:app:authenticator"
  /// The scope of maintenance tokens if the application specifies none.
  package static let maintenanceScope = "okta.myAccount.appAuthenticator.maintenance.manage"
  /// The known members of a notification.
  package static let payloadKeys: Set<String> = [
    "payloadVersion", "okta.payloadVersion", "challenge", "okta.challenge", "aps",
  ]

  /// The person's answer, as sent to the org (§9.4).
  package enum Consent: String, Sendable, CaseIterable {
    /// The person approved.
    case approved = "APPROVED_CONSENT_PROMPT"
    /// The person denied.
    case denied = "DENIED_CONSENT_PROMPT"
    /// The person approved and was verified.
    case verified = "APPROVED_USER_VERIFICATION"
    /// The person approved but cancelled the verification.
    case cancelled = "CANCELLED_USER_VERIFICATION"
    /// The person approved but cannot be verified at the moment.
    case temporarilyUnavailable = "UV_TEMPORARILY_UNAVAILABLE"
    /// The person approved but cannot be verified at all.
    case permanentlyUnavailable = "UV_PERMANENTLY_UNAVAILABLE"
    /// No consent is given.
    case none = "NONE"

    /// Returns the person's answer according to a signed answer: `approved` or `denied`; `nil` if it contains no
    /// consent.
    static func word(of signed: JSON) -> String? {
      signed["consent"]?.string.map { $0 == denied.rawValue ? "denied" : "approved" }
    }
  }

  /// The key that signed.
  package enum KeyType: String, Sendable, CaseIterable {
    /// The silent key.
    case proofOfPossession
    /// The user verification key.
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
