// How a person names a second factor: by its number in the list, its type, or the name that the org shows.

import Authn
import EventStore
import IDX

/// A factor as `--factor` or an answer at the terminal names it.
struct FactorName {
  private let text: String

  /// A name as typed.
  init(_ text: String) { self.text = text.lowercased() }

  /// The number in a list that starts with 1, as an index of it.
  private func index(below count: Int) -> Int? { Int(text).flatMap { (1...max(1, count)).contains($0) ? $0 - 1 : nil } }

  /// Both APIs' words for one thing.
  private var words: Set<String> {
    switch text {
    case "call", "voice": ["call", "voice"]
    case "question", "security_question": ["question", "security_question"]
    case "totp", "otp", "token:software:totp": ["totp", "otp", "token:software:totp"]
    default: [text]
    }
  }

  /// The factor of the classic API that is meant.
  func pick(from factors: [OktaFactor]) -> OktaFactor? {
    if let index = index(below: factors.count), factors.indices.contains(index) { return factors[index] }
    return factors.first { !words.isDisjoint(with: [$0.type.raw.lowercased()]) }
      ?? factors.first { factor in
        let names = [factor.vendorName, factor.provider?.raw, factor.profile?.name]
        return names.contains { $0?.lowercased() == text }
      }
  }

  /// The choice of a form of the Identity Engine that is meant.
  ///
  /// - Parameter byNumber: whether a number counts, as it does in the list of authenticators.
  func pick(from options: [Remediation.Form.Field], byNumber: Bool) -> Remediation.Form.Field? {
    if byNumber, let index = index(below: options.count), options.indices.contains(index) { return options[index] }
    return options.first { !words.isDisjoint(with: Self.names(of: $0)) }
  }

  /// What a choice can be called, in lower case.
  private static func names(of option: Remediation.Form.Field) -> Set<String> {
    var names = [option.label, option.value as? String]
    if let authenticator = option.authenticator {
      names += [authenticator.key, authenticator.displayName, name(of: authenticator.type)]
      names += (authenticator.methods ?? []).map(name)
    }
    // The method of the authenticator may be a nested choice.
    for field in option.form.map(Array.init) ?? [] where field.name == "methodType" {
      names += [field.value as? String] + (field.options ?? []).map { $0.value as? String }
    }
    return Set(names.compactMap { $0?.lowercased() })
  }

  private static func name(of kind: Authenticator.Kind) -> String {
    switch kind {
    case .app: "app"
    case .email: "email"
    case .phone: "phone"
    case .password: "password"
    case .securityQuestion: "security_question"
    case .device: "device"
    case .securityKey: "security_key"
    case .federated: "federated"
    case .unknown(let name): name
    }
  }

  private static func name(_ method: Authenticator.Method) -> String? {
    switch method {
    case .sms: "sms"
    case .voice: "voice"
    case .email: "email"
    case .push: "push"
    case .signedNonce: "signed_nonce"
    case .totp: "totp"
    case .otp: "otp"
    case .password: "password"
    case .webAuthN: "webauthn"
    case .securityQuestion: "security_question"
    case .idp: "idp"
    case .duo: "duo"
    case .federated: "federated"
    case .unknown(let name): name
    }
  }
}
