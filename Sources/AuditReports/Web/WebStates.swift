// All states of a flow in one page, for the slider of a file, which has no server to ask.

import EventStore
import FlowRecording

/// Each distinct state of a flow, once.
struct WebStates {
  private var states: [(from: Int, text: String)] = []
  private var last = 0
  /// Why some states are left out; `nil` if none are.
  private var note: String?

  /// For a flow with more events than this, only the last state is included, because each state is folded from the
  /// beginning.
  private static let mostEvents = 200
  /// The maximum total size of a flow's states, in bytes of text; the earliest are dropped first.
  private static let mostBytes = 256 << 10

  /// Computes the states of a flow.
  init(of line: TimeLine) {
    guard let end = line.records.last?.revision else { return }
    last = end
    let all = line.records.count <= Self.mostEvents ? line.records.map(\.revision) : [end]
    if all.count < line.records.count { note = "A flow of so many events has its last state alone here" }
    var before: JSON?
    do throws(FoldedState.Missing) {
      for revision in all {
        let folded = try FoldedState(of: line.records, stream: line.stream, at: revision)
        if folded.state == before { continue }
        before = folded.state
        let lines = folded.lines(width: LineWidth(100, isStrict: false)).dropFirst(2)
        states.append((revision, lines.joined(separator: "\n")))
      }
    } catch {
      states = []
      note = "This version cannot fold this flow"
      return
    }
    var bytes = states.reduce(0) { $0 + $1.text.utf8.count }
    let count = states.count
    while states.count > 1, bytes > Self.mostBytes { bytes -= states.removeFirst().text.utf8.count }
    if states.count < count { note = "The states before revision \(states[0].from) are too long for this file" }
  }

  /// A slider controlled by a script, and the states, one of which is visible.
  var html: String {
    let advice = note.map { "<p>\(HTML.escape($0)): <code>auditctl show FLOW --at N</code> prints any.</p>\n" } ?? ""
    guard let first = states.first?.from else { return advice.isEmpty ? "" : "<h2>State</h2>\n" + advice }
    let texts = states.map { state in
      "<pre tabindex=\"0\" role=\"region\" aria-label=\"State\" data-from=\"\(state.from)\""
        + "\(state.from == states.last?.from ? "" : " hidden")>\(HTML.escape(lines: state.text.components))</pre>\n"
    }
    return """
      <h2>State at a revision</h2>
      <p class="state" hidden><label>Revision <output>\(last)</output> of \(last)
      <input type="range" min="\(first)" max="\(last)" value="\(last)"></label></p>
      <div class="states" aria-live="polite">
      \(texts.joined())</div>
      \(advice)
      """
  }
}

extension String {
  fileprivate var components: [String] { split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}
