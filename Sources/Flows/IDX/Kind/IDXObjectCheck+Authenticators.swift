// Checks authenticators and their capabilities.

import EventStore
import Foundation

/// The places in an answer where one authenticator appears.
struct AuthenticatorPlaces {
  private(set) var paths: [String] = []
  private(set) var members: [JSON] = []
  /// The state according to the place with the highest precedence.
  private(set) var state = Authenticator.State.normal

  /// The authenticators of an answer, in order of first appearance (idx §7.2).
  static func groups(of answer: JSON) -> [AuthenticatorPlaces] {
    var groups: [(name: String, places: AuthenticatorPlaces)] = []
    func take(_ json: JSON?, _ path: String, _ state: Authenticator.State?) {
      guard let json, json.object != nil else { return }
      let name = "\(json["type"]?.string ?? "") \(json["id"]?.string ?? "-")"
      var index = groups.firstIndex { $0.name == name }
      if index == nil, state != nil {
        groups.append((name, AuthenticatorPlaces()))
        index = groups.count - 1
      }
      guard let index else { return }
      groups[index].places.paths.append(path)
      guard let state else { return }
      groups[index].places.members.append(json)
      groups[index].places.state = max(groups[index].places.state, state)
    }
    take(answer["currentAuthenticatorEnrollment"]?["value"], "$.currentAuthenticatorEnrollment", .enrolling)
    take(answer["currentAuthenticator"]?["value"], "$.currentAuthenticator", .authenticating)
    take(answer["recoveryAuthenticator"]?["value"], "$.recoveryAuthenticator", .recovery)
    for (index, json) in (answer["authenticatorEnrollments"]?["value"]?.array ?? []).enumerated() {
      take(json, "$.authenticatorEnrollments.value[\(index)]", .enrolled)
    }
    for (index, json) in (answer["authenticators"]?["value"]?.array ?? []).enumerated() {
      take(json, "$.authenticators.value[\(index)]", .normal)
    }
    take(answer["enrollmentAuthenticator"]?["value"], "$.enrollmentAuthenticator", nil)
    return groups.map(\.places)
  }

  /// The first member with a name that is an object.
  func object(_ name: String) -> JSON? { members.lazy.compactMap { $0[name] }.first { $0.object != nil } }

  /// Whether there is a form with a name and a URL.
  func hasForm(_ name: String) -> Bool { members.contains { $0[name]?["href"]?.string != nil } }

  /// Whether one of these methods is listed.
  func hasMethod(_ names: String...) -> Bool {
    members.flatMap { $0["methods"]?.array ?? [] }.contains { $0["type"]?.string.map(names.contains) == true }
  }
}

extension IDXObjectCheck {
  mutating func authenticators() {
    let shown = response.authenticators
    expect("authenticators", shown.count == groups.count)
    for (authenticator, places) in zip(shown, groups) { self.authenticator(authenticator, places) }
    guard shown.count == groups.count else { return }
    let current = groups.firstIndex { $0.state == .authenticating || $0.state == .enrolling }
    expect("authenticators.current", shown.current === current.map { shown[$0] })
    let enrolled = groups.indices.filter { groups[$0].state == .enrolled }.map { shown[$0] }
    expect("authenticators.enrolled", shown.enrolled.elementsEqual(enrolled) { $0 === $1 })
    for authenticator in shown {
      let first = shown.first { $0.type == authenticator.type }
      expect("authenticators[kind]", shown[authenticator.type] === first)
    }
  }

  private mutating func authenticator(_ shown: Authenticator, _ places: AuthenticatorPlaces) {
    let first = places.members.first
    expect("authenticator.id", shown.id == first?["id"]?.string)
    expect("authenticator.displayName", shown.displayName == first?["displayName"]?.string)
    let word = first?["type"]?.string ?? ""
    let kind = Self.kind(word)
    expect("authenticator.type", shown.type == kind)
    expect("authenticator.type.stringValue", shown.type.stringValue == (Self.isKnown(kind) ? "\(kind)" : word))
    expect("authenticator.type.isUnknown", shown.type.isUnknown == !Self.isKnown(kind))
    expect("authenticator.key", shown.key == places.members.lazy.compactMap { $0["key"]?.string }.first)
    expect("authenticator.state", shown.state == places.state)
    let methods = places.members.lazy.compactMap { $0["methods"]?.array }.first
    let methodWords = methods?.compactMap { $0["type"]?.string }
    expect("authenticator.methods", shown.methods == methodWords?.map(Self.method))
    for (method, word) in zip(shown.methods ?? [], methodWords ?? []) {
      let isKnown = if case .unknown = method { false } else { true }
      expect("authenticator.methods.stringValue", method.stringValue == (isKnown ? "\(method)" : word))
      expect("authenticator.methods.isUnknown", method.isUnknown == !isKnown)
    }
    let goal = places.members.lazy.compactMap { $0["allowedFor"]?.string }.first
    let goals: [String: Authenticator.Goal] = ["any": .any, "sso": .sso, "recovery": .recovery, "none": .none]
    expect("authenticator.allowedFor", shown.allowedFor == goal.flatMap { goals[$0] })
    let data = places.object("contextualData")?.object?.members.filter { $0.value != .null }.map(\.key)
    expect("authenticator.context", shown.context.map { Set($0.keys) } == data.map { Set($0) })
    capabilities(shown, places)
  }

  private static func isKnown(_ kind: Authenticator.Kind) -> Bool { if case .unknown = kind { false } else { true } }

