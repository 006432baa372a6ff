// Reads a form value (idx §5.1). The core uses this with masked bodies, the facade with revealed ones. Reading is
// lenient, as §16 requires: a member that is missing or has another type counts as absent.

package import EventStore

/// A form value or one of its options, backed by its JSON.
package struct FieldReading: Sendable, Equatable {
  package let json: JSON

  package init(_ json: JSON) { self.json = json }

  package var name: String? { json["name"]?.string }
  /// The last part of the dotted name of a filled-in field.
  var ownName: String? { name?.utf8.split(separator: UInt8(ascii: ".")).last.flatMap { String($0) } }
  package var label: String? { json["label"]?.string }
  package var type: String? { json["type"]?.string }
  /// The preset value of any type; null counts as none.
  package var value: JSON? {
    guard let value = json["value"], value != .null else { return nil }
    return value
  }
  /// The preset value as it is sent back: an object that only wraps nested fields is none, even if it has no fields.
  var sentValue: JSON? { value?["form"]?.object == nil ? value : nil }
  package var relatesTo: String? { json["relatesTo"]?.string }
  package var isRequired: Bool { flag("required") ?? false }
  package var isSecret: Bool { flag("secret") ?? false }
  package var isMutable: Bool { flag("mutable") ?? true }

  /// An immutable field with a value is hidden even though the server does not mark it so (§5.1).
  package var isVisible: Bool {
    if flag("mutable") == false, value != nil { return false }
    return flag("visible") ?? true
  }

  /// The fields of the nested form; `nil` if there is none.
  package var nested: [FieldReading]? {
    FieldReading.list(json["form"]?["value"]) ?? FieldReading.list(json["value"]?["form"]?["value"])
  }

  /// The options; `nil` if the field has none.
  package var options: [FieldReading]? { FieldReading.list(json["options"]) }

  package var messages: [MessageReading] { MessageReading.list(json["messages"]) }

  /// Whether the field, a nested field, or an option is visible to a person (§5.1).
  package var hasVisibleFields: Bool {
    isVisible || nested?.contains(where: \.hasVisibleFields) == true
      || options?.contains(where: \.hasVisibleFields) == true
  }

  /// The objects in an array; `nil` if the value is not an array.
  package static func list(_ json: JSON?) -> [FieldReading]? {
    json?.array.map { $0.filter { $0.object != nil }.map(FieldReading.init) }
  }

  private func flag(_ member: String) -> Bool? { json[member].flatMap(Self.flag) }

  /// A JSON boolean, or a word for one, ignoring case.
  static func flag(_ json: JSON) -> Bool? {
    switch json {
    case .bool(let value): return value
    case .string(let text):
      switch text.lowercased() {
      case "true": return true
      case "false": return false
      default: return nil
      }
    case .null, .number, .array, .object: return nil
    }
  }
}

/// A message (idx §9.1), backed by its JSON.
package struct MessageReading: Sendable, Equatable {
  package let json: JSON

  package var text: String? { json["message"]?.string }
  package var key: String? { json["i18n"]?["key"]?.string }
  package var severity: String? { json["class"]?.string }

  /// The messages of a collection object.
  package static func list(_ json: JSON?) -> [MessageReading] {
    (json?["value"]?.array ?? []).filter { $0.object != nil }.map { MessageReading(json: $0) }
  }
}
