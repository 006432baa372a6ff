// Numbers as a person reads them.

/// Durations and sizes in the unit that keeps them short.
package enum Quantity {
  /// `340 ms`, `2.1 s`, `3 min 20 s`.
  package static func duration(milliseconds: Int) -> String {
    let value = max(0, milliseconds)
    if value < 1_000 { return "\(value) ms" }
    if value < 59_950 { return value % 1_000 == 0 ? "\(value / 1_000) s" : "\(tenths(value, of: 1_000)) s" }
    let seconds = value / 1_000 + (value % 1_000 >= 500 ? 1 : 0)
    if seconds < 3_600 { return "\(seconds / 60) min \(seconds % 60) s" }
    let minutes = seconds / 60 + (seconds % 60 >= 30 ? 1 : 0)
    return "\(minutes / 60) h \(minutes % 60) min"
  }

  /// `812 bytes`, `4.1 KB`, `17.0 MB`.
  package static func size(_ bytes: UInt64) -> String {
    if bytes == 1 { return "1 byte" }
    if bytes < 1_000 { return "\(bytes) bytes" }
    let value = Int(clamping: bytes)
    if bytes < 999_950 { return "\(tenths(value, of: 1_000)) KB" }
    if bytes < 999_950_000 { return "\(tenths(value, of: 1_000_000)) MB" }
    return "\(tenths(value, of: 1_000_000_000)) GB"
  }

  /// `1 flow`, `7 flows`.
  package static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// With one decimal, rounded half up.
  private static func tenths(_ value: Int, of unit: Int) -> String {
    let tenths = value / (unit / 10) + (value % (unit / 10) >= unit / 20 ? 1 : 0)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
