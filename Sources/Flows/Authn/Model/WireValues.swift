// Values as servers write them (authn §1.3, §5.3): dates in several precisions, numbers and booleans also as strings.

import EventStore
import Foundation

extension Date {
  /// A date of the wire; nil for text that is none.
  init?(wire text: String) {
    guard let time = Timestamp(text) else { return nil }
    self.init(timeIntervalSince1970: Double(time.microseconds) / 1_000_000)
  }
}

extension JSON {
  /// A number, or a number in a string.
  var wireInt: Int? { int ?? string.flatMap { Int($0) } }

  /// A boolean, or `"true"` and `"false"`, whatever their case.
  var wireBool: Bool? {
    if let bool { return bool }
    switch string?.lowercased() {
    case "true": return true
    case "false": return false
    default: return nil
    }
  }
}
