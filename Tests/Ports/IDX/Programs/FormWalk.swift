// «Working with remediation option forms» of the seed document: fields by name, by position, nested, and their values.

import Foundation
import IDX

enum FormWalk {
  /// One line for each field, nested ones indented.
  static func lines(_ form: Remediation.Form, indent: String = "") -> [String] {
    form.fields.flatMap { field -> [String] in
      let flags = [
        field.isRequired ? "required" : nil, field.isSecret ? "secret" : nil, field.isMutable ? nil : "fixed",
      ]
      let line = indent + ([field.name ?? field.label ?? "-"] + flags.compactMap { $0 }).joined(separator: " ")
      let options = (field.options ?? []).map { indent + "  o " + ($0.label ?? "?") }
      return [line] + options + (field.form.map { lines($0, indent: indent + "  ") } ?? [])
    }
  }

  /// The same field in every way that the document shows.
  static func passcode(_ remediation: Remediation) -> [Remediation.Form.Field?] {
    [
      remediation["credentials"]?.form?["passcode"], remediation["credentials.passcode"],
      remediation.form["credentials.passcode"], remediation["credentials"]?["passcode"],
      remediation.credentials?.passcode,
    ]
  }

  /// Values of every type that a field takes.
  static func values(_ field: Remediation.Form.Field) -> [String] {
    var seen: [String] = []
    field.value = "text"
    seen.append((field.value as? String) ?? "?")
    field.value = true
    seen.append((field.value as? Bool).map { "\($0)" } ?? "?")
    field.value = 42
    seen.append((field.value as? Int).map { "\($0)" } ?? "?")
    field.value = ["one", "two"]
    seen.append((field.value as? [String])?.joined(separator: "+") ?? "?")
    field.value = nil
    seen.append(field.value == nil ? "nothing" : "?")
    return seen
  }

  static func first(_ form: Remediation.Form) -> Remediation.Form.Field? { form.first }

  static func isIn(_ field: Remediation.Form.Field, _ form: Remediation.Form) -> Bool { form.contains(field) }
}
