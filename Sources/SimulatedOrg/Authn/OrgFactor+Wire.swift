// How factors are named on the wire (authn.md §5.2, §6.3, §6.4).

extension OrgFactor {
  var factorType: String {
    switch self {
    case .sms: "sms"
    case .call: "call"
    case .email: "email"
    case .push: "push"
    case .totp: "token:software:totp"
    case .question: "question"
    case .token(let provider, _, _): OrgFactorOffer.tokenType(of: provider)
    case .duo: "web"
    case .u2f: "u2f"
    case .webauthn: "webauthn"
    }
  }

  var provider: String {
    switch self {
    case .sms, .call, .email, .push, .question: "OKTA"
    case .totp(_, let provider), .token(let provider, _, _): provider
    case .duo: "DUO"
    case .u2f, .webauthn: "FIDO"
    }
  }

  var idPrefix: String {
    switch self {
    case .sms: "sms"
    case .call: "clf"
    case .email: "emf"
    case .push: "opf"
    case .totp(_, let provider): provider == "GOOGLE" ? "uft" : "ost"
    case .question: "ufs"
    case .token(let provider, _, _): provider == "YUBICO" ? "ykf" : "rsa"
    case .duo: "dsf"
    case .u2f: "fuf"
    case .webauthn: "fwf"
    }
  }

  /// `profile` as others may see it: numbers and addresses masked.
  func profile(login: String, key: [UInt8]) -> OrgJSON {
    switch self {
    case .sms(let phone), .call(let phone): ["phoneNumber": .string(Mask.phone(phone))]
    case .email(let address): ["email": .string(Mask.address(address))]
    case .totp, .duo: ["credentialId": .string(login)]
    case .u2f: ["credentialId": .string(Base64.urlText(key.prefix(32))), "version": "U2F_V2"]
    case .webauthn(let name):
      ["credentialId": .string(Base64.urlText(key.prefix(32))), "authenticatorName": .string(name)]
    case .question(let key, _):
      ["question": .string(key), "questionText": .string(SecurityQuestion.text(of: key))]
    case .token(_, let credentialId, _): ["credentialId": .string(credentialId)]
    case .push(let device):
      [
        "credentialId": .string(login), "deviceType": "SmartPhone_IPhone",
        "keys": [["kty": "PKIX", "use": "sig", "kid": "default", "x5c": [.string(Base64.text(key))]]],
        "name": .string(device), "platform": "IOS", "version": "26.1",
      ]
    }
  }
}

extension OrgFactorOffer {
  var factorType: String {
    switch kind {
    case .sms: "sms"
    case .call: "call"
    case .email: "email"
    case .push: "push"
    case .totp: "token:software:totp"
    case .question: "question"
    case .token(let provider): Self.tokenType(of: provider)
    case .duo: "web"
    case .u2f: "u2f"
    case .webauthn: "webauthn"
    }
  }

  var provider: String {
    switch kind {
    case .sms, .call, .email, .push, .question: "OKTA"
    case .totp(let provider), .token(let provider): provider
    case .duo: "DUO"
    case .u2f, .webauthn: "FIDO"
    }
  }

  static func tokenType(of provider: String) -> String {
    switch provider {
    case "YUBICO": "token:hardware"
    case "CUSTOM": "token:hotp"
    default: "token"
    }
  }

  /// Whether this factor is the one offered.
  func covers(_ factor: OrgFactor) -> Bool { factor.factorType == factorType && factor.provider == provider }
}
