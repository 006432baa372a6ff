import AuditReports
import EventStore

/// One check: its finding, and what to do about it.
struct Diagnosis {
  /// How much it matters.
  enum State: String {
    /// Nothing to do.
    case ok
    /// Worth a look.
    case notice
    /// Something does not work, or is not safe.
    case problem
  }

  /// The name of the check: `permissions`.
  var check: String
  var state: State
  /// The finding, a sentence without a full stop.
  var finding: String
  /// What to do; nil if there is nothing to.
  var advice: String?

  init(_ check: String, _ state: State, _ finding: String, advice: String? = nil) {
    (self.check, self.state, self.finding, self.advice) = (check, state, finding, advice)
  }

  /// Makes a diagnosis from an error.
  init(_ check: String, _ error: StoreError, _ state: State = .problem) {
    var short = error
    short.advice = nil
    self.init(check, state, String(short.description.dropLast()), advice: error.advice)
  }

  /// One element of `checks` in `auditctl doctor --json`.
  var json: JSON {
    .members([
      ("check", .string(check)), ("state", .string(state.rawValue)), ("finding", .string(finding)),
      ("advice", advice.map(JSON.string)),
    ])
  }

  /// The same as text.
  func lines(width: LineWidth, style: Style) -> [String] {
    let word: String =
      switch state {
      case .ok: style.good("ok     ")
      case .notice: style.notice("notice ")
      case .problem: style.bad("PROBLEM")
      }
    let text = finding + "." + (advice.map { " To do: \($0)." } ?? "")
    let lead = "  " + check.padded(to: 12)
    // Colors take no columns.
    let lines = Paragraph.lines(
      text.printable, width: LineWidth(width.columns - 9, isStrict: width.isStrict), lead: lead)
    return lines.enumerated().map { index, line in
      index == 0 ? "\(word)\(line)" : String(repeating: " ", count: 7) + line
    }
  }
}
