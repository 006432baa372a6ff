// From what a person typed to a flow's records.

import AuditReports
import EventStore

/// A flow that was found in one of some logs.
struct FoundFlow {
  var log: LogReader
  var stream: String
  var records: [StoredRecord]
}

/// Finds flows by stream, id or the beginning of either.
enum FlowLookup {
  /// The flow that a name means.
  ///
  /// - Throws: exit 66 where there is none, 64 where the name fits several.
  static func find(_ name: String, in logs: [LogReader]) throws -> FoundFlow {
    // The whole name needs no look at the other flows.
    for log in logs {
      do throws(StoreError) {
        let records = try log.records(of: name)
        if !records.isEmpty { return FoundFlow(log: log, stream: name, records: records) }
      } catch {
        if error.code == .pruned { throw error }
      }
    }
    // Every name begins with nothing.
    let streams = name.isEmpty ? [] : try streams(of: logs)
    switch FlowReference.match(name, in: streams.map(\.stream)) {
    case .one(let stream):
      guard let place = streams.first(where: { ByteName.isSame($0.stream, stream) }) else { break }
      return FoundFlow(log: place.log, stream: stream, records: try place.log.records(of: stream))
    case .several(let count):
      throw CommandFailure(
        .usage, "'\(name)' is the beginning of \(count) flows; give more of it, as auditctl flows prints it")
    case .none: break
    }
    let places = logs.map(\.directory).joined(separator: ", ")
    throw CommandFailure(
      .notFound, "there is no flow '\(name)' in \(places); list them with: auditctl flows --store DIR")
  }

  /// Every stream of some logs but the store's own, in the order in which they began.
  static func streams(of logs: [LogReader]) throws -> [(stream: String, log: LogReader)] {
    var found: [(stream: String, log: LogReader)] = []
    for log in logs {
      var seen: Set<ByteName> = [ByteName(LogFacts.ownStream)]
      try log.forEachRecord { record, line in
        let stream = record.stream(in: line)
        if seen.insert(ByteName(stream)).inserted { found.append((stream, log)) }
        return true
      }
    }
    return found
  }
}
