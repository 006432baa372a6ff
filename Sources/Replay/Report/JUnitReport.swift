// A replay as JUnit XML, which continuous integration shows as tests.

import EventStore

/// Writes a replay report as JUnit XML: one test suite, one test case a flow.
public enum JUnitReport {
  /// The document.
  public static func xml(_ report: ReplayReport) -> String {
    let failures = report.diverged
    let errors = report.unreadable.count
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<testsuites tests="\#(report.replayed + errors)" failures="\#(failures)" errors="\#(errors)">"#,
      #"  <testsuite name="auditctl replay" tests="\#(report.replayed + errors)" failures="\#(failures)" "#
        + #"errors="\#(errors)">"#,
    ]
    for divergence in report.divergences {
      lines.append(
        #"    <testcase classname="\#(escaped(divergence.recording))" name="\#(escaped(divergence.flow))">"#)
      lines.append(#"      <failure type="\#(divergence.kind.rawValue)" message="\#(escaped(divergence.message))">"#)
      lines.append("recorded: \(escaped(divergence.expected?.text ?? "nothing"))")
      lines.append("replayed: \(escaped(divergence.actual?.text ?? "nothing"))</failure>")
      lines.append("    </testcase>")
    }
    for (number, reason) in report.unreadable.enumerated() {
      lines.append(#"    <testcase classname="unreadable" name="\#(number + 1)">"#)
      lines.append(#"      <error message="\#(escaped(reason))"/>"#)
      lines.append("    </testcase>")
    }
    for flow in report.passed {
      lines.append(#"    <testcase classname="\#(escaped(flow.recording))" name="\#(escaped(flow.stream))"/>"#)
    }
    return (lines + ["  </testsuite>", "</testsuites>", ""]).joined(separator: "\n")
  }

  /// Text for XML 1.0, which has no way to say most control characters: they become U+FFFD.
  private static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "\t", "\n", "\r": out += "&#\(scalar.value);"
      default:
        let isForbidden = scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF
        out.unicodeScalars.append(isForbidden ? "\u{FFFD}" : scalar)
      }
    }
    return out
  }
}
