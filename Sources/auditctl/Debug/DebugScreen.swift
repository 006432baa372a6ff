// The screen of a debugging session: the time line on the left, the state on the right, what changed marked with `*`.

import AuditReports
import EventStore
import FlowRecording
import Replay

/// Draws a session on this many columns and rows.
struct DebugScreen {
  let columns: Int
  let rows: Int
  let style: Style

  /// The lines of the screen, `rows` at most, each of `columns` at most.
  ///
  /// - Parameters:
  ///   - debugger: the session.
  ///   - scroll: how many lines of the state are passed by.
  ///   - message: what is in the last line.
  func lines(_ debugger: Debugger, scroll: Int, message: String) -> [String] {
    let session = debugger.session
    let title =
      "\(session.stream)  \(session.index + 1)/\(session.records.count)  \(session.status ?? "no status yet")".printable
    let body = max(1, rows - 4)
    let left = columns / 2 - 1
    let right = columns - left - 3
    let line = timeLine(debugger, rows: body, width: left)
    let state = self.state(of: session, rows: body, width: right, scroll: scroll)
    var lines = [style.bold(title.cut(to: columns)), String(repeating: "-", count: columns)]
    for row in 0..<body {
      let one = row < line.count ? line[row] : (text: "", isHere: false)
      let other = row < state.count ? state[row] : (text: "", isChanged: false)
      let padded = one.text.padded(to: left)
      lines.append(
        (one.isHere ? style.bold(padded) : padded) + " | " + (other.isChanged ? style.notice(other.text) : other.text))
    }
    lines.append(String(repeating: "-", count: columns))
    lines.append(message.printable.cut(to: columns))
    return lines
  }

  private func timeLine(_ debugger: Debugger, rows: Int, width: Int) -> [(text: String, isHere: Bool)] {
    debugger.around(rows).map { index in
      let isHere = index == debugger.session.index
      let text = (isHere ? "> " : "  ") + debugger.heading(debugger.session.records[index])
      return (text.cut(to: width), isHere)
    }
  }

  private func state(
    of session: ReplaySession, rows: Int, width: Int, scroll: Int
  ) -> [(text: String, isChanged: Bool)] {
    let changes = session.changes
    let changed = Set(changes.map(\.path.printable))
    var lines = StateText.pairs(session.state, at: "").filter { !$0.value.isEmpty && $0.value != "null" }.map { pair in
      let isChanged = Self.stems(of: pair.path).contains { changed.contains($0) }
      return (text: ((isChanged ? "*" : " ") + "\(pair.path) \(pair.value)").cut(to: width), isChanged: isChanged)
    }
    for change in changes where change.after == nil || change.after == .null {
      lines.append((text: "*\(change.path.printable) (gone)".cut(to: width), isChanged: true))
    }
    // Scrolls to the first change.
    let first = scroll == 0 ? (lines.firstIndex { $0.isChanged } ?? 0) : 0
    let start = max(0, min(scroll + max(0, first - 2), lines.count - rows))
    return Array(lines.dropFirst(start).prefix(rows))
  }

  /// The path of a member and those that it lies in: `a.b[0]`, `a`, `a.b`. An answer may have thousands of members, all
  /// of them new.
  private static func stems(of path: String) -> [String] {
    [path] + path.indices.filter { path[$0] == "." || path[$0] == "[" }.map { String(path[..<$0]) }
  }
}
