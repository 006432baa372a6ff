// Times of a recording, moved to another day.

import EventStore
import FlowRecording

/// Moves times by whole seconds, and leaves everything else as it is.
struct TimeShift: Sendable {
  private let seconds: Int64
  /// Over ten thousand years.
  private static let longest: Int64 = 400_000_000_000

  init(from recorded: Timestamp, to now: Timestamp) {
    let (microseconds, overflows) = now.microseconds.subtractingReportingOverflow(recorded.microseconds)
    // A distance longer than the years that a date can express is not one between two dates.
    seconds = overflows ? 0 : max(-Self.longest, min(Self.longest, microseconds / 1_000_000))
  }

  /// A document with the dates moved that its schema declares.
  func moved(_ json: JSON, as schema: WireSchema) -> JSON {
    schema.mapValues(of: json) { schema, _, value in
      guard case .date = schema, case .string(let text) = value else { return value }
      return .string(date(text))
    }
  }

  /// The value of a header.
  func moved(header name: String, _ value: String, _ policy: MaskingPolicy?) -> String {
    switch name {
    case "x-rate-limit-reset":
      guard let reset = Int64(value) else { return value }
      let (sum, overflows) = reset.addingReportingOverflow(seconds)
      return overflows ? value : String(sum)
    case "set-cookie": return cookie(value)
    default:
      let schema = policy?.headers[name] ?? (name == "date" ? .date : .undeclared)
      return moved(.string(value), as: schema).string ?? value
    }
  }

  /// A cookie; `Expires` is a date of it (RFC 6265 §4.1.1), and `Max-Age` a duration.
  private func cookie(_ header: String) -> String {
    header.split(separator: ";", omittingEmptySubsequences: false).map { part in
      let name = part.prefix { $0 != "=" }
      let isDate = name.count < part.count && name.drop { $0 == " " }.lowercased() == "expires"
      guard isDate else { return String(part) }
      return "\(name)=\(date(String(part.dropFirst(name.count + 1))))"
    }.joined(separator: ";")
  }

  /// A date in the form that it has (RFC 3339, or RFC 9110 §5.6.7 and its kind with hyphens); any other text as it is.
  private func date(_ text: String) -> String {
    if let time = HTTPDate.seconds(text) {
      let moved = HTTPDate.text(Timestamp(microseconds: (Int64(time) + seconds) * 1_000_000))
      guard text.utf8.contains(UInt8(ascii: "-")) else { return moved }
      let words = moved.split(separator: " ")
      return "\(words[0]) \(words[1...3].joined(separator: "-")) \(words[4...].joined(separator: " "))"
    }
    // A local time with any offset, with or without seconds, moves like one in UTC; the rest of the text stays.
    for (length, ending) in [(19, "Z"), (16, ":00Z")] {
      guard let time = Timestamp("\(text.prefix(length))\(ending)") else { continue }
      let moved = Timestamp(microseconds: time.microseconds + seconds * 1_000_000).description
      return "\(moved.prefix(length))\(text.dropFirst(length))"
    }
    return text
  }
}
