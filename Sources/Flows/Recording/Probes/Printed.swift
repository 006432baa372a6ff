// What a print, a debugger and a test's failure show of an object: for tables, since no secret may be in it.

/// The texts of an object.
package enum Printed {
  /// Its description, the one for debugging, and what its mirror has, if it makes one of its own.
  package static func text(_ value: Any?) -> String {
    guard let value else { return "none" }
    let mirrored = (value as? any CustomReflectable)?.customMirror.children.map { "\($0.label ?? "-"): \($0.value)" }
    return "\(value) | \(String(reflecting: value)) | \(mirrored ?? [])"
  }
}
