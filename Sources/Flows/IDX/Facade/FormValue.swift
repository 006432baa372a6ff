// What a field may hold (idx §5.3).

import EventStore

/// A value of a form field: text, a boolean or a number.
public protocol FormValue: Sendable {}

extension String: FormValue {}
extension Bool: FormValue {}
extension Int: FormValue {}
extension Double: FormValue {}

enum FormValues {
  /// The value of a JSON scalar; nil for anything else.
  static func value(_ json: JSON?) -> (any FormValue)? {
    switch json {
    case .string(let text): text
    case .bool(let flag): flag
    case .number: json?.int ?? json?.double
    case .null, .array, .object, nil: nil
    }
  }

  /// The value as JSON for a field: a word for a boolean becomes one if the field is a boolean. Done here, since a core
  /// cannot read a text that is masked.
  static func json(_ value: any FormValue, for field: FieldReading) -> JSON? {
    let json = json(value)
    guard field.type == "boolean", case .string? = json else { return json }
    return json.flatMap(FieldReading.flag).map(JSON.bool) ?? json
  }

  /// The value as JSON; nil for a number that JSON has no form for, and for types of other modules.
  static func json(_ value: any FormValue) -> JSON? {
    switch value {
    case let text as String: .string(text)
    case let flag as Bool: .bool(flag)
    case let number as Int: .int(number)
    case let number as Double: number.isFinite ? .number("\(number)") : nil
    default: nil
    }
  }
}
