// `auditctl replay --accept`: recordings are made again as this SDK does things.

import ArgumentParser
import AuditReports
import EventStore
import FlowRecording
import Glibc
import Replay

enum AcceptedReplay {
  /// Rewrites the recordings that diverge, and prints what changed in each. One that cannot be read does not keep the
  /// others from it.
  ///
  /// - Parameter command: the command that does it.
  /// - Throws: exit 1 if one of them has to be recorded again; the error of one that cannot be read.
  static func run(_ names: [String], isJSON: Bool, of command: any ParsableCommand.Type) throws {
    var report = ReplayReport()
    var accepted: [String] = []
    var refused: [(name: String, reason: String)] = []
    // Those whose digests are too many now.
    var bare: [String] = []
    var unread: [any Error] = []
    for name in names {
      let bytes: [UInt8]
      let recording: Recording
      let divergences: [[Divergence]]
      do {
        bytes = try InputFile.recording(name)
        recording = try Recording(name: name, bytes: bytes)
        try recording.refuseUnknownKinds()
        divergences = try Replay.divergences(of: recording)
      } catch {
        unread.append(error)
        continue
      }
      report.add(divergences)
      guard divergences.contains(where: { !$0.isEmpty }) else { continue }
      // What is made anew has the flows alone.
      let file = try SliceFile.records(in: bytes)
      let streams = Set(recording.flows.map { ByteName($0.stream) })
      guard file.records.allSatisfy({ streams.contains(ByteName($0.stream)) }) else {
        refused.append((name, "stays as it is: it has streams that are no flows; give files of single flows"))
        continue
      }
      // This SDK would make it without the events that it does not know.
      if let unknown = recording.unknownVersion {
        refused.append((name, "stays as it is: \(unknown)"))
        continue
      }
      guard let made = try Replay.accepting(recording) else {
        refused.append((name, "has to be recorded again: an input has no place any more"))
        continue
      }
      guard try Replay.replay(made).isEmpty else {
        refused.append((name, try reason(of: made)))
        continue
      }
      let source = file.header.map { StoreIdentity(id: $0.store, origin: $0.origin) }
      let records = try made.records()
      // What was plain stays so, for a review by lines.
      let isPlain = bytes.first == UInt8(ascii: "{")
      let mode = FileMode(of: name)
      try Creation.of(name) { () throws(StoreError) in
        if isPlain {
          try SliceFile.writeLines(records: records, to: name)
        } else {
          try SliceFile.write(
            records: records, source: source ?? Recording.source, digests: made.digests?.json, to: name)
        }
      }
      // Who may read it is not what changed.
      if let mode { chmod(name, mode_t(mode.permissions)) }
      if recording.digests != nil, made.digests == nil { bare.append(name) }
      accepted.append(name)
    }
    if unread.count == names.count, let first = unread.first { throw first }
    let output = Output()
    if isJSON {
      report.unreadable = ErrorReport.messages(unread, of: command)
      let members = report.json.object?.members ?? []
      let lists = [("accepted", accepted), ("refused", refused.map(\.name))]
      var more = lists.map { ($0, JSON.array($1.map(JSON.string))) }
      let reasons = refused.reduce(into: JSONObject([])) { $0[$1.name] = .string($1.reason) }
      more.append(("reasons", .object(reasons)))
      try output.json(.members(members.map { ($0.key, $0.value) } + more))
    } else {
      try output.lines(
        DivergenceText(
          report, width: LineWidth(Terminal.width.columns), style: Terminal.style, showsAll: true, unread: unread.count
        ).lines)
      for name in accepted {
        try output.line("\(name.printable) is made anew; look at the difference before you keep it")
      }
      for name in bare { try output.line("\(name.printable) has no digests of states any more: they are too many") }
      for (name, reason) in refused { try output.line("\(name.printable) \(reason)") }
    }
    try output.end()
    try ErrorReport.finish(unread, of: command)
    if !refused.isEmpty { throw ExitCodes.finding }
  }

  /// Why a recording is not accepted that diverges after it was made again too.
  private static func reason(of made: Recording) throws -> String {
    let decisions = try Replay.replay(made, depth: .core)
    return decisions.isEmpty
      ? "stays as it is: what differs stands around the SDK's decisions, and no recording has that; mend what is named"
      : "has to be recorded again: made anew, it diverges too"
  }
}
