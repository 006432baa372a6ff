// What printing, a debugger or a test failure shows of an object: for tables, because none of it may contain a secret.

/// The texts of an object.
package enum Printed {
  /// Its description, its debug description, and the contents of its mirror, if it is custom.
  package static func text(_ value: Any?) -> String {
    guard let value else { return "none" }
    let mirrored = (value as? any CustomReflectable)?.customMirror.children.map { "\($0.label ?? "-"): \($0.value)" }
    return "\(value) | \(String(reflecting: value)) | \(mirrored ?? [])"
  }
}
