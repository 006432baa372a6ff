// Compares a response object with the answer that it was created from. The answer is read here by different code than
// the object uses.

import EventStore
import FlowRecording
import Foundation

/// Checks the public members of one response.
///
/// Descriptions and mirrors of the objects are not checked.
struct IDXObjectCheck {
  let response: Response
  let answer: JSON
  /// The places in the answer where each authenticator appears.
  let groups: [AuthenticatorPlaces]
  private var found: [String] = []

  init(_ response: Response, answer: JSON) {
    (self.response, self.answer) = (response, answer)
    groups = AuthenticatorPlaces.groups(of: answer)
  }

  /// Describes the first member that differs from the answer; `nil` if there is none.
  var complaint: String? {
    var check = self
    check.step()
    check.user()
    check.captcha()
    check.messages()
    check.authenticators()
    for (index, form) in check.forms.enumerated() { check.remediation(at: index, form) }
    return check.found.first.map { "\($0) of the response is not what the org sent" }
  }

  mutating func expect(_ member: @autoclosure () -> String, _ isRight: Bool) { if !isRight { found.append(member()) } }

  /// The remediations that are offered, as the org sent them.
  private var offered: [JSON] {
    (answer["remediation"]?["value"]?.array ?? []).filter { $0.object != nil }
  }

  /// All forms of the answer: those offered, `cancel`, and the success form.
  var forms: [JSON] {
    offered + [answer["cancel"], answer["successWithInteractionCode"]].compactMap { $0 }.filter { $0.object != nil }
  }

  private static let intents: [String: Response.Intent] = [
    "ENROLL_NEW_USER": .enrollNewUser, "LOGIN": .login, "CREDENTIAL_ENROLLMENT": .credentialEnrollment,
    "CREDENTIAL_UNENROLLMENT": .credentialUnenrollment, "CREDENTIAL_RECOVERY": .credentialRecovery,
    "CREDENTIAL_MODIFY": .credentialModify,
  ]

  private mutating func step() {
    let (cancel, success) = (answer["cancel"]?.object, answer["successWithInteractionCode"]?.object)
    expect("isLoginSuccessful", response.isLoginSuccessful == (success != nil))
    let canCancel =
      offered.contains { $0["name"] == "cancel" } || cancel != nil && answer["cancel"]?["name"] == "cancel"
    expect("canCancel", response.canCancel == canCancel && response.canRestart == canCancel)
    expect("isTerminal", response.isTerminal == (offered.isEmpty && success == nil))
    let named = forms.map { $0["name"]?.string ?? "" }
    expect("remediations", response.remediations.map(\.name) == named)
    for (name, index) in named.enumerated().map({ ($0.element, $0.offset) }) where named.firstIndex(of: name) == index {
      expect("remediations[\(name)]", response.remediations[name] === response.remediations[index])
    }
    let providers = response.remediations.compactMap(\.socialIdp)
    expect("allSocialIdps", response.remediations.allSocialIdps == providers)
    if let time = answer["expiresAt"]?.string.flatMap(PlayedTime.date) {
      let shown = response.expiresAt?.timeIntervalSince1970 ?? 0
      expect("expiresAt", abs(shown - time.timeIntervalSince1970) < 0.001)
    }
    let word = answer["intent"]?.string ?? ""
    expect("intent", response.intent == Self.intents[word] ?? .unknown(word))
  }

  private mutating func user() {
    let user = answer["user"]?["value"]
    let hasUser = user?["id"]?.string != nil
    expect("user", (response.user != nil) == hasUser)
    if let shown = response.user {
      expect("user.id", shown.id == user?["id"]?.string)
      expect("user.username", shown.username == user?["identifier"]?.string)
      let profile = user?["profile"]
      expect("user.profile", (shown.profile != nil) == (profile?.object != nil))
      expect("user.firstName", shown.profile?.firstName == profile?["firstName"]?.string)
      expect("user.lastName", shown.profile?.lastName == profile?["lastName"]?.string)
      expect("user.timeZone", shown.profile?.timeZone == profile?["timeZone"]?.string)
      expect("user.locale", shown.profile?.locale == profile?["locale"]?.string)
    }
    let app = answer["app"]?["value"]
    expect("app", (response.app != nil) == (app?.object != nil))
    if let shown = response.app {
      expect("app.id", shown.id == app?["id"]?.string ?? "")
      expect("app.label", shown.label == app?["label"]?.string ?? "")
      expect("app.name", shown.name == app?["name"]?.string ?? "")
    }
  }

  private mutating func captcha() {
    let json = answer["captcha"]?["value"]
    let (id, key) = (json?["id"]?.string, json?["siteKey"]?.string)
    expect("captcha", (response.captcha != nil) == (id != nil && key != nil))
    guard let shown = response.captcha else { return }
    let kinds: [String: Response.Captcha.Kind] = ["HCAPTCHA": .hCaptcha, "RECAPTCHA_V2": .reCaptchaV2]
    let word = json?["type"]?.string ?? ""
    expect("captcha.id", shown.id == id)
    expect("captcha.name", shown.name == json?["name"]?.string ?? "")
    expect("captcha.siteKey", shown.siteKey == key)
    expect("captcha.type", shown.type == kinds[word] ?? .unknown(word))
  }

  // MARK: Messages

  /// The severity of a message.
  static func severity(_ word: String?) -> Response.Message.Severity {
    switch word {
    case "ERROR": .error
    case "INFO": .info
    case _: .unknown
    }
  }

  /// The messages of a list, as the org sent them.
  static func messages(_ json: JSON?) -> [JSON] { (json?["value"]?.array ?? []).filter { $0.object != nil } }

  private mutating func messages() {
    let sent = Self.messages(answer["messages"])
    messages(Array(response.messages), sent, of: nil)
    let nested = forms.flatMap { Self.nestedMessages($0["value"]?.array ?? []) }
    let all = response.messages.allMessages
    expect("allMessages", all.map(\.message) == (sent + nested).map { $0["message"]?.string ?? "" })
    for message in all {
      guard let field = message.field else { continue }
      let first = all.first { $0.field === field }
      expect("message(for: field)", response.messages.message(for: field) === first)
      if let name = field.name {
        expect("message(for: name)", response.messages.message(for: name)?.field?.name == name)
      }
    }
  }

  /// The messages of nested fields, in field order.
  private static func nestedMessages(_ fields: [JSON]) -> [JSON] {
    fields.filter { $0.object != nil }.flatMap { field in
      messages(field["messages"]) + nestedMessages(nested(field) ?? [])
        + nestedMessages(field["options"]?.array ?? [])
    }
  }

  mutating func messages(_ shown: [Response.Message], _ sent: [JSON], of field: Remediation.Form.Field?) {
    expect("messages", shown.count == sent.count)
    for (message, json) in zip(shown, sent) {
      expect("message", message.message == json["message"]?.string ?? "")
      expect("message.localizationKey", message.localizationKey == json["i18n"]?["key"]?.string)
      expect("message.type", message.type == Self.severity(json["class"]?.string))
      expect("message.field", message.field === field)
    }
  }
}
