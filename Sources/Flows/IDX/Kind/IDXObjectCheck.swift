// Holds what a response object shows against the answer that it was made of, read here apart from the code that the object
// reads it with.

import EventStore
import FlowRecording
import Foundation

/// Checks the public members of one response.
struct IDXObjectCheck {
  private let response: Response
  private let answer: JSON
  private var found: [String] = []

  init(_ response: Response, answer: JSON) {
    (self.response, self.answer) = (response, answer)
  }

  /// The first member that shows something else, in a sentence; nil if all show the answer.
  var complaint: String? {
    var check = self
    check.step()
    check.messages()
    for (index, form) in check.offered.enumerated() { check.remediation(at: index, form) }
    return check.found.first.map { "\($0) of the response is not what the org sent" }
  }

  private mutating func expect(_ member: String, _ isRight: Bool) { if !isRight { found.append(member) } }

  /// The remediations that are offered, as the org sent them.
  private var offered: [JSON] {
    (answer["remediation"]?["value"]?.array ?? []).filter { $0.object != nil }
  }

  private mutating func step() {
    let (cancel, success) = (answer["cancel"]?.object, answer["successWithInteractionCode"]?.object)
    expect("isLoginSuccessful", response.isLoginSuccessful == (success != nil))
    expect("canCancel", response.canCancel == (cancel != nil || offered.contains { $0["name"] == "cancel" }))
    expect("isTerminal", response.isTerminal == (offered.isEmpty && success == nil))
    let named = offered.map { $0["name"]?.string ?? "" }
    expect("remediations", response.remediations.prefix(named.count).map(\.name) == named)
    if let time = answer["expiresAt"]?.string.flatMap({ ISO8601DateFormatter.full.date(from: $0) }) {
      let shown = response.expiresAt?.timeIntervalSince1970 ?? 0
      expect("expiresAt", abs(shown - time.timeIntervalSince1970) < 1)
    }
    let user = answer["user"]?["value"]
    if let id = user?["id"]?.string { expect("user.id", response.user?.id == id) }
    if response.user != nil {
      expect("user.username", response.user?.username == user?["identifier"]?.string)
      expect("user.firstName", response.user?.profile?.firstName == user?["profile"]?["firstName"]?.string)
      expect("user.lastName", response.user?.profile?.lastName == user?["profile"]?["lastName"]?.string)
    }
    let app = answer["app"]?["value"]
    if let id = app?["id"]?.string, response.app != nil {
      expect("app.id", response.app?.id == id)
      if let label = app?["label"]?.string { expect("app.label", response.app?.label == label) }
      if let name = app?["name"]?.string { expect("app.name", response.app?.name == name) }
    }
  }

  private mutating func messages() {
    let sent = (answer["messages"]?["value"]?.array ?? []).filter { $0.object != nil }
    let shown = Array(response.messages)
    expect("messages", shown.count == sent.count)
    for (message, json) in zip(shown, sent) {
      expect("message", message.message == json["message"]?.string ?? "")
      expect("message.localizationKey", message.localizationKey == json["i18n"]?["key"]?.string)
    }
  }

  private mutating func remediation(at index: Int, _ json: JSON) {
    guard index < response.remediations.count else { return }
    let remediation = response.remediations[index]
    expect("remediation.type", remediation.type == Remediation.RemediationType(name: json["name"]?.string ?? ""))
    if let href = json["href"]?.string.flatMap({ $0.isEmpty ? nil : URL(string: $0) }) {
      expect("remediation.href", remediation.href == href)
    }
    fields(of: remediation.form, json["value"]?.array ?? [])
  }

  private mutating func fields(of form: Remediation.Form, _ sent: [JSON]) {
    let sent = sent.filter { $0.object != nil }
    expect("form", form.allFields.count == sent.count)
    for (field, json) in zip(form.allFields, sent) { self.field(field, json) }
  }

  private mutating func field(_ field: Remediation.Form.Field, _ json: JSON) {
    expect("field.name", field.name == json["name"]?.string)
    expect("field.label", field.label == json["label"]?.string)
    expect("field.type", field.type == json["type"]?.string)
    if let flag = json["required"]?.bool { expect("field.isRequired", field.isRequired == flag) }
    if let flag = json["secret"]?.bool { expect("field.isSecret", field.isSecret == flag) }
    if let flag = json["mutable"]?.bool { expect("field.isMutable", field.isMutable == flag) }
    if let text = json["value"]?.string { expect("field.value", field.value as? String == text) }
    let options = json["options"]?.array?.filter { $0.object != nil }
    expect("field.options", field.options?.count == options?.count)
    for (option, json) in zip(field.options ?? [], options ?? []) { self.field(option, json) }
    let nested = json["form"]?["value"]?.array ?? json["value"]?["form"]?["value"]?.array
    if let form = field.form { fields(of: form, nested ?? []) }
  }
}

extension ISO8601DateFormatter {
  /// Reads `2026-11-21T08:35:00.000Z`.
  fileprivate static var full: ISO8601DateFormatter {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return formatter
  }
}
