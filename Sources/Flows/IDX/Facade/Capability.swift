// The capabilities of authenticators and remediations beyond filling in and sending a form (idx §8).

import EventStore

/// A capability of an authenticator or of a remediation.
public protocol IDXCapability: Sendable {}

/// A capability of an authenticator.
public protocol AuthenticatorCapability: IDXCapability {}

/// A capability of a remediation.
public protocol RemediationCapability: IDXCapability {}

/// The kinds of capabilities.
public enum Capability {
  static func all(
    of reading: AuthenticatorReading, index: Int, _ origin: ResponseOrigin
  ) -> [any AuthenticatorCapability] {
    func action(_ name: String) -> Action? {
      reading.form(name).map { Action(form: $0, reference: .authenticator(index, name), origin: origin) }
    }
    var all: [any AuthenticatorCapability] = []
    if let action = action("send") { all.append(Sendable(action: action)) }
    if let action = action("resend") { all.append(Resendable(action: action)) }
    if let action = action("recover") { all.append(Recoverable(action: action)) }
    if reading.form("poll") != nil { all.append(Pollable(source: .authenticator(reading.type ?? ""), origin: origin)) }
    if let profile = reading.profile { all.append(Profile(profile)) }
    if let settings = reading.passwordSettings { all.append(PasswordSettings(settings)) }
    if let otp = OTP(reading) { all.append(otp) }
    if let duo = reading.duo { all.append(Duo(host: duo.host, signedToken: duo.signedToken, script: duo.script)) }
    if let number = reading.correctAnswer { all.append(NumberChallenge(correctAnswer: number)) }
    return all
  }

  static func all(
    of reading: FormReading, _ reference: FormReference, _ form: Remediation.Form, _ related: [Authenticator],
    _ response: ResponseReading, _ origin: ResponseOrigin
  ) -> [any RemediationCapability] {
    var all: [any RemediationCapability] = []
    if let name = reading.name, IDXVocabulary.polls.contains(name) {
      all.append(Pollable(source: .remediation(name), origin: origin))
    }
    if let provider = SocialIDP(reading, origin) { all.append(provider) }
    if let registration = WebAuthnRegistration(reading, form, related, origin) { all.append(registration) }
    if let authentication = WebAuthnAuthentication(reading, form, related, response, origin) {
      all.append(authentication)
    }
    return all
  }

  /// A form of an authenticator that is sent unchanged.
  struct Action: Swift.Sendable, Hashable {
    var form: FormReading
    var reference: FormReference
    var origin: ResponseOrigin

    /// Returns whether both are the same form of the same response.
    static func == (left: Action, right: Action) -> Bool {
      left.reference.text == right.reference.text && left.origin === right.origin
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(reference.text)
      hasher.combine(ObjectIdentifier(origin))
    }

    var intent: IDXIntent { IDXIntent(proceed: form, reference, nil, origin) }
  }
}
