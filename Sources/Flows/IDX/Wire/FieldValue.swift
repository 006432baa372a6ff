// What the value of a form field may show in a log, by the field's name (idx §13.1, §17).

import EventStore
import FlowRecording

enum FieldValue {
  /// The schema of a value, be it a preset of the org or what the application filled in.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - name: the field's own name, without those around it; nil for an option.
  ///   - isSecret: whether the field says that it is secret.
  static func schema(of value: JSON, name: String?, isSecret: Bool) -> WireSchema {
    // Yes and no are no secret, whatever they are asked for: a consent to the scope `email` is not an address.
    switch value {
    case .bool, .null: return .boolean
    case .string, .number, .array, .object: break
    }
    if isSecret { return .secret(name ?? "option") }
    // An option's value is a word of the protocol: `sms`, `disliked_food`.
    guard let name else { return value.object == nil ? .word(IDXVocabulary.optionValues) : members }
    if IDXVocabulary.secretFields.contains(name) { return .secret(name) }
    if IDXVocabulary.personalFields.contains(name) { return .personal }
    switch value {
    case .object: return members
    case .number where IDXVocabulary.publicFields.contains(name): return .number
    // A number may be a code, and is as secret as text.
    case .string, .number, .array, .bool, .null:
      return IDXVocabulary.publicFields.contains(name) ? .word(IDXVocabulary.optionValues) : .secret("value")
    }
  }

  /// A value that is an object to be sent as it is: the authenticator of `resend` and `poll` (§6).
  private static let members: WireSchema = .object(
    Dictionary(
      uniqueKeysWithValues: IDXVocabulary.publicFields.map { name in
        (name, .depending { FieldValue.schema(of: $0, name: name, isSecret: false) })
      }))
}
