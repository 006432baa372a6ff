// Times as commands take them (CLI.md): RFC 3339, `now`, `today`, `yesterday`, `-15m`, `-24h`, `-7d`. Days are UTC.

package import EventStore

/// Reads a time that a person typed.
package enum TimeExpression {
  /// The time meant, or nil where the text names none.
  ///
  /// - Parameters:
  ///   - text: the text as typed; a date alone means its first moment.
  ///   - now: the time that relative ones count from.
  package static func time(_ text: String, now: Timestamp) -> Timestamp? {
    switch text {
    case "now": return now
    case "today": return startOfDay(now)
    case "yesterday": return startOfDay(Timestamp(microseconds: now.microseconds - day))
    default: break
    }
    if text.hasPrefix("-") { return before(now, text.dropFirst()) }
    return Timestamp(text) ?? Timestamp(text + "T00:00:00Z")
  }

  private static let day: Int64 = 86_400_000_000

  private static func startOfDay(_ time: Timestamp) -> Timestamp {
    let inDay = time.microseconds % day
    return Timestamp(microseconds: time.microseconds - (inDay < 0 ? inDay + day : inDay))
  }

  private static func before(_ now: Timestamp, _ text: Substring) -> Timestamp? {
    guard let unit = text.last, let count = Int64(text.dropLast()), count >= 0 else { return nil }
    let seconds: Int64
    switch unit {
    case "s": seconds = 1
    case "m": seconds = 60
    case "h": seconds = 3_600
    case "d": seconds = 86_400
    case "w": seconds = 604_800
    default: return nil
    }
    let (span, overflow) = count.multipliedReportingOverflow(by: seconds * 1_000_000)
    let (time, underflow) = now.microseconds.subtractingReportingOverflow(span)
    return overflow || underflow ? nil : Timestamp(microseconds: time)
  }
}
