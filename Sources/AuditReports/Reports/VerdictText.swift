// The result of verifying a store, as JSON (CLI.md) and as text.

package import EventStore
import FlowRecording

/// A verification report, for display.
package struct VerdictText: Sendable {
  private let report: VerifyReport
  private let store: String
  /// The size in the newest checkpoint of the caller's state file; `nil` if there is none.
  private let remembered: UInt64?
  private let damage: LogDamage?

  /// Creates a report for the store at a path. `remembered` is the size recorded in the state file afterward; `damage`
  /// describes the parts that cannot be read.
  package init(_ report: VerifyReport, store: String, remembered: UInt64? = nil, damage: LogDamage? = nil) {
    self.damage = damage
    self.remembered = remembered
    self.report = report
    self.store = store
  }

  /// The document of `auditctl verify --json`.
  package var json: JSON {
    let findings = report.findings.map { finding in
      JSON.members([
        ("kind", .string(finding.kind.findingWord)), ("segment", finding.segment.map(JSON.string) ?? .null),
        ("offset", finding.offset.map(Self.number) ?? .null), ("position", finding.position.map(Self.number) ?? .null),
        ("message", .string(finding.message)),
      ])
    }
    return .members([
      ("verdict", .string(report.verdict.rawValue)), ("records", Self.number(report.records)),
      ("root", .string(report.root)), ("anchored", report.anchoredSize.map(Self.number) ?? .null),
      ("recordsAfterAnchor", report.recordsAfterAnchor.map(Self.number) ?? .null), ("findings", .array(findings)),
      ("restoredFrom", KeysText.json(of: report.restoredFrom)),
      ("remembered", remembered.map(Self.number) ?? .null), ("witnesses", .array(report.cosigned.map(Self.json))),
      ("lacking", damage.map { .array($0.streams.map(JSON.string)) }),
    ])
  }

  /// What a witness has cosigned; `at` is the time stated by the witness.
  private static func json(of cosigned: VerifyReport.Cosigned) -> JSON {
    [
      "key": .string(cosigned.witness.description), "cosigned": cosigned.size.map(number) ?? .null,
      "at": time(of: cosigned).map(JSON.string) ?? .null,
    ]
  }

  private static func time(of cosigned: VerifyReport.Cosigned) -> String? {
    // Years beyond the range of timestamps are omitted.
    guard let time = cosigned.time, let seconds = Int64(exactly: time), seconds < 253_402_300_800 else { return nil }
    return Timestamp(microseconds: seconds * 1_000_000).description
  }

  /// The verdict, its meaning, and what to do next.
  package func lines(width: LineWidth = 80, style: Style = Style(colours: false)) -> [String] {
    var lines = ["\(report.verdict.shown(style))  \(store.printable)"]
    lines += Paragraph.lines(meaning, width: width, lead: "  ", indent: 2)
    lines.append("  records  \(report.records)")
    lines.append("  root     \(report.root)")
    if let size = report.anchoredSize { lines.append("  anchored \(Quantity.count(Int(clamping: size), "record"))") }
    if let rest = report.recordsAfterAnchor, report.anchoredSize != nil {
      lines.append(
        "  after    \(Quantity.count(Int(clamping: rest), "record")) \(rest == 1 ? "follows" : "follow") the anchored ones"
      )
    }
    for witness in report.cosigned {
      let said = witness.size.map { size in
        "\(Quantity.count(Int(clamping: size), "record"))\(Self.time(of: witness).map { " at \($0)" } ?? "")"
      }
      lines += Paragraph.lines(
        "\(witness.witness.name.printable): \(said ?? "nothing of this log")", width: width, lead: "  cosigned ",
        indent: 11)
    }
    if let remembered {
      lines.append("  state    \(Quantity.count(Int(clamping: remembered), "record")) are remembered")
    }
    for before in report.restoredFrom {
      lines += Paragraph.lines(KeysText.text(of: before).printable, width: width, lead: "  restored ", indent: 11)
    }
    for finding in report.findings {
      lines += Paragraph.lines(Self.text(of: finding), width: width, lead: "  - ", indent: 4)
    }
    for sentence in damage?.sentences ?? [] {
      lines += Paragraph.lines(sentence.printable, width: width, lead: "  lost     ", indent: 11)
    }
    for advice in advice { lines += Paragraph.lines(advice, width: width, lead: "  ", indent: 4) }
    return lines
  }

  private var meaning: String {
    switch report.verdict {
    case .ok:
      "Every checksum, hash and link holds, and the log agrees with a checkpoint that the pinned key has signed."
    case .unanchored where report.anchoredSize != nil:
      "The log is consistent, and agrees with a checkpoint that the pinned key has signed, but not as far, or not with the "
        + "witnesses, that were demanded."
    case .unanchored:
      "The log is consistent in itself, but nothing outside of it says that it is the log that was written: "
        + (lacksCheckpoint ? "no checkpoint of the pinned key is there." : "no key is pinned.")
    case .torn: "The last write was cut short. Nothing that the log says was synced is lost."
    case .altered: "Bytes that were known to be synced have changed since they were written."
    case .truncated where lacksRecords: "The log has fewer records than were demanded."
    case .truncated: "The log is smaller than a checkpoint that was signed for it: records are gone from its end."
    case .forked: "The log is not the one that a checkpoint was signed for, in what the findings name."
    case .badSignature:
      "A checkpoint's signature does not hold: it was not made by the key that it names, or was changed."
    case .missingSegment: "A segment file of the log is not there."
    case .pruned: "The log is consistent and anchored; records of pruned ranges are gone, their hashes are kept."
    }
  }

  /// Whether a key is pinned but nothing in the store is signed with it.
  private var lacksCheckpoint: Bool { report.findings.contains { $0.kind == .unanchored } }

  /// Whether a required size is the only evidence that the log is too small.
  private var lacksRecords: Bool {
    report.findings.allSatisfy { $0.kind != .truncated || $0.isDemand }
  }

  private var advice: [String] {
    switch report.verdict {
    case .ok, .pruned: []
    case .unanchored where report.anchoredSize != nil:
      ["Have the log signed (auditctl checkpoint), and cosigned (auditctl cosign), then verify again."]
    case .unanchored where lacksCheckpoint:
      [
        "Give the last checkpoint that was kept elsewhere: auditctl verify --store DIR --public-key FILE --checkpoint FILE",
        "A store that was never signed has none; one that was has lost its checkpoints/.",
      ]
    case .unanchored:
      [
        "To pin: auditctl checkpoint --store DIR signs the log as it is and keeps the public key beside the signing key.",
        "Keep that public key where the log's writer cannot change it, then: auditctl verify --store DIR --public-key FILE",
      ]
    case .torn: ["The next writer moves the torn bytes to quarantine/ and goes on after the last whole commit."]
    case .altered, .truncated, .forked, .badSignature, .missingSegment:
      ["Copy the directory before anything else touches it; it is evidence. Compare it with a backup."]
    }
  }

  private static func text(of finding: VerifyReport.Finding) -> String {
    var places: [String] = []
    if let segment = finding.segment { places.append(segment.printable) }
    if let position = finding.position { places.append("position \(position)") }
    if let offset = finding.offset { places.append("byte \(offset)") }
    let place = places.isEmpty ? "" : " (\(places.joined(separator: ", ")))"
    return "\(finding.kind.findingWord): \(finding.message.printable)\(place)"
  }

  private static func number(_ value: UInt64) -> JSON { .number(String(value)) }
}

extension VerifyReport.Verdict {
  /// The name of this kind of finding. A finding that is notable but does not change the verdict is not «ok».
  var findingWord: String { self == .ok ? "note" : rawValue }
}

extension VerifyReport.Verdict {
  /// The word, in a color by severity.
  package func shown(_ style: Style) -> String {
    switch self {
    case .ok, .pruned: style.good(rawValue)
    case .unanchored, .torn: style.notice(rawValue)
    case .altered, .truncated, .forked, .badSignature, .missingSegment: style.bad(rawValue)
    }
  }
}
