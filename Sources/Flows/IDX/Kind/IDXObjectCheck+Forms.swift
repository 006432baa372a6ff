// Checks remediations, their forms, and their fields.

import EventStore
import FlowRecording
import Foundation

extension IDXObjectCheck {
  private static let polls: Set<String> = ["enroll-poll", "challenge-poll", "device-challenge-poll", "poll"]

  private static let services: [String: Capability.SocialIDP.Service] = [
    "SAML2": .saml, "GOOGLE": .google, "FACEBOOK": .facebook, "LINKEDIN": .linkedin, "MICROSOFT": .microsoft,
    "OIDC": .oidc, "OKTA": .okta, "IWA": .iwa, "AgentlessDSSO": .agentlessIwa, "X509": .x509, "APPLE": .apple,
    "OIN_SOCIAL": .oinSocial,
  ]

  mutating func remediation(at index: Int, _ json: JSON) {
    guard index < response.remediations.count else { return }
    let remediation = response.remediations[index]
    let name = json["name"]?.string ?? ""
    expect("remediation.type", remediation.type == IDXWords.remediations[name] ?? .unknown(name))
    let address = json["href"]?.string.flatMap { $0.isEmpty ? nil : URL(string: $0) }
    expect("remediation.href", remediation.href == address)
    let related = related(json, name)
    expect("remediation.authenticators", remediation.authenticators.elementsEqual(related) { $0 === $1 })
    expect("remediation.pollable", (remediation.pollable != nil) == Self.polls.contains(name))
    polling(remediation.pollable)
    provider(remediation.socialIdp, json, address)
    passkeys(remediation, name, json, related)
    fields(of: remediation.form, json["value"]?.array ?? [])
    let messages = remediation.messages.allMessages
    expect("remediation.messages", messages.allSatisfy { $0.field != nil } && remediation.messages.isEmpty)
  }

  /// Checks that polling is not shown as active if no call polls.
  mutating func polling(_ pollable: Capability.Pollable?) {
    guard let pollable, pollable.origin.session.flow.core.poll == nil else { return }
    expect("isPolling", !pollable.isPolling)
  }

  private mutating func provider(_ shown: Capability.SocialIDP?, _ json: JSON, _ address: URL?) {
    let (type, idp) = (json["type"]?.string, json["idp"])
    let (id, name) = (idp?["id"]?.string, idp?["name"]?.string)
    let url = json["href"]?.string.flatMap { URL(string: $0) }
    let isProvider = json["name"] == "redirect-idp" && type != nil && id != nil && name != nil && url != nil
    expect("socialIdp", (shown != nil) == isProvider)
    guard let shown else { return }
    expect("socialIdp.redirectUrl", shown.redirectUrl == url)
    expect("socialIdp.id", shown.id == id)
    expect("socialIdp.idpName", shown.idpName == name)
    expect("socialIdp.service", shown.service == Self.services[type ?? ""] ?? .other(type ?? ""))
  }

  /// The authenticators that a form refers to.
  private func related(_ json: JSON, _ name: String) -> [Authenticator] {
    var paths = json["relatesTo"]?.array?.compactMap(\.string) ?? json["relatesTo"]?.string.map { [$0] } ?? []
    if name == "enroll-poll" { paths = ["$.currentAuthenticator"] }
    var found = paths.compactMap { authenticator(at: $0) }
    if found.count < paths.count { found = [] }
    // The org does not relate the password to the form on the first page (idx §4.3, 3).
    if name == "identify", let current = authenticator(at: "$.currentAuthenticator"), current.type == .password {
      found.append(current)
    }
    var once: [Authenticator] = []
    for authenticator in found where !once.contains(where: { $0 === authenticator }) { once.append(authenticator) }
    return once
  }

  /// The authenticator at a path in the answer.
  func authenticator(at path: String) -> Authenticator? {
    guard let index = groups.firstIndex(where: { $0.paths.contains(path) }), index < response.authenticators.count
    else { return nil }
    return response.authenticators[index]
  }

  // MARK: Fields

  /// The nested fields as the org sent them; `nil` if there are none.
  static func nested(_ json: JSON) -> [JSON]? {
    json["form"]?["value"]?.array ?? json["value"]?["form"]?["value"]?.array
  }

  static func flag(_ json: JSON?) -> Bool? {
    switch json {
    case .bool(let flag): flag
    case .string(let text): ["true": true, "false": false][text.lowercased()]
    case .null, .number, .array, .object, nil: nil
    }
  }

