// Values as servers write them (authn §1.3, §5.3): dates with different precisions, and numbers and booleans as
// strings.

import EventStore
import Foundation

extension Date {
  /// Reads a date from an answer; `nil` for other text.
  init?(wire text: String) {
    guard let time = Timestamp(text) else { return nil }
    self.init(timeIntervalSince1970: Double(time.microseconds) / 1_000_000)
  }
}

extension JSON {
  /// A number, or a number in a string.
  var wireInt: Int? { int ?? string.flatMap { Int($0) } }

  /// A boolean, or `"true"` or `"false"` in any case.
  var wireBool: Bool? {
    if let bool { return bool }
    switch string?.lowercased() {
    case "true": return true
    case "false": return false
    default: return nil
    }
  }
}
