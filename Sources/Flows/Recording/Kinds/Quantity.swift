// Numbers as a person reads them.

/// Durations and sizes in the unit that keeps them short.
package enum Quantity {
  /// `340 ms`, `2.1 s`, `3 min 20 s`.
  package static func duration(milliseconds: Int) -> String {
    let value = max(0, milliseconds)
    if value < 1_000 { return "\(value) ms" }
    if value < 60_000 { return value % 1_000 == 0 ? "\(value / 1_000) s" : "\(tenths(value, of: 1_000)) s" }
    if value < 3_600_000 { return "\(value / 60_000) min \(value / 1_000 % 60) s" }
    return "\(value / 3_600_000) h \(value / 60_000 % 60) min"
  }

  /// `812 bytes`, `4.1 KB`, `17.0 MB`.
  package static func size(_ bytes: UInt64) -> String {
    if bytes == 1 { return "1 byte" }
    if bytes < 1_000 { return "\(bytes) bytes" }
    let value = Int(clamping: bytes)
    if bytes < 1_000_000 { return "\(tenths(value, of: 1_000)) KB" }
    if bytes < 1_000_000_000 { return "\(tenths(value, of: 1_000_000)) MB" }
    return "\(tenths(value, of: 1_000_000_000)) GB"
  }

  /// `1 flow`, `7 flows`.
  package static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  private static func tenths(_ value: Int, of unit: Int) -> String {
    "\(value / unit).\(value % unit * 10 / unit)"
  }
}
