// States, members and changes as text.

import AuditReports
import EventStore
import Replay

/// Puts a state into lines.
enum StateText {
  /// A value as lines: one for each member that is no object or list, with its path.
  static func lines(_ value: JSON) -> [String] {
    let pairs = pairs(value, at: "")
    return pairs.map { path, value in path.isEmpty ? value : "\(path) = \(value)" }
  }

  /// The members of a state with their paths, printable.
  static func pairs(_ value: JSON, at path: String) -> [(path: String, value: String)] {
    switch value {
    case .object(let object) where !object.members.isEmpty:
      object.members.flatMap { pairs($0.value, at: path.isEmpty ? $0.key.printable : "\(path).\($0.key.printable)") }
    case .array(let elements) where !elements.isEmpty:
      elements.enumerated().flatMap { pairs($0.element, at: "\(path)[\($0.offset)]") }
    case .object, .array, .null, .bool, .number, .string: [(path, (value.string ?? value.text).printable)]
    }
  }

  /// A change in one line: `status: MFA_REQUIRED -> MFA_CHALLENGE`.
  static func line(_ change: StateChange) -> String {
    func text(_ value: JSON?) -> String { value.map { ($0.string ?? $0.text).printable.cut(to: 120) } ?? "nothing" }
    return "\(change.path.printable): \(text(change.before)) -> \(text(change.after))"
  }

  /// A change as a document.
  static func json(_ change: StateChange) -> JSON {
    ["path": .string(change.path), "before": change.before ?? .null, "after": change.after ?? .null]
  }
}
