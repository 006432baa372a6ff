// What a logger of swift-log receives from the records of a flow.

import EventStore
import Logging

/// A log handler that keeps the lines it receives.
private final class KeptLog: LogHandler {
  let kept = Locked<[String]>([])

  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logger.Level {
    get { .trace }
    set {}
  }
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    let named = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
    kept.withLock { $0.append("\(event.level.rawValue) \(event.message) \(named)") }
  }
}

extension RuntimeTables {
  /// Each event with all possible members, and the level of each line.
  static var logged: [String] {
    let handler = KeptLog()
    let logger = Logger(label: "tables") { _ in handler }
    let lines = FlowLines(kinds: KindRegistry(), logger: logger)
    let events = documents.compactMap { type, text -> FlowEvent? in
      (try? JSON(parsing: Array(text.utf8))).flatMap { try? FlowEvent(type: type, version: 1, data: $0) }
    }
    let ids = DomainEvent(type: "probe.told", version: 1, data: ["transactionId": "t", "httpStatus": 5, "name": "Ann"])
    let records = (events + [FlowEvent.domain(ids)]).enumerated().map { number, event in
      FlowRecord(revision: number, at: Timestamp(microseconds: 0), cause: nil, event: event)
    }
    lines.observe(records, of: "probe/1")
    let kept = handler.kept.withLock { $0 }
    return kept + FlowLine.Level.allCases.map { line("level \($0.rawValue)", Logger.Level($0).rawValue) }
  }
}