  private static func kind(_ word: String) -> Authenticator.Kind {
    let kinds: [String: Authenticator.Kind] = [
      "app": .app, "email": .email, "phone": .phone, "password": .password, "security_question": .securityQuestion,
      "device": .device, "security_key": .securityKey, "federated": .federated,
    ]
    return kinds[word] ?? .unknown(word)
  }

  private static func method(_ word: String) -> Authenticator.Method {
    let methods: [String: Authenticator.Method] = [
      "sms": .sms, "voice": .voice, "email": .email, "push": .push, "signed_nonce": .signedNonce,
      "signedNonce": .signedNonce, "totp": .totp, "otp": .otp, "password": .password, "webauthn": .webAuthN,
      "security_question": .securityQuestion, "idp": .idp, "duo": .duo, "federated": .federated,
    ]
    return methods[word] ?? .unknown(word)
  }

  private mutating func capabilities(_ shown: Authenticator, _ places: AuthenticatorPlaces) {
    expect("authenticator.sendable", (shown.sendable != nil) == places.hasForm("send"))
    expect("authenticator.resendable", (shown.resendable != nil) == places.hasForm("resend"))
    expect("authenticator.recoverable", (shown.recoverable != nil) == places.hasForm("recover"))
    expect("authenticator.pollable", (shown.pollable != nil) == places.hasForm("poll"))
    polling(shown.pollable)
    var values: [String: String] = [:]
    for member in places.object("profile")?.object?.members ?? [] { values[member.key] = member.value.string }
    expect("authenticator.profile", shown.profile?.values == (places.object("profile") == nil ? nil : values))
    for (name, value) in values { expect("authenticator.profile[\(name)]", shown.profile?[name] == value) }
    settings(shown.passwordSettings, places)
    image(shown.otp, places)
    let number = places.members.lazy.compactMap { $0["contextualData"]?["correctAnswer"] }.first { $0 != .null }
    expect("authenticator.numberChallenge", shown.numberChallenge?.correctAnswer == number?.string)
    let widget = places.members.first { $0["key"] == "duo" && $0["contextualData"]?.object != nil }?["contextualData"]
    let (host, token) = (widget?["host"]?.string, widget?["signedToken"]?.string)
    let script = widget?["script"]?.string
    let isDuo = isApp(places) && places.hasMethod("duo") && host != nil && token != nil && script != nil
    expect("authenticator.duo", (shown.duo != nil) == isDuo)
    if let duo = shown.duo {
      expect("duo", duo.host == host && duo.signedToken == token && duo.script == script && duo.signatureData == nil)
    }
  }

  private func isApp(_ places: AuthenticatorPlaces) -> Bool { places.members.first?["type"] == "app" }

  /// Compares password rules. Rules that the org does not send are shown as 0 or `false`.
  private mutating func settings(_ shown: Capability.PasswordSettings?, _ places: AuthenticatorPlaces) {
    let settings = places.object("settings")
    let json = settings?["complexity"]
    let isThere = places.members.first?["type"] == "password" && json?.object != nil
    expect("authenticator.passwordSettings", (shown != nil) == isThere)
    guard let shown else { return }
    expect("passwordSettings.daysToExpiry", shown.daysToExpiry == Self.integer(settings?["daysToExpiry"]))
    let limits = [
      ("minLength", shown.minLength, "minlength"), ("minLowerCase", shown.minLowerCase, "lower"),
      ("minUpperCase", shown.minUpperCase, "upper"), ("minNumber", shown.minNumber, "digit"),
      ("minSymbol", shown.minSymbol, "symbol"),
      ("maxConsecutiveRepeatingCharacters", shown.maxConsecutiveRepeatingCharacters, "max-consecutive"),
    ]
    var rules: [String] = []
    for (name, value, rule) in limits {
      let number = Self.integer(json?[name])
      expect("passwordSettings.\(name)", value == number)
      if number > 0 { rules.append("required: \(rule): \(number)") }
    }
    expect("passwordSettings.passwordRules", shown.passwordRules == rules.joined(separator: ";\n"))
    expect("passwordSettings.excludeUsername", shown.excludeUsername == Self.flag(json?["excludeUsername"]) ?? false)
    let names = (json?["excludeAttributes"]?.array ?? []).compactMap(\.string)
    expect("passwordSettings.excludeAttributes", shown.excludeAttributes == names)
  }

  /// A number, which may be written as text; 0 for anything else.
  private static func integer(_ json: JSON?) -> Int { json?.int ?? json?.string.flatMap { Int($0) } ?? 0 }

  private mutating func image(_ shown: Capability.OTP?, _ places: AuthenticatorPlaces) {
    let data = places.object("contextualData")
    let code = data?["qrcode"]
    let type = code?["type"]?.string ?? ""
    let parts = (code?["href"]?.string ?? "").components(separatedBy: ";base64,")
    let bytes =
      parts.count > 1 && parts[0].hasPrefix("data:image/")
      ? Data(base64Encoded: parts.dropFirst().joined(separator: ";base64,"), options: .ignoreUnknownCharacters) : nil
    let isThere =
      isApp(places) && places.hasMethod("otp", "totp") && code?["method"] == "embedded" && !type.isEmpty && bytes != nil
    expect("authenticator.otp", (shown != nil) == isThere)
    guard let shown else { return }
    expect("otp.mimeType", shown.mimeType == type)
    expect("otp.imageData", shown.imageData == bytes)
    expect("otp.sharedSecret", shown.sharedSecret == data?["sharedSecret"]?.string)
  }
}
