// From factors to authenticators: what a person has, and how responses show it.

import Foundation

extension OrgState {
  /// The policy sign-ins through the engine follow.
  var policy: OrgPolicy { configuration.policy }

  /// The id of an authenticator in this org.
  func authenticatorID(_ authenticator: OrgAuthenticator) -> String {
    var draws = SeededGenerator(seed: configuration.seed, for: "authenticator \(authenticator.rawValue)")
    return draws.text("aut", length: 17)
  }

  /// What a person has set up: the password first, then the factors in their order; methods of one product are one.
  func enrolled(_ account: Account) -> [IDXEnrolled] {
    var list: [IDXEnrolled] = []
    if account.password != nil {
      list.append(IDXEnrolled(authenticator: .password, id: Self.id("lae", account, .password), methods: ["password"]))
    }
    for enrolment in account.enrolments {
      guard let (authenticator, methods, address) = Self.place(of: enrolment.factor) else { continue }
      let index = list.firstIndex { $0.authenticator == authenticator && $0.address == address }
      guard let index else {
        list.append(
          IDXEnrolled(
            authenticator: authenticator, id: enrolment.id, methods: methods, enrolments: [enrolment],
            address: address))
        continue
      }
      for method in methods where !list[index].methods.contains(method) { list[index].methods.append(method) }
      list[index].enrolments.append(enrolment)
    }
    return list
  }

  /// The authenticators that may prove the identity of a person who asks for a new password or an unlocked account:
  /// mail and phone are known from the profile.
  func enrolledForRecovery(_ account: Account) -> [IDXEnrolled] {
    var list = enrolled(account).filter { $0.authenticator != .password }
    if !list.contains(where: { $0.authenticator == .email }) {
      let mail = IDXEnrolled(
        authenticator: .email, id: Self.id("eae", account, .email), methods: ["email"], address: account.user.email)
      list.insert(mail, at: 0)
    }
    if let phone = account.recoveryPhone, !list.contains(where: { $0.authenticator == .phone }) {
      list.append(
        IDXEnrolled(
          authenticator: .phone, id: Self.id("sms", account, .phone), methods: ["sms", "voice"], address: phone))
    }
    return list
  }

  private static func id(_ prefix: String, _ account: Account, _ authenticator: OrgAuthenticator) -> String {
    var draws = SeededGenerator(seed: 0, for: "\(account.id) \(authenticator.rawValue)")
    return draws.text(prefix, length: 17)
  }

  /// The place of a factor; U2F keys are not part of the engine.
  private static func place(
    of factor: OrgFactor
  ) -> (authenticator: OrgAuthenticator, methods: [String], address: String?)? {
    switch factor {
    case .sms(let phone), .call(let phone): (.phone, ["sms", "voice"], phone)
    case .email(let address): (.email, ["email"], address)
    case .push: (.oktaVerify, ["push"], nil)
    case .totp(_, "GOOGLE"): (.google, ["otp"], nil)
    case .totp: (.oktaVerify, ["totp"], nil)
    case .question: (.question, ["security_question"], nil)
    case .token("SYMANTEC", _, _): (.symantec, ["otp"], nil)
    case .token("YUBICO", _, _): (.yubikey, ["otp"], nil)
    case .token("RSA", _, _): (.rsa, ["otp"], nil)
    case .token("CUSTOM", _, _): (.custom, ["otp"], nil)
    case .token: (.onPremises, ["otp"], nil)
    case .duo: (.duo, ["duo"], nil)
    case .webauthn: (.webauthn, ["webauthn"], nil)
    case .u2f: nil
    }
  }

  /// An authenticator in general, not of a particular user.
  func ion(_ authenticator: OrgAuthenticator, methods: [String]? = nil) -> IonAuthenticator {
    IonAuthenticator(
      authenticator: authenticator, id: authenticatorID(authenticator), methods: methods ?? authenticator.methods)
  }

  /// An enrolled authenticator, numbers and addresses masked.
  func ion(_ enrolled: IDXEnrolled) -> IonAuthenticator {
    var ion = IonAuthenticator(
      authenticator: enrolled.authenticator, id: enrolled.id, methods: enrolled.methods)
    switch enrolled.authenticator {
    case .phone: ion.profile = enrolled.address.map { ["phoneNumber": .string(Mask.phone($0))] }
    case .email: ion.profile = enrolled.address.map { ["email": .string(Mask.address($0))] }
    case .question:
      if case .question(let key, _) = enrolled.enrolments.first?.factor {
        ion.profile = ["questionKey": .string(key), "question": .string(SecurityQuestion.text(of: key))]
      }
    case .oktaVerify:
      for enrolment in enrolled.enrolments {
        if case .push(let device) = enrolment.factor { ion.profile = ["deviceName": .string(device)] }
      }
    case .webauthn:
      if let enrolment = enrolled.enrolments.first, let key = passkey(of: enrolment) {
        ion.credentialId = Base64.urlText(key.credentialID)
      }
    case .password, .google, .duo, .symantec, .yubikey, .rsa, .onPremises, .custom: break
    }
    return ion
  }

  /// The key of a WebAuthn factor: the registered one, or for a user who came with the factor the one that
  /// `SoftwareAuthenticator(name:)` has.
  func passkey(of enrolment: Enrolment) -> IDXState.Passkey? {
    guard case .webauthn(let name) = enrolment.factor else { return nil }
    return idx.passkeys[enrolment.id] ?? SoftwareAuthenticator(name: name).passkey
  }
}
