// JSON as values of the standard library.

package import EventStore

/// JSON as values of the standard library.
package enum PlainJSON {
  /// The value as text, number, boolean, dictionary or array; `nil` for null, which is omitted from dictionaries.
  package static func value(_ json: JSON) -> Any? {
    switch json {
    case .null: nil
    case .bool(let flag): flag
    case .string(let text): text
    case .number: json.int ?? json.double
    case .array(let items): items.compactMap(value)
    case .object(let object):
      Dictionary(
        object.members.compactMap { member in value(member.value).map { (member.key, $0) } },
        uniquingKeysWith: { _, last in last })
    }
  }
}
