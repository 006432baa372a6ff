// What the value of a form field may show in a log, by the field's name (idx §13.1, §17).

import EventStore
import FlowRecording

enum FieldValue {
  /// The schema of a preset value of the org.
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
    if isSecret { return .secret(kind(name)) }
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

  /// The schema of what the application filled in.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - name: the field's own name, without those around it.
  ///   - isSecret: whether the field says that it is secret.
  ///   - isPreset: whether the value is the one that the org had put there.
  static func filled(_ value: JSON, name: String?, isSecret: Bool, isPreset: Bool) -> WireSchema {
    if isPreset { return schema(of: value, name: name ?? "", isSecret: isSecret) }
    if !isSecret, let name, value.string != nil, IDXVocabulary.loginFields.contains(name) { return .login }
    if isReadable(name: name, isSecret: isSecret) { return schema(of: value, name: name, isSecret: isSecret) }
    switch value {
    case .bool, .null: return .boolean
    // A person may type anything where the org asks for an id: of a public field only the protocol's words are
    // readable.
    case .string(let word)
    where !isSecret && IDXVocabulary.publicFields.contains(name ?? "") && IDXVocabulary.optionValues.contains(word):
      return .word(IDXVocabulary.optionValues)
    case .string, .number, .array, .object: return .secret(kind(name))
    }
  }

  /// Whether whatever is typed into a field stays readable: a person may see what the log shows, and the other way
  /// round.
  static func isReadable(name: String?, isSecret: Bool) -> Bool {
    guard !isSecret, let name else { return false }
    return IDXVocabulary.personalFields.contains(name) && !IDXVocabulary.secretFields.contains(name)
  }

  /// What placeholders call the value of a field: its name, if that is the protocol's. Any other is the org's text.
  private static func kind(_ name: String?) -> String {
    guard let name else { return "option" }
    return IDXVocabulary.fields.contains(name) ? name : "value"
  }

  /// A value that is an object to be sent as it is: the authenticator of `resend` and `poll` (§6).
  private static let members: WireSchema = .object(
    Dictionary(
      uniqueKeysWithValues: IDXVocabulary.publicFields.map { name in
        (name, .depending { FieldValue.schema(of: $0, name: name, isSecret: false) })
      }))
}
