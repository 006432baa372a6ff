// The result of a replay, in words.

import AuditReports
import EventStore
import FlowRecording
import Replay

/// A replay report as text.
struct DivergenceText {
  private let report: ReplayReport
  private let width: LineWidth
  private let style: Style
  private let showsAll: Bool
  private let unread: Int

  /// - Parameters:
  ///   - showsAll: whether every divergence is shown, and not just the first of each cause.
  ///   - unread: how many recordings cannot be read, beside what the report has of them; stderr says which and why.
  init(
    _ report: ReplayReport, width: LineWidth = 80, style: Style = Style(colours: false), showsAll: Bool = false,
    unread: Int = 0
  ) {
    (self.report, self.width, self.style, self.showsAll) = (report, width, style, showsAll)
    self.unread = unread
  }

  /// The counts, and each cause with both sides of its first divergence.
  var lines: [String] {
    let unreadable = report.unreadable.count + unread
    let counts =
      "\(Quantity.count(report.recordings, "recording")), \(Quantity.count(report.replayed, "flow")) replayed, "
      + "\(Quantity.count(report.diverged, "divergence"))"
      + (unreadable == 0 ? "" : ", \(unreadable) unreadable")
    var lines = [report.diverged == 0 && unreadable == 0 ? style.good(counts) : style.bad(counts)]
    for text in report.unreadable { lines += [""] + Paragraph.lines(text.printable, width: width) }
    if showsAll {
      for divergence in report.divergedFlows.joined() { lines += [""] + self.lines(of: divergence) }
    } else {
      for cause in report.causes { lines += [""] + self.lines(of: cause) }
      if !report.later.isEmpty {
        lines += [""]
        let rest = report.leftOut > 0 ? "; of their steps \(report.leftOut) more are counted and not listed" : ""
        lines += Paragraph.lines(
          "\(report.later.count) more after the first of a flow, which may follow from it: --all shows them\(rest)",
          width: width)
      }
    }
    if !report.divergences.isEmpty {
      lines += ["", "A flow up to such a revision: auditctl show FLOW --store DIR --at REVISION"]
    }
    return lines
  }

  private func lines(of cause: DivergenceCause) -> [String] {
    let others = cause.divergences.dropFirst()
    var lines = self.lines(of: cause.divergences[0])
    guard let next = others.first else { return lines }
    let names = others.prefix(3).map { Self.name(of: $0) }.joined(separator: ", ")
    let isSame = cause.hasSameValues ? "the same in" : "at the same place, with other values, in"
    lines += Paragraph.lines(
      "\(isSame) \(others.count) more: \(others.count == 1 ? Self.name(of: next) : names)"
        + (others.count > 3 ? ", …" : ""), width: width, lead: "  ")
    return lines
  }

  private func lines(of divergence: Divergence) -> [String] {
    var lines = Paragraph.lines("\(Self.name(of: divergence)), \(divergence.message)".printable, width: width)
    if divergence.recording != divergence.flow { lines.append("  in flow \(divergence.flow)".printable) }
    if divergence.recordedBy != divergence.replayedBy {
      lines += Paragraph.lines(
        "recorded by \(divergence.recordedBy), replayed by \(divergence.replayedBy)".printable, width: width, lead: "  "
      )
    }
    for event in divergence.before {
      let revision = event["rev"]?.int.map(String.init) ?? ""
      let data = (event["data"] ?? [:]).text.printable
      let line = "  before \(revision.padded(to: 4)) \(event["type"]?.string ?? "") \(data)"
      lines.append(line.cut(to: width.isStrict ? width.columns : 200))
    }
    lines += Paragraph.lines(side(divergence.expected, beside: divergence.actual), width: width, lead: "  recorded  ")
    lines += Paragraph.lines(side(divergence.actual, beside: divergence.expected), width: width, lead: "  replayed  ")
    if showsAll, divergence.leftOut > 0 {
      lines += ["", "… and \(Quantity.count(divergence.leftOut, "more difference")) of this step"]
    }
    return lines
  }

  /// The file's name, or the flow's stream in a store.
  private static func name(of divergence: Divergence) -> String {
    guard divergence.recording != divergence.flow else { return divergence.flow }
    return divergence.recording.split(separator: "/").last.map(String.init) ?? divergence.recording
  }

  /// How much of an event is shown, in characters.
  private static let longest = 1_000

  /// An event, cut around the place where the two sides begin to differ.
  private func side(_ event: JSON?, beside other: JSON?) -> String {
    guard let text = event?.text.printable else { return "nothing" }
    guard text.count > Self.longest, let others = other?.text.printable else { return text.cut(to: Self.longest) }
    let same = zip(text, others).prefix { $0 == $1 }.count
    guard same > Self.longest / 2 else { return text.cut(to: Self.longest) }
    return "…" + String(text.dropFirst(same - Self.longest / 4)).cut(to: Self.longest)
  }
}
