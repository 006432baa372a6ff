// What a form asks of an application, as far as a recorded call fills it in.

import EventStore
import FlowRecording

/// The form that a call submits, on a response.
struct FormOffer: Equatable {
  private var name: String?
  /// The authenticator that the step is about.
  private var authenticator: String?
  /// What the filled-in fields are; `nil` for one that the form does not have.
  private var fields: [Filled?] = []

  private struct Filled: Equatable {
    var name: String
    var isSecret: Bool
    /// The chosen option by its label.
    var option: String?
  }

  /// The offer of a response; one without a name or fields if it has no such form.
  init(_ call: CallMade, in core: IDXCore) {
    let response = ResponseReading(core.current?.body ?? [:])
    guard let form = (call.arguments["form"]?.string).flatMap(FormReference.init).flatMap(response.form) else { return }
    name = form.name
    authenticator = response.authenticators.first(where: \.isCurrent).map { "\($0.type ?? "") \($0.key ?? "")" }
    fields = (call.arguments["fields"]?.array ?? []).map { Self.field($0, of: form) }
  }

  /// The field at the position of an entry (see `FormFills`).
  private static func field(_ entry: JSON, of form: FormReading) -> Filled? {
    var (fields, field, names): ([FieldReading]?, FieldReading?, String) = (form.fields, nil, "")
    for part in (entry["at"]?.string ?? "").split(separator: "/") {
      let numbers = part.split(separator: ":").map { Int($0) }
      guard let next = fields?.at(numbers[0] ?? -1) else { return nil }
      field = next
      names = FormSubmission.path(names, next)
      fields = next.nested
      guard numbers.count > 1 else { continue }
      guard let option = next.options?.at(numbers[1] ?? -1) else { return nil }
      fields = option.nested
    }
    guard let field else { return nil }
    let option = entry["option"]?.int.flatMap { field.options?.at($0) }
    return Filled(name: names, isSecret: field.isSecret, option: option?.label)
  }
}
