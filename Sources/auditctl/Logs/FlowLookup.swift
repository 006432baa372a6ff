// Finds a flow's records by a name that a person typed.

import AuditReports
import EventStore
import FlowRecording
import ReadModel

/// A flow that was found in one of some logs.
struct FoundFlow<Log: RecordReading> {
  var log: Log
  var stream: String
  var records: [StoredRecord]
}

/// Finds flows by stream, id or the beginning of either.
enum FlowLookup {
  /// The flow that a name refers to.
  ///
  /// - Throws: exit 66 if there is none, 64 if the name fits several.
  ///
  /// - Parameters:
  ///   - name: the stream, its id, the beginning of either, or `last` for the flow that began last.
  ///   - logs: where to look.
  ///   - known: the streams that the name may mean, if an index has them; else the logs are read for all.
  ///   - listing: the command that lists the flows there are.
  static func find<Log: RecordReading>(
    _ name: String, in logs: [Log], known: (() throws -> [(stream: String, log: Log)])? = nil,
    listing: String = "auditctl flows --store DIR"
  ) throws -> FoundFlow<Log> {
    // A cell that was cut ends so: pasted, it means the flow whose name begins with it.
    let name = name.hasSuffix("…") ? String(name.dropLast()) : name
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
    let streams = name.isEmpty ? [] : try known.map { try $0() } ?? candidates(name, in: logs)
    if name == "last", let last = try Self.last(of: streams) {
      return FoundFlow(log: last.log, stream: last.stream, records: try last.log.records(of: last.stream))
    }
    switch FlowReference.match(name, in: streams.map(\.stream)) {
    case .one(let stream):
      guard let place = streams.first(where: { ByteName.isSame($0.stream, stream) }) else { break }
      return FoundFlow(log: place.log, stream: stream, records: try place.log.records(of: stream))
    case .several(let count):
      let named = FlowReference.candidates(name, in: streams.map(\.stream)).sorted().prefix(4)
      let more = named.count < count ? " and \(count - named.count) more" : ""
      throw CommandFailure(
        .usage,
        "'\(name.printable)' is the beginning of \(count) flows: \(named.map(\.printable).joined(separator: ", "))\(more); "
          + "give one of these")
    case .none: break
    }
    let places = logs.map(\.directory).joined(separator: ", ")
    throw CommandFailure(
      .notFound, "there is no flow '\(name)' in \(places); list them with: \(listing)")
  }

  /// The flow of that name; without `--store`, the one flow of the recording file of that name.
  static func find(
    _ name: String, in stores: StoresOption, _ index: IndexOption? = nil
  ) throws -> FoundFlow<LogSource> {
    if stores.directories.isEmpty { try refuse(name) }
    guard stores.directories.isEmpty, InputFile.isFile(name) else {
      let sources = try stores.sources()
      // Opened only if the whole name is not that of a flow.
      return try find(name, in: sources) {
        guard let index = try index?.existing(for: sources) else { return try candidates(name, in: sources) }
        return try (name == "last" ? index.latest() : index.streams(beginning: name)).map {
          ($0.stream, sources[$0.store])
        }
      }
    }
    let source = try LogSource(path: name, keepsGoing: stores.keepsGoing)
    let streams = try streams(of: [source]).map(\.stream)
    guard let stream = streams.first, streams.count == 1 else {
      throw CommandFailure(
        .usage, "\(name) holds \(streams.count) flows; name one, with --store \(name)")
    }
    return try find(stream, in: [source])
  }

  /// Refuses what can only mean a file, and is none.
  private static func refuse(_ name: String) throws(CommandFailure) {
    if FileMode(of: name)?.isDirectory == true {
      throw CommandFailure(
        .notFound, "\(name.printable) is a directory; name a flow, and give the store with --store")
    }
    let endings = [".lz4", ".ndjson", ".jsonl", ".json"]
    let isPath = endings.contains(where: name.hasSuffix) || name.contains("/") && !isStream(name)
    guard isPath, !InputFile.isFile(name) else { return }
    throw CommandFailure(
      .notFound, "there is no file \(name.printable); check the path, or name the flow's store with --store")
  }

  /// Whether a name with a slash may be that of a flow: its kind stands before the slash.
  private static func isStream(_ name: String) -> Bool {
    name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
      .map { FilterWords.kinds.contains($0) } ?? false
  }

  /// The streams that a name may mean: for `last` the flow of each log that began last, if there is one.
  private static func candidates<Log: RecordReading>(
    _ name: String, in logs: [Log]
  ) throws -> [(stream: String, log: Log)] {
    let last = try name == "last" ? latest(of: logs) : []
    return try last.isEmpty ? streams(of: logs) : last
  }

  /// The flow of each log that began last, of several that began at once the last in the order of the log.
  private static func latest<Log: RecordReading>(of logs: [Log]) throws -> [(stream: String, log: Log)] {
    var found: [(stream: String, log: Log)] = []
    for log in logs {
      var last: (stream: String, at: Timestamp)?
      try log.forEach { record throws(StoreError) in
        guard record.revision == 0, record.type == FlowStarted.type else { return }
        if let last, last.at > record.at { return }
        last = (record.stream, record.at)
      }
      if let last { found.append((last.stream, log)) }
    }
    return found
  }

  /// The flow that began last, of the last of each log.
  private static func last<Log: RecordReading>(
    of streams: [(stream: String, log: Log)]
  ) throws -> (stream: String, log: Log)? {
    var last: (stream: String, log: Log, at: Timestamp)?
    var seen: Set<String> = []
    for place in streams.reversed() where !seen.contains(place.log.directory) {
      guard let first = try place.log.records(of: place.stream).first, first.type == FlowStarted.type else { continue }
      seen.insert(place.log.directory)
      if let known = last, known.at >= first.at { continue }
      last = (place.stream, place.log, first.at)
    }
    return last.map { ($0.stream, $0.log) }
  }

  /// Every stream of some logs but the store's own, in the order in which they began.
  static func streams<Log: RecordReading>(of logs: [Log]) throws -> [(stream: String, log: Log)] {
    try logs.flatMap { log in
      try log.streams().filter { !ByteName.isSame($0, LogFacts.ownStream) }.map { ($0, log) }
    }
  }
}
