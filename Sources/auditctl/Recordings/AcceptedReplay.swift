// `auditctl replay --accept`: recordings are made again as this SDK does things.

import AuditReports
import EventStore
import FlowRecording
import Replay

enum AcceptedReplay {
  /// Rewrites the recordings that diverge, and prints what changed in each.
  ///
  /// - Throws: exit 1 if one of them has to be recorded again.
  static func run(_ names: [String], isJSON: Bool) throws {
    var report = ReplayReport()
    var accepted: [String] = []
    var refused: [String] = []
    // Those whose digests are too many now.
    var bare: [String] = []
    for name in names {
      let bytes = try InputFile.recording(name)
      let recording = try Recording(name: name, bytes: bytes)
      let divergences = try Replay.divergences(of: recording)
      report.add(divergences)
      guard divergences.contains(where: { !$0.isEmpty }) else { continue }
      guard let made = try Replay.accepting(recording), try Replay.replay(made).isEmpty else {
        refused.append(name)
        continue
      }
      let source = (try? SliceFile.read(bytes: bytes).header).map { StoreIdentity(id: $0.store, origin: $0.origin) }
      let records = try made.records()
      // What was plain stays so, for a review by lines.
      let isPlain = bytes.first == UInt8(ascii: "{")
      try Creation.of(name) { () throws(StoreError) in
        if isPlain {
          try SliceFile.writeLines(records: records, to: name)
        } else {
          try SliceFile.write(
            records: records, source: source ?? Recording.source, digests: made.digests?.json, to: name)
        }
      }
      if recording.digests != nil, made.digests == nil { bare.append(name) }
      accepted.append(name)
    }
    let output = Output()
    if isJSON {
      let members = report.json.object?.members ?? []
      let more = [("accepted", accepted), ("refused", refused)].map { ($0, JSON.array($1.map(JSON.string))) }
      try output.json(.members(members.map { ($0.key, $0.value) } + more))
    } else {
      try output.lines(
        DivergenceText(report, width: LineWidth(Terminal.width.columns), style: Terminal.style, showsAll: true).lines)
      for name in accepted {
        try output.line("\(name.printable) is made anew; look at the difference before you keep it")
      }
      for name in bare { try output.line("\(name.printable) has no digests of states any more: they are too many") }
      for name in refused {
        try output.line("\(name.printable) has to be recorded again: an input has no place any more")
      }
    }
    try output.end()
    if !refused.isEmpty { throw ExitCodes.finding }
  }
}
