// `auditctl replay --sweep`: every fault at every request, and how each ends.

import ArgumentParser
import AuditReports
import EventStore
import FlowRecording
import Replay

enum SweptReplay {
  /// Tries faults on recordings, one after the other, and prints how each ends. One that cannot be read does not keep
  /// the others from it.
  ///
  /// - Throws: exit 1 if a flow hangs, loops or ends unnamed; the error of one that cannot be read.
  static func run(
    _ count: Int, of command: any ParsableCommand.Type, showsAll: Bool, isJSON: Bool,
    reading read: (Int) throws -> Recording?
  ) throws {
    var tally = SweepTally()
    let out = Output()
    let progress = Progress("sweeping")
    var unread: [any Error] = []
    for number in 0..<count {
      let recording: Recording
      let diverges: Bool
      do {
        guard let found = try read(number) else { continue }
        diverges = try !Replay.replay(found).isEmpty
        recording = found
      } catch {
        unread.append(error)
        continue
      }
      tally.recordings += 1
      if diverges { tally.diverging.append(recording.name) }
      for fault in try FaultSweep.run(recording) {
        tally.add(fault)
        guard !isJSON, showsAll || fault.ending.isFinding else { continue }
        let name = fault.recording.split(separator: "/").last.map(String.init) ?? fault.recording
        try out.line("\(name), \(fault.revision) \(fault.request): \(fault.fault): \(fault.ending)".printable)
      }
      progress.show(number + 1, of: count)
    }
    progress.end()
    if tally.recordings == 0, let first = unread.first { throw first }
    if isJSON { try out.json(tally.json) } else { try out.lines(tally.lines(width: LineWidth(Terminal.width.columns))) }
    try out.end()
    try ErrorReport.finish(unread, of: command)
    if !tally.findings.isEmpty { throw ExitCodes.finding }
  }
}

/// What a sweep came to.
private struct SweepTally {
  var recordings = 0
  /// Those that diverge without a fault.
  var diverging: [String] = []
  var count = 0
  var findings: [SweptFault] = []
  /// How often each fault ended in which way.
  private var endings: [String: [String: Int]] = [:]

  mutating func add(_ fault: SweptFault) {
    count += 1
    // Of how a flow ended the word counts here, and not where.
    let word = fault.ending.description.split(separator: " ").prefix(1).joined()
    endings[fault.fault, default: [:]][word, default: 0] += 1
    if fault.ending.isFinding { findings.append(fault) }
  }

  var json: JSON {
    let faults = endings.sorted { $0.key < $1.key }.map { fault, counts -> (String, JSON?) in
      (fault, .members(counts.sorted { $0.key < $1.key }.map { ($0.key, .int($0.value)) }))
    }
    return [
      "recordings": .int(recordings), "tried": .int(count), "endings": .members(faults),
      "findings": .array(findings.map(\.json)), "diverging": .array(diverging.map(JSON.string)),
    ]
  }

  func lines(width: LineWidth) -> [String] {
    var lines = [
      "\(Quantity.count(recordings, "recording")), \(Quantity.count(count, "fault")) tried, "
        + Quantity.count(findings.count, "finding")
    ]
    if !diverging.isEmpty {
      lines += Paragraph.lines(
        "diverging without a fault, so that what they end in says little (replay says how): "
          + diverging.joined(separator: ", ").printable, width: width, lead: "  ")
    }
    for (fault, counts) in endings.sorted(by: { $0.key < $1.key }) {
      let words = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
      lines += Paragraph.lines(words.joined(separator: ", "), width: width, lead: "  \(fault.padded(to: 16)) ")
    }
    return lines
  }
}
