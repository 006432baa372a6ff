// Reads a remediation, or a form of an authenticator (idx §4.1).

package import EventStore

/// A form, backed by its JSON.
package struct FormReading: Sendable, Equatable {
  package let json: JSON

  /// Creates a form from an object; `nil` for anything else.
  package init?(_ json: JSON?) {
    guard let json, json.object != nil else { return nil }
    self.json = json
  }

  package var name: String? { json["name"]?.string }
  package var method: String? { json["method"]?.string }
  package var href: String? { json["href"]?.string }
  package var accepts: String? { json["accepts"]?.string }
  /// The polling interval in milliseconds, as a JSON number; `nil` if there is none.
  package var refresh: JSON? { json["refresh"].flatMap(WireNumber.plain) }
  package var fields: [FieldReading] { FieldReading.list(json["value"]) ?? [] }

  /// The paths that the form relates to. A single string counts as a list with one element (§16).
  package var relatesTo: [String] {
    switch json["relatesTo"] {
    case .string(let path): [path]
    case .array(let paths): paths.compactMap(\.string)
    default: []
    }
  }

  /// The messages of all fields: the field's own, those of its nested form, and those of its options (§9.2).
  package var messages: [(MessageReading, of: FieldReading)] {
    var found: [(MessageReading, of: FieldReading)] = []
    func visit(_ fields: [FieldReading]) {
      for field in fields {
        found += field.messages.map { ($0, field) }
        visit(field.nested ?? [])
        visit(field.options ?? [])
      }
    }
    visit(fields)
    return found
  }
}

/// Normalizes numbers: integers have no fraction.
enum WireNumber {
  /// The number in plain notation; `nil` for anything but a finite number.
  static func plain(_ json: JSON) -> JSON? {
    guard case .number(let text) = json else { return nil }
    if let integer = Int(text) { return .int(integer) }
    guard let value = Double(text), value.isFinite else { return nil }
    // More digits than an integer of this machine has.
    if text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) { return json }
    return Int(exactly: value).map(JSON.int) ?? .number("\(value)")
  }
}
