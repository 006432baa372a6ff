// Describes Identity Engine flows in words.

package import EventStore
package import FlowRecording
import OIDC

/// Describes the events of one flow of the Identity Engine.
package struct IDXNarrator: FlowNarrator {
  package private(set) var status = ""
  /// The latest answer that is a response, and every answer that became the flow's response, keyed by the revision of
  /// its `remediation.changed`. Calls are made on one of these.
  private var answer: JSON = .null
  private var responses: [Int: JSON] = [:]

  package init() {}

  package mutating func words(for event: DomainEvent, at revision: Int) -> Words? {
    switch IDXEvent(event) {
    case .remediationChanged(let changed):
      responses[revision] = answer
      return words(for: changed)
    case .messageShown(let message): return Self.words(for: message)
    case .tokenIssued(let issued): return Self.words(for: issued)
    case .tokenRefused(let refused):
      status = "refused"
      return Self.words(for: refused)
    case nil: return nil
    }
  }

  /// Describes what a response offers and what led to it.
  private mutating func words(for changed: RemediationChanged) -> Words {
    var words = ""
    if let chosen = changed.chosen {
      words += chosen + (changed.filled.isEmpty ? "" : " (\(changed.filled.joined(separator: ", ")))") + " -> "
    }
    if changed.summary["success"] == true {
      status = "signed in"
      return Words(words + status, .good)
    }
    if changed.summary["terminal"] == true {
      status = "nothing left to do"
      return Words(words + status, .bad)
    }
    status = Self.offered(changed.offered)
    words += status
    if let current = changed.summary["current"]?.string { words += ", now \(current)" }
    return Words(words, .notice)
  }

  /// The next steps, without `cancel`, which is always available.
  private static func offered(_ names: [String]) -> String {
    let names = names.filter { $0 != "cancel" }
    return names.isEmpty ? "nothing but cancel" : names.joined(separator: " or ")
  }

  // MARK: Submitted forms

  /// Describes which form is submitted and what was filled in. Secrets are placeholders.
  package mutating func words(for made: CallMade) -> (name: String, words: String)? {
    guard let form = made.arguments["form"]?.string else { return nil }
    let name = made.arguments["name"]?.string ?? form
    let response = made.on.flatMap { responses[$0] } ?? answer
    let filled = (made.arguments["fields"]?.array ?? []).map { fill -> String in
      let field = fill["name"]?.string ?? "a field"
      if let option = fill["option"]?.int {
        let place = fill["at"]?.string.flatMap { Self.field(at: $0, of: form, in: response) }
        let options = place?["options"]?.array ?? []
        let label = options.indices.contains(option) ? options[option]["label"] : nil
        return "\(field) \(label.map(Narration.brief) ?? "choice \(option &+ 1)")"
      }
      return "\(field) \(fill["value"].map(Narration.brief) ?? "nothing")"
    }
    let words = "\(made.call): \(name)" + (filled.isEmpty ? "" : " with \(filled.joined(separator: ", "))")
    return ("\(made.call) \(name)", words)
  }

  /// The field at a position such as `1:2/0`: the first field of the third option of the second field.
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

  /// Whether an answer comes from the Identity Engine or its authorization server.
  private static func isOfIdentityEngine(_ body: JSON) -> Bool {
    ["remediation", "stateHandle", "successWithInteractionCode", "interaction_handle", "access_token", "terminal"]
      .contains { body[$0] != nil }
      || body["error"]?.string != nil
  }

  /// Describes the contents of an answer; the words follow its status.
  package mutating func words(forAnswer body: JSON) -> String? {
    guard Self.isOfIdentityEngine(body) else { return nil }
    answer = body
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

  private static func words(for message: MessageShown) -> Words {
    var words = message.text ?? message.key ?? "(without a text)"
    if let field = message.field { words = "\(field): \(words)" }
    return Words(words, message.severity == "ERROR" ? .bad : .notice)
  }

  private static func words(for refused: TokenRefused) -> Words {
    let failure = refused.details["idToken"].flatMap { IDTokenFailure(json: $0) }
    return Words("no tokens: \(failure?.description ?? refused.error)", .bad)
  }

  private static func words(for issued: TokenIssued) -> Words {
    let names = (issued.tokens.object?.members ?? []).map(\.key)
    let lifetime = issued.expiresIn.map { ", good for \(Narration.duration(seconds: $0))" }
    return Words("\(issued.tokenType) \(names.joined(separator: ", "))" + (lifetime ?? ""), .good)
  }
}
