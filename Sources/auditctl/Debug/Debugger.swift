// A debugging session: performs actions and returns what they show.

import AuditReports
import EventStore
import FlowRecording
import Replay

/// Performs actions on a recorded flow.
struct Debugger {
  /// What an action shows.
  struct Answer {
    var lines: [String]
    var json: JSON
    /// Whether the target was found.
    var isFound = true
  }

  private(set) var session: ReplaySession
  /// The records in words, by revision.
  private let words: [Int: TimeLine.Entry]

  /// Begins at the first record of a flow.
  ///
  /// - Parameter allowingGaps: whether records may be missing or out of order, as in an edited recording.
  init(_ records: [StoredRecord], allowingGaps: Bool = false) throws {
    guard let line = try TimeLine(records, allowingGaps: allowingGaps), let first = records.first else {
      throw CommandFailure(.notFound, "the flow has no records; run auditctl verify")
    }
    session = try ReplaySession(RecordedFlow(stream: first.stream, records: line.records))
    words = Dictionary(line.entries.map { ($0.revision, $0) }) { first, _ in first }
  }

  /// Performs one action.
  mutating func perform(_ action: DebugAction) -> Answer {
    switch action {
    case .step(let count): return moved { session in (0..<count).reduce(false) { done, _ in session.step() || done } }
    case .back(let count):
      return moved { session in (0..<count).reduce(false) { done, _ in session.stepBack() || done } }
    case .run(let target):
      let stop = stop(target)
      return moved { $0.run(until: stop) }
    case .runBack(let target):
      let stop = stop(target)
      return moved { $0.runBack(to: stop) }
    case .go(let revision): return moved { $0.go(to: revision) }
    case .start: return moved { $0.go(to: $0.records[0].revision) }
    case .end:
      return moved {
        $0.goToEnd()
        return true
      }
    case .printState(let path): return member(path)
    case .printRecord:
      let data = session.record.event.data
      return Answer(
        lines: [heading(session.record)] + StateText.lines(data), json: ["record": json(session.record)])
    case .changes:
      let changes = session.changes
      return Answer(
        lines: changes.isEmpty ? ["nothing changed in the state"] : changes.map(StateText.line),
        json: ["changes": .array(changes.map(StateText.json))])
    case .why(let path): return why(path)
    case .causes:
      let chain = session.causes(of: session.revision)
      return Answer(lines: chain.map(heading), json: ["causes": .array(chain.map(json))])
    case .list(let count):
      let near = around(count)
      return Answer(
        lines: near.map { ($0 == session.index ? "> " : "  ") + heading(session.records[$0]) },
        json: ["records": .array(near.map { json(session.records[$0]) })])
    case .help:
      return Answer(
        lines: DebugAction.summary.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
        json: ["help": .string(DebugAction.summary)])
    case .quit: return Answer(lines: [], json: [:])
    }
  }

  /// Indexes of the records around the place, `count` at most.
  func around(_ count: Int) -> Range<Int> {
    let total = session.records.count
    let start = max(0, min(session.index - count / 2, total - count))
    return start..<min(total, start + count)
  }

  /// A record in one line: revision, type, words.
  func heading(_ record: FlowRecord) -> String {
    let text = words[record.revision]?.words.printable ?? ""
    return "\(record.revision) \(record.event.type.printable) \(text)"
  }

  private mutating func moved(_ move: (inout ReplaySession) -> Bool) -> Answer {
    let isFound = move(&session)
    var json: [(String, JSON?)] = [("found", .bool(isFound)), ("record", self.json(session.record))]
    json.append(("status", session.status.map(JSON.string) ?? .null))
    let line = (session.status.map { "[\($0.printable)] " } ?? "") + heading(session.record)
    return Answer(
      lines: isFound ? [line] : ["not found; still at \(line)"], json: .members(json), isFound: isFound)
  }

  private func member(_ path: String) -> Answer {
    // The states of some kinds have no status of their own; it is read from their events.
    let status = path == "status" ? session.status.map(JSON.string) : nil
    guard let value = StateChange.value(at: path, in: session.state) ?? status else {
      return Answer(
        lines: ["the state has no \(path.printable) here"], json: ["path": .string(path), "value": .null],
        isFound: false)
    }
    return Answer(lines: StateText.lines(value), json: ["path": .string(path), "value": value])
  }

  private func why(_ path: String) -> Answer {
    guard let origin = session.origin(of: path) ?? (path == "status" ? statusOrigin : nil) else {
      return Answer(
        lines: ["the state has no \(path.printable) here"], json: ["path": .string(path), "value": .null],
        isFound: false)
    }
    let chain = session.causes(of: origin.revision)
    return Answer(
      lines: [StateText.line(origin.change) + ", since"] + chain.map { "  " + heading($0) },
      json: ["change": StateText.json(origin.change), "causes": .array(chain.map(json))])
  }

  /// The record that gave the sign-in the status that it has here; nil if it has none.
  private var statusOrigin: (revision: Int, change: StateChange)? {
    guard let status = session.status else { return nil }
    var earlier = session
    var revision = session.revision
    while earlier.stepBack(), earlier.status == status { revision = earlier.revision }
    let before = earlier.status == status ? nil : earlier.status.map(JSON.string)
    return (revision, StateChange(path: "status", before: before, after: .string(status)))
  }

  private func json(_ record: FlowRecord) -> JSON {
    .members([
      ("revision", .int(record.revision)), ("at", .string(record.at.description)), ("type", .string(record.event.type)),
      ("cause", record.cause.map(JSON.int)), ("words", (words[record.revision]?.words).map(JSON.string)),
      ("data", record.event.data),
    ])
  }

  private func stop(_ target: DebugAction.Target) -> ReplaySession.Stop {
    switch target {
    case .status(let status): return .status(status)
    case .anyStatus: return .nextStatus
    case .request(let text): return .request(text)
    case .type(let type): return .type(type)
    case .revision(let revision): return .revision(revision)
    case .text(let text):
      let words = words.mapValues(\.words)
      return .matching { record in
        record.event.type.contains(text) || record.event.data.text.contains(text)
          || words[record.revision]?.contains(text) == true
      }
    }
  }
}
