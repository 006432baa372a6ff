// Reads a form value (idx §5.1). The same reading serves the core, on masked bodies, and the facade, on revealed ones.
// Lenient as §16 asks: a member that is missing or of another type counts as absent.

package import EventStore

/// A form value, or an option of one, over its JSON.
package struct FieldReading: Sendable, Equatable {
  package let json: JSON

  package init(_ json: JSON) { self.json = json }

  package var name: String? { json["name"]?.string }
  /// The last of the names with dots between them that a filled-in field is called by.
  var ownName: String? { name?.utf8.split(separator: UInt8(ascii: ".")).last.flatMap { String($0) } }
  package var label: String? { json["label"]?.string }
  package var type: String? { json["type"]?.string }
  /// The preset value, whatever it is; null counts as none.
  package var value: JSON? {
    guard let value = json["value"], value != .null else { return nil }
    return value
  }
  package var relatesTo: String? { json["relatesTo"]?.string }
  package var isRequired: Bool { flag("required") ?? false }
  package var isSecret: Bool { flag("secret") ?? false }
  package var isMutable: Bool { flag("mutable") ?? true }

  /// The server does not mark an immutable field that has a value as hidden: it is, all the same (§5.1).
  package var isVisible: Bool {
    if flag("mutable") == false, value != nil { return false }
    return flag("visible") ?? true
  }

  /// The fields of the nested form; nil if there is none.
  package var nested: [FieldReading]? {
    FieldReading.list(json["form"]?["value"]) ?? FieldReading.list(json["value"]?["form"]?["value"])
  }

  /// The choices; nil if the field offers none.
  package var options: [FieldReading]? { FieldReading.list(json["options"]) }

  package var messages: [MessageReading] { MessageReading.list(json["messages"]) }

  /// Whether a person has something to see here: the field itself, a nested one or an option (§5.1).
  package var hasVisibleFields: Bool {
    isVisible || nested?.contains(where: \.hasVisibleFields) == true
      || options?.contains(where: \.hasVisibleFields) == true
  }

  /// The objects of an array; nil if it is none.
  package static func list(_ json: JSON?) -> [FieldReading]? {
    json?.array.map { $0.filter { $0.object != nil }.map(FieldReading.init) }
  }

  private func flag(_ member: String) -> Bool? { json[member].flatMap(Self.flag) }

  /// A JSON boolean, or the word for one in any case.
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

/// A message (idx §9.1) over its JSON.
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
