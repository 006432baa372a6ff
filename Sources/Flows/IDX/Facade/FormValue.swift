// The values of form fields (idx §5.3).

import EventStore

/// A value of a form field: text, a boolean, a number, or a list of these.
public protocol FormValue: Sendable {
  /// The value as text.
  var stringValue: String { get }
}

/// The name of `FormValue` in okta-idx-swift.
public typealias APIRequestArgument = FormValue

extension FormValue {
  /// The value as text.
  public var stringValue: String { "\(self)" }
}

extension String: FormValue {}
extension Bool: FormValue {}
extension Int: FormValue {}
extension Int8: FormValue {}
extension Int16: FormValue {}
extension Int32: FormValue {}
extension Int64: FormValue {}
extension UInt: FormValue {}
extension UInt8: FormValue {}
extension UInt16: FormValue {}
extension UInt32: FormValue {}
extension UInt64: FormValue {}
extension Float: FormValue {}
extension Double: FormValue {}
extension Array: FormValue where Element: FormValue {}

enum FormValues {
  /// Converts a JSON scalar, or a list of scalars of one type; `nil` for anything else.
  static func value(_ json: JSON?) -> (any FormValue)? {
    switch json {
    case .string(let text): text
    case .bool(let flag): flag
    case .number: json?.int ?? json?.double
    case .array(let items): items.isEmpty ? nil : list(items, \.string) ?? list(items, \.int) ?? list(items, \.bool)
    case .null, .object, nil: nil
    }
  }

  /// Converts a value to JSON for a field. In a boolean field, a word for a boolean becomes a boolean. This is done
  /// here because a core cannot read masked text.
  static func json(_ value: any FormValue, for field: FieldReading) -> JSON? {
    let json = json(value)
    guard field.type == "boolean", case .string? = json else { return json }
    return json.flatMap(FieldReading.flag).map(JSON.bool) ?? json
  }

  private static func list(_ items: [any FormValue]) -> JSON? {
    let found = items.compactMap { json($0) }
    return found.count == items.count ? .array(found) : nil
  }

  private static func list<Item: FormValue>(_ items: [JSON], _ item: (JSON) -> Item?) -> (any FormValue)? {
    let found = items.compactMap(item)
    return found.count == items.count ? found : nil
  }

  /// Converts a value to JSON; `nil` for a number that JSON cannot represent, and for types of other modules.
  static func json(_ value: any FormValue) -> JSON? {
    switch value {
    case let text as String: .string(text)
    case let flag as Bool: .bool(flag)
    case let number as Int: .int(number)
    case let number as Double: number.isFinite ? .number("\(number)") : nil
    case let number as Float: number.isFinite ? .number("\(number)") : nil
    case let number as any BinaryInteger: .number("\(number)")
    case let items as [any FormValue]: list(items)
    default: nil
    }
  }
}
