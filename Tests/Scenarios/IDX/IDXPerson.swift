// A person in front of a sign-in page: fills in any form, as policies and users of the org have it.

import EventStore
import Foundation
public import IDX
public import SimulatedOrg

/// Fills in forms for a user.
public struct IDXPerson: Sendable {
  /// What the person types as user name.
  public var login: String
  /// The password.
  public var password: String
  /// The password that the person takes when a new one is asked for.
  public var newPassword = "Another-Horse-8"
  /// The answer to every question.
  public var answer = "teddy"
  /// The labels to choose, if there is a choice: `Email`, `SMS`.
  public var choices: [String] = []
  /// The secret of the authenticator app, if it was set up before.
  public var secret = "JBSWY3DPEHPK3PXP"
  /// The name of the security key.
  public var key = "Ann's key"

  /// A person.
  public init(login: String = Scenario.login, password: String = Scenario.password, choices: [String] = []) {
    self.login = login
    self.password = password
    self.choices = choices
  }

  /// Fills in everything of a remediation that is not filled in.
  public func fill(_ remediation: Remediation, of response: Response, at org: SimulatedOrg) throws {
    if try sign(remediation) { return }
    fill(remediation.form, remediation, response, org)
    if let duo = remediation.authenticators.compactMap(\.duo).first ?? response.authenticators.compactMap(\.duo).first {
      duo.signatureData = SimulatedOrg.duoSignature(for: duo.signedToken)
    }
  }

  private func fill(_ form: Remediation.Form, _ remediation: Remediation, _ response: Response, _ org: SimulatedOrg) {
    for field in form where field.isMutable || field.form != nil || field.options != nil {
      if let options = field.options, !options.isEmpty {
        let chosen = options.first { choices.contains($0.label ?? "") } ?? options[0]
        field.selectedOption = chosen
        if let form = chosen.form { fill(form, remediation, response, org) }
      } else if let form = field.form {
        fill(form, remediation, response, org)
      } else if field.value == nil {
        field.value =
          field.type == "boolean" ? field.isRequired : text(field.name ?? "", remediation, response, org)
      }
    }
  }

  private func text(
    _ name: String, _ remediation: Remediation, _ response: Response, _ org: SimulatedOrg
  ) -> String {
    let current = response.authenticators.current ?? response.authenticators.first { $0.state == .recovery }
    switch name {
    case "identifier": return login
    case "passcode", "totp":
      switch current?.key {
      case "okta_password":
        return remediation.type == .challengeAuthenticator || remediation.type == .identify ? password : newPassword
      case "google_otp", "okta_verify":
        return org.timeCode(secret: current?.otp?.sharedSecret ?? secret) ?? ""
      case nil: return remediation.type == .enrollProfile ? newPassword : password
      default: return org.outbox.last?.code ?? ""
      }
    case "answer": return answer
    case "question": return "Why?"
    case "phoneNumber": return "+15551234567"
    case "email": return remediation.type == .enrollProfile ? login : "ann.two@acme.example"
    case "secondEmail": return "second@acme.example"
    case "firstName": return "Mary"
    case "lastName": return "Smith"
    default: return "Some text"
    }
  }

  /// Lets a security key answer; true if one is asked.
  private func sign(_ remediation: Remediation) throws -> Bool {
    let device = SoftwareAuthenticator(name: key)
    func data(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }
    func base64url(_ data: Data) -> String {
      data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
    }
    if let registration = remediation.webAuthnRegistration, remediation.type == .enrollAuthenticator {
      let made = device.register(challenge: base64url(registration.challenge), origin: Stage.orgURL)
      try registration.register(attestation: data(made.attestation), clientJSON: data(made.clientData))
      return true
    }
    if let asked = remediation.webAuthnAuthentication, remediation.type == .challengeAuthenticator {
      let made = device.sign(challenge: base64url(asked.challenge), origin: Stage.orgURL)
      try asked.challenge(
        authenticatorData: data(made.authenticatorData), clientData: data(made.clientData),
        signatureData: data(made.signatureData))
      return true
    }
    return false
  }
}
