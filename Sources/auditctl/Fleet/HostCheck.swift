// The result of verifying the copy of one host.

import AuditReports
import EventStore
import Fleet

/// The verdict on a host's copy.
struct HostCheck {
  private let host: Roster.Host
  private(set) var verdict: VerifyReport.Verdict
  private var records: UInt64 = 0
  private var anchored: UInt64?
  /// Why the copy could not be checked; nil if it was.
  private(set) var failure: StoreError?
  /// The findings as `verify --json` has them, and in words.
  private var findings: [(json: JSON, text: String)] = []

  /// Verifies a host's copy.
  ///
  /// - Parameters:
  ///   - host: as the records say that a signature of the fleet's key covers, or all records if no key is pinned; nil
  ///     if none of these names it.
  ///   - said: as all records say.
  ///   - folder: the fleet's directory.
  ///   - isPinned: whether the fleet's key is. Without it anyone may have named the key that the host was enrolled
  ///     with, so that a copy which is as that key signed it is unanchored.
  init?(_ host: Roster.Host?, said: Roster.Host, in folder: FleetFolder, isPinned: Bool) {
    self.host = host ?? said
    verdict = .unanchored
    guard let host else {
      add(.unanchored, "no signed record of the fleet's store names this host: its copy was not verified")
      return
    }
    do throws(StoreError) {
      let report = try Verifier(
        directory: folder.host(host.store), pinnedKey: host.key, remembered: host.checkpoint
      ).run()
      if isPinned || report.verdict != .ok { verdict = report.verdict }
      (records, anchored) = (report.records, isPinned ? report.anchoredSize : nil)
      let documents = VerdictText(report, store: folder.host(host.store)).json["findings"]?.array ?? []
      findings = zip(documents, report.findings).map { ($0, $1.message) }
    } catch {
      if [.malformed, .altered, .torn, .missingSegment].contains(error.code) {
        add(.altered, error.description)
      } else if error.code != .notFound, error.code != .notAStore {
        // That it could not be read says nothing of the copy.
        failure = error
        add(.unanchored, error.description)
      } else if host.checkpoint != nil {
        add(.truncated, "the copy is gone, of which the fleet's store has a checkpoint; put it back")
      } else if host.isRetired {
        // A retired host that never reported has nothing to be verified.
        return nil
      }
    }
    if said.key != host.key || !said.name.isSame(as: host.name) || said.isRetired != host.isRetired {
      add(
        .unanchored,
        "a record of the fleet's store that is not signed says something else of this host; it was not believed")
    }
  }

  private mutating func add(_ kind: VerifyReport.Verdict, _ message: String) {
    verdict = .gravest(of: [verdict, kind])
    findings.append(
      (
        .members([
          ("kind", .string(kind.rawValue)), ("segment", .null), ("offset", .null), ("position", .null),
          ("message", .string(message)),
        ]), message
      ))
  }

  /// The host's document in `fleet verify --json`.
  var json: JSON {
    .members([
      ("store", .string(host.store)), ("name", .string(host.name)), ("verdict", .string(verdict.rawValue)),
      ("records", .number(String(records))), ("anchored", anchored.map { .number(String($0)) } ?? .null),
      ("findings", .array(findings.map(\.json))),
    ])
  }

  /// A line, and one for each finding.
  var lines: [String] {
    let counts = "\(records) records" + (anchored.map { ", \($0) of them anchored" } ?? "")
    return ["\(host.name.printable): \(verdict.rawValue), \(counts)"]
      + findings.map { "  " + $0.text.printable }
  }
}
