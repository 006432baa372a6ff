// How much of a form field's value may be logged, depending on the field's name (idx §13.1, §17).

import EventStore
import FlowRecording

enum FieldValue {
  /// The schema for a preset value from the org.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - name: the field's own name, without those of enclosing fields; `nil` for an option.
  ///   - isSecret: whether the field is marked as secret.
  static func schema(of value: JSON, name: String?, isSecret: Bool) -> WireSchema {
    // Booleans are never secret, whatever they are for: consent to the scope `email` is not an address.
    switch value {
    case .bool, .null: return .boolean
    case .string, .number, .array, .object: break
    }
    if isSecret { return .secret(kind(name)) }
    // The value of an option is a word of the protocol, such as `sms` or `disliked_food`.
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

  /// The schema for a value that the application filled in.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - name: the field's own name, without those of enclosing fields.
  ///   - isSecret: whether the field is marked as secret.
  ///   - isPreset: whether the value is the org's preset.
  static func filled(_ value: JSON, name: String?, isSecret: Bool, isPreset: Bool) -> WireSchema {
    if isPreset { return schema(of: value, name: name ?? "", isSecret: isSecret) }
    if !isSecret, let name, value.string != nil, IDXVocabulary.loginFields.contains(name) { return .login }
    if isReadable(name: name, isSecret: isSecret) { return schema(of: value, name: name, isSecret: isSecret) }
    switch value {
    case .bool, .null: return .boolean
    // A person may type anything where the org asks for an ID, so in a public field only words of the protocol are
    // readable.
    case .string(let word)
    where !isSecret && IDXVocabulary.publicFields.contains(name ?? "") && IDXVocabulary.optionValues.contains(word):
      return .word(IDXVocabulary.optionValues)
    case .string, .number, .array, .object: return .secret(kind(name))
    }
  }

  /// Whether all input for a field remains readable: a field that the log shows may also be displayed, and vice versa.
  static func isReadable(name: String?, isSecret: Bool) -> Bool {
    guard !isSecret, let name else { return false }
    return IDXVocabulary.personalFields.contains(name) && !IDXVocabulary.secretFields.contains(name)
  }

  /// The kind used in placeholders for a field's value: its name if it is part of the protocol, because other names are
  /// the org's text.
  private static func kind(_ name: String?) -> String {
    guard let name else { return "option" }
    return IDXVocabulary.fields.contains(name) ? name : "value"
  }

  /// An object value that is sent unchanged: the authenticator of `resend` and `poll` (§6).
  private static let members: WireSchema = .object(
    Dictionary(
      uniqueKeysWithValues: IDXVocabulary.publicFields.map { name in
        (name, .depending { FieldValue.schema(of: $0, name: name, isSecret: false) })
      }))
}
