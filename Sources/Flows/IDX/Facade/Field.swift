// Form fields (idx §5): they describe what to ask for and hold the user's input.

import EventStore
import FlowRecording

extension Remediation.Form {
  /// A field of a form, or one of a field's options.
  @dynamicMemberLookup
  public final class Field: Sendable, CustomStringConvertible, CustomReflectable {
    /// The name in the request; `nil` for options and some groups.
    public let name: String?
    /// A display text.
    public let label: String?
    /// `string`, `boolean`, or `object`; `nil` if the org does not report it.
    public let type: String?
    /// Whether the value may be set.
    public let isMutable: Bool
    /// Whether a value is required.
    public let isRequired: Bool
    /// Whether the value must be hidden.
    public let isSecret: Bool
    /// The nested fields; `nil` if there are none.
    public let form: Remediation.Form?
    /// The options to choose from; `nil` if the field has none.
    public let options: [Field]?
    /// The authenticator that the field refers to.
    public let authenticator: Authenticator?
    let reading: FieldReading
    let origin: ResponseOrigin
    private let state: Locked<State>
    private let foundMessages = Locked<[Response.Message]>([])

    private struct State {
      var value: (any FormValue)?
      var isChanged = false
      /// The selected option, held strongly.
      var selected: Field?
      var isSelected = false
    }

    init(_ reading: FieldReading, _ authenticators: AuthenticatorTable, _ origin: ResponseOrigin) {
      self.reading = reading
      self.origin = origin
      name = reading.name
      label = reading.label
      type = reading.type
      isMutable = reading.isMutable
      isRequired = reading.isRequired
      isSecret = reading.isSecret
      form = reading.nested.flatMap { $0.isEmpty ? nil : Remediation.Form($0, authenticators, origin) }
      options = reading.options.map { $0.map { Field($0, authenticators, origin) } }
      authenticator = reading.relatesTo.flatMap { authenticators[$0] }
      state = Locked(State(value: FormValues.value(reading.value)))
      foundMessages.withLock { messages in
        messages = reading.messages.map { Response.Message($0, field: self, origin) }
      }
    }

    /// The preset value or the value that was set; `nil` for objects. Setting an immutable field has no effect. A
    /// preset that is set to `nil` is not sent.
    public var value: (any FormValue)? {
      get { state.withLock { $0.value } }
      set {
        guard isMutable else { return }
        state.withLock { state in
          state.value = newValue
          state.isChanged = true
        }
      }
    }

    /// The selected option; `nil` clears the selection. A field that is not one of `options` is ignored.
    public var selectedOption: Field? {
      get { state.withLock { $0.selected } }
      set {
        guard newValue == nil || options?.contains(where: { $0 === newValue }) == true else { return }
        state.withLock { $0.selected = newValue }
        for option in options ?? [] { option.state.withLock { $0.isSelected = option === newValue } }
      }
    }

    /// Whether this option is selected.
    public var isSelectedOption: Bool { state.withLock { $0.isSelected } }

    /// Whether input for this field remains readable in the log. If not, a terminal does not display it either.
    package var isReadableInLog: Bool { FieldValue.isReadable(name: reading.ownName, isSecret: isSecret) }

    /// The messages about this field.
    public var messages: Response.Message.Collection { Response.Message.Collection(ownMessages) }

    var ownMessages: [Response.Message] { foundMessages.withLock { $0 } }

    /// The field's own messages, followed by those of nested fields and of options (§9.2).
    var allMessages: [Response.Message] {
      ownMessages + (form?.allMessages ?? []) + (options ?? []).flatMap(\.allMessages)
    }

    /// Returns the nested field with the given name; dots separate levels.
    public subscript(name: String) -> Field? { form?[name] }

    /// Returns the nested field with the given name: `remediation.credentials?.passcode`.
    public subscript(dynamicMember name: String) -> Field? { form?[name] }

    /// The name and label, with secrets replaced; never the value.
    public var description: String {
      origin.masked("Field(\([name, label].compactMap { $0 }.joined(separator: ", ")))")
    }

    /// No children, so that a dump shows no value.
    public var customMirror: Mirror { Mirror(self, children: []) }

    // MARK: Filled-in values

    /// The values filled in here and in nested fields, in the format that `FormFills` reads.
    func fills(at place: String, names: String) throws(InteractionCodeFlowError) -> [JSON] {
      let path = FormSubmission.path(names, reading)
      let state = state.withLock { $0 }
      let option = state.selected.flatMap { selected in options?.firstIndex { $0 === selected } }
      var fills: [JSON] = []
      if let option {
        fills.append(.members([("at", .string(place)), ("name", .string(path)), ("option", .int(option))]))
        if let form = options?[option].form { fills += try form.fills(at: "\(place):\(option)", names: path) }
      } else if state.isChanged, form == nil, state.value != nil || reading.value != nil {
        // A cleared preset is recorded, so that it is not sent.
        guard let json = state.value.map({ FormValues.json($0, for: reading) }) ?? .null else {
          throw .invalidParameterValue(name: path, type: type ?? "string")
        }
        fills.append(
          .members([
            ("at", .string(place)), ("name", .string(path)), ("secret", isSecret ? true : nil),
            ("preset", json != .null && json == reading.value ? true : nil), ("value", json),
          ]))
      }
      if let form { fills += try form.fills(at: place, names: path) }
      return fills
    }
  }
}

extension Remediation.Form.Field: Hashable {
  /// Returns whether both are the same object, because a field holds the user's input.
  public static func == (left: Remediation.Form.Field, right: Remediation.Form.Field) -> Bool { left === right }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