  /// Whether a field, or a field nested in it, is visible to a person (idx §5.1).
  private static func isSeen(_ json: JSON) -> Bool {
    let isFixed = flag(json["mutable"]) == false && json["value"] ?? .null != .null
    if !isFixed, flag(json["visible"]) ?? true { return true }
    let inside = (nested(json) ?? []) + (json["options"]?.array ?? [])
    return inside.contains { $0.object != nil && isSeen($0) }
  }

  private mutating func fields(of form: Remediation.Form, _ sent: [JSON]) {
    let sent = sent.filter { $0.object != nil }
    expect("form", form.allFields.count == sent.count)
    let seen = zip(form.allFields, sent).filter { Self.isSeen($0.1) }.map(\.0)
    expect("form.fields", form.fields.elementsEqual(seen) { $0 === $1 })
    for field in seen {
      guard let name = field.name, !name.contains("."), let first = seen.first(where: { $0.name == name }) else {
        continue
      }
      expect("form[\(name)]", form[name] === first)
      for inner in first.form?.fields ?? [] {
        guard let own = inner.name, !own.contains(".") else { continue }
        expect("form[\(name).\(own)]", form["\(name).\(own)"]?.name == own && first[own]?.name == own)
      }
    }
    for (field, json) in zip(form.allFields, sent) where !Self.isSeen(json) { hidden(field, in: form, sent, seen) }
    for (field, json) in zip(form.allFields, sent) { self.field(field, json) }
  }

  /// A hidden field can be found by name if a program may fill it in.
  private mutating func hidden(
    _ field: Remediation.Form.Field, in form: Remediation.Form, _ sent: [JSON], _ seen: [Remediation.Form.Field]
  ) {
    guard let name = field.name, !name.contains("."), !seen.contains(where: { $0.name == name }) else { return }
    let open = zip(form.allFields, sent).first { $0.0.name == name && Self.flag($0.1["mutable"]) ?? true }
    expect("form[\(name)]", form[name] === open?.0)
  }

  private mutating func field(_ field: Remediation.Form.Field, _ json: JSON) {
    expect("field.name", field.name == json["name"]?.string)
    expect("field.label", field.label == json["label"]?.string)
    expect("field.type", field.type == json["type"]?.string)
    // Defaults apply to what the org omits: mutable, not required, not secret (idx §5.1).
    expect("field.isRequired", field.isRequired == Self.flag(json["required"]) ?? false)
    expect("field.isSecret", field.isSecret == Self.flag(json["secret"]) ?? false)
    expect("field.isMutable", field.isMutable == Self.flag(json["mutable"]) ?? true)
    value(field, json["value"])
    let path = json["relatesTo"]?.string
    expect("field.authenticator", field.authenticator === path.flatMap { authenticator(at: $0) })
    messages(Array(field.messages), Self.messages(json["messages"]), of: field)
    let options = json["options"]?.array?.filter { $0.object != nil }
    expect("field.options", field.options?.count == options?.count)
    expect("field.selectedOption", field.selectedOption == nil)
    for (option, json) in zip(field.options ?? [], options ?? []) {
      expect("field.isSelectedOption", !option.isSelectedOption)
      self.field(option, json)
    }
    let nested = Self.nested(json)?.filter { $0.object != nil } ?? []
    expect("field.form", (field.form != nil) == !nested.isEmpty)
    if let form = field.form { fields(of: form, nested) }
  }

  private mutating func value(_ field: Remediation.Form.Field, _ json: JSON?) {
    switch json {
    case .string(let text): expect("field.value", field.value as? String == text)
    case .bool(let flag): expect("field.value", field.value as? Bool == flag)
    case .number(let text):
      if let number = Int(text) { expect("field.value", field.value as? Int == number) }
    case .array, nil, .null, .object: break
    }
  }

  /// Describes how a field differs from what was just filled in; `nil` if it does not.
  static func complaint(about field: Remediation.Form.Field, filledBy fill: JSON) -> String? {
    if let option = fill["option"]?.int {
      guard let options = field.options, options.indices.contains(option), field.selectedOption === options[option]
      else {
        return "the field shows another option than was selected"
      }
      let isRight = options.enumerated().allSatisfy { $1.isSelectedOption == ($0 == option) }
      return isRight ? nil : "other options are shown as selected"
    }
    let isRight =
      switch fill["value"] {
      case .string(let text): field.value as? String == text
      case .bool(let flag): field.value as? Bool == flag
      case .number(let text): Int(text).map { field.value as? Int == $0 } ?? true
      case .null: field.value == nil
      case .array, .object, nil: true
      }
    return isRight ? nil : "the field shows another value than was filled in"
  }
}
