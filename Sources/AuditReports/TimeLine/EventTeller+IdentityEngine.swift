// Responses of the Identity Engine in words.

import EventStore
import FlowRecording

extension EventTeller {
  /// What a response offers, and what led to it.
  mutating func tell(_ changed: RemediationChanged) -> (String, EventTone) {
    var words = ""
    if let chosen = changed.chosen {
      words += chosen + (changed.filled.isEmpty ? "" : " (\(changed.filled.joined(separator: ", ")))") + " -> "
    }
    if changed.summary["success"] == true {
      status = "signed in"
      return (words + status, .good)
    }
    if changed.summary["terminal"] == true {
      status = "nothing left to do"
      return (words + status, .bad)
    }
    status = Self.offered(changed.offered)
    words += status
    if let current = changed.summary["current"]?.string { words += ", now \(current)" }
    return (words, .notice)
  }

  /// What can be done next; `cancel` always can, and is left out.
  private static func offered(_ names: [String]) -> String {
    let names = names.filter { $0 != "cancel" }
    return names.isEmpty ? "nothing but cancel" : names.joined(separator: " or ")
  }

  // MARK: Forms that are sent

  /// Which form is sent, and what was filled in. Secrets are placeholders.
  func tell(_ made: CallMade, form: String, named name: String) -> String {
    let response = made.on.flatMap { responses[$0] } ?? answer
    let filled = (made.arguments["fields"]?.array ?? []).map { fill -> String in
      let field = fill["name"]?.string ?? "a field"
      if let option = fill["option"]?.int {
        let place = fill["at"]?.string.flatMap { Self.field(at: $0, of: form, in: response) }
        let options = place?["options"]?.array ?? []
        let label = options.indices.contains(option) ? options[option]["label"] : nil
        return "\(field) \(label.map(Self.brief(_:)) ?? "choice \(option &+ 1)")"
      }
      return "\(field) \(fill["value"].map(Self.brief) ?? "nothing")"
    }
    return "\(made.call): \(name)" + (filled.isEmpty ? "" : " with \(filled.joined(separator: ", "))")
  }

  /// The field at a place like `1:2/0`: the first field of the third option of the second field.
  private static func field(at place: String, of form: String, in response: JSON) -> JSON? {
    let parts = form.split(separator: "/")
    var fields: [JSON]
    switch (parts.first, parts.last.flatMap { Int($0) }) {
    case ("remediation", let index?):
      let forms = response["remediation"]?["value"]?.array ?? []
      guard forms.indices.contains(index) else { return nil }
      fields = forms[index]["value"]?.array ?? []
    default: return nil
    }
    var field: JSON?
    for step in place.split(separator: "/") {
      let numbers = step.split(separator: ":").map { Int($0) }
      guard let index = numbers.first ?? nil, fields.indices.contains(index) else { return nil }
      field = fields[index]
      var inside = fields[index]
      if numbers.count == 2 {
        let options = inside["options"]?.array ?? []
        guard let option = numbers[1], options.indices.contains(option) else { return nil }
        inside = options[option]
      }
      fields = (inside["value"]?["form"] ?? inside["form"])?["value"]?.array ?? []
    }
    return field
  }

  // MARK: Answers

  /// Whether an answer is one of the Identity Engine, or of the authorization server beside it.
  static func isOfIdentityEngine(_ body: JSON) -> Bool {
    ["remediation", "stateHandle", "successWithInteractionCode", "interaction_handle", "access_token", "terminal"]
      .contains { body[$0] != nil }
      || body["error"]?.string != nil
  }

  /// What an answer brings, in words that follow its status.
  static func tell(answer body: JSON) -> String {
    var parts: [String] = []
    if let error = body["error"]?.string {
      parts.append([error, body["error_description"]?.string].compactMap { $0 }.joined(separator: ": "))
    }
    let forms = (body["remediation"]?["value"]?.array ?? []).compactMap { $0["name"]?.string }
    if !forms.isEmpty { parts.append("offers \(forms.joined(separator: " or "))") }
    for message in body["messages"]?["value"]?.array ?? [] {
      if let text = message["message"]?.string { parts.append("says \"\(text)\"") }
    }
    if body["successWithInteractionCode"]?.object != nil { parts.append("carries an interaction code") }
    if body["interaction_handle"] != nil { parts.append("carries an interaction handle") }
    let tokens = ["access_token", "refresh_token", "id_token"].filter { body[$0] != nil }
    if !tokens.isEmpty { parts.append("carries \(tokens.joined(separator: ", "))") }
    return parts.isEmpty ? "" : " " + parts.joined(separator: ", ")
  }

  static func tell(_ message: MessageShown) -> String {
    var words = message.text ?? message.key ?? "(without a text)"
    if let field = message.field { words = "\(field): \(words)" }
    return words
  }

  static func tell(_ issued: TokenIssued) -> String {
    let names = (issued.tokens.object?.members ?? []).map(\.key)
    return "\(issued.tokenType) \(names.joined(separator: ", "))"
      + (issued.expiresIn.map {
        ", good for \(Quantity.duration(milliseconds: $0.multipliedReportingOverflow(by: 1000).partialValue))"
      } ?? "")
  }
}
