// What replaying came to, in words.

import AuditReports
import EventStore
import FlowRecording
import Replay

/// A replay report as text.
enum DivergenceText {
  /// The counts, and each divergence with both sides.
  static func lines(_ report: ReplayReport, width: LineWidth = 80, style: Style = Style(colours: false)) -> [String] {
    let counts =
      "\(Quantity.count(report.recordings, "recording")), \(Quantity.count(report.replayed, "flow")) replayed, "
      + "\(Quantity.count(report.diverged, "divergence"))"
      + (report.unreadable.isEmpty ? "" : ", \(report.unreadable.count) unreadable")
    var lines = [report.diverged == 0 && report.unreadable.isEmpty ? style.good(counts) : style.bad(counts)]
    for text in report.unreadable { lines += [""] + Paragraph.lines(text.printable, width: width) }
    for divergence in report.divergences {
      lines += [""]
      lines += Paragraph.lines("\(divergence.flow): \(divergence.message)".printable, width: width)
      lines += Paragraph.lines(side(divergence.expected), width: width, lead: "  recorded  ")
      lines += Paragraph.lines(side(divergence.actual), width: width, lead: "  replayed  ")
    }
    if !report.divergences.isEmpty {
      lines += ["", "A flow up to such a revision: auditctl show FLOW --store DIR --at REVISION"]
    }
    return lines
  }

  private static func side(_ event: JSON?) -> String { (event?.text ?? "nothing").printable.cut(to: 2_000) }
}
