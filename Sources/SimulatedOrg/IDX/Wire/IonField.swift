// Form fields and their options (idx.md §5.1).

/// One field; a member left at its default is left out on the wire, as the org does.
struct IonField {
  var name: String
  var label: String?
  var type: String?
  var value: OrgJSON?
  var required: Bool?
  var secret = false
  var visible: Bool?
  var mutable: Bool?
  var form: [IonField]?
  var options: [Option]?
  var relatesTo: String?
  var more: [OrgJSON.Member] = []

  /// A choice: a composite one brings fields, a plain one a value.
  struct Option {
    var label: String
    var value: OrgJSON?
    var form: [IonField] = []
    var relatesTo: String?
  }

  /// Something a person types.
  static func input(_ name: String, _ label: String, required: Bool? = true, secret: Bool = false) -> Self {
    Self(name: name, label: label, required: required, secret: secret)
  }

  /// A value that only travels back.
  static func fixed(_ name: String, _ value: OrgJSON, required: Bool = true, visible: Bool? = nil) -> Self {
    Self(name: name, value: value, required: required, visible: visible, mutable: false)
  }

  static func flag(_ name: String, _ label: String, value: Bool? = nil) -> Self {
    Self(name: name, label: label, type: "boolean", value: value.map(OrgJSON.bool))
  }

  static func group(_ name: String, _ fields: [IonField], required: Bool? = true) -> Self {
    Self(name: name, type: "object", required: required, form: fields)
  }

  /// A choice among plain values.
  static func choice(_ name: String, _ options: [(label: String, value: String)], required: Bool = false) -> Self {
    Self(
      name: name, type: "string", required: required,
      options: options.map { Option(label: $0.label, value: .string($0.value)) })
  }

  /// The field as JSON; `messages` by the dotted path of the field they are about, in
  /// which an option counts as `[index]`.
  func json(_ messages: [String: IonMessage], below prefix: String = "") -> OrgJSON {
    let path = prefix.isEmpty ? name : "\(prefix).\(name)"
    var json: OrgJSON = ["name": .string(name)]
    if let label { json["label"] = .string(label) }
    if let type { json["type"] = .string(type) }
    if let form { json["form"] = Self.list(form, messages, below: path) }
    if let value { json["value"] = value }
    if let options {
      json["options"] = .array(
        options.enumerated().map { index, option in
          var entry: OrgJSON = ["label": .string(option.label)]
          if let value = option.value {
            entry["value"] = value
          } else {
            entry["value"] = ["form": Self.list(option.form, messages, below: "\(path)[\(index)]")]
          }
          if let target = option.relatesTo { entry["relatesTo"] = .string(target) }
          return entry
        })
    }
    if let required { json["required"] = .bool(required) }
    if secret { json["secret"] = true }
    if let visible { json["visible"] = .bool(visible) }
    if let mutable { json["mutable"] = .bool(mutable) }
    if let relatesTo { json["relatesTo"] = .string(relatesTo) }
    for member in more { json[member.name] = member.value }
    if let message = messages[path] { json["messages"] = IonMessage.list([message]) }
    return json
  }

  private static func list(_ fields: [IonField], _ messages: [String: IonMessage], below path: String) -> OrgJSON {
    ["value": .array(fields.map { $0.json(messages, below: path) })]
  }
}
