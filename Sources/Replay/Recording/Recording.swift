// The input of a replay: flows from a portable file or from a log.

public import EventStore
public import FlowKinds
public import FlowRecording

/// One recorded flow.
public struct RecordedFlow: Sendable, Hashable {
  /// The flow's stream.
  public var stream: String
  /// Its records in order.
  public var records: [FlowRecord]

  /// Makes a flow from its records.
  public init(stream: String, records: [FlowRecord]) {
    self.stream = stream
    self.records = records
  }

  /// The name of its kind; if it is not a flow, the type of its first event.
  package var kind: String {
    if case .flowStarted(let started) = records.first?.event { return started.kind }
    return records.first?.event.type ?? ""
  }
}

/// One flow, or a few that belong together.
public struct Recording: Sendable {
  /// Its name in messages: the file's path as given, or the flow's stream.
  public var name: String
  /// The flows, in the order in which they began; the other streams of a log are left out. Changing them removes the
  /// digests, which were made from them.
  public var flows: [RecordedFlow] { didSet { digests = nil } }
  /// Digests of the states and error texts when the recording was made, which a replay compares; nil if the recording
  /// has none.
  public var digests: RecordedDigests?

  /// Makes a recording from flows, without digests.
  public init(name: String, flows: [RecordedFlow]) {
    self.name = name
    self.flows = flows
  }

  /// Reads a portable recording.
  ///
  /// - Parameters:
  ///   - path: a `*.ndjson.lz4` file under a `slice` header.
  ///   - kinds: the kinds of flow that are known.
  /// - Throws: `ReplayError` if the file is missing, truncated, or not a recording.
  public init(contentsOf path: String, kinds: KindRegistry = .standard) throws(ReplayError) {
    var gathering = GatheredFlows(of: path, kinds)
    do throws(StoreError) {
      let header = try SliceFile.forEachRecord(path: path) { record throws(StoreError) in try gathering.add(record) }
      self.init(name: path, flows: try gathering.flows())
      digests = try RecordedDigests(header, of: path)
    } catch {
      throw ReplayError.unreadable(error)
    }
  }

  /// Reads a recording from its bytes: a portable one, or records as JSON Lines, plain or in an LZ4 frame. Plain ones
  /// may have a byte order mark, and CRLF at the ends of lines.
  ///
  /// - Parameters:
  ///   - name: its name in messages.
  ///   - bytes: the content of a file.
  ///   - kinds: the kinds of flow that are known.
  /// - Throws: `ReplayError` if the bytes are truncated, or not a recording.
  public init(name: String, bytes: [UInt8], kinds: KindRegistry = .standard) throws(ReplayError) {
    var gathering = GatheredFlows(of: name, kinds)
    do throws(StoreError) {
      let header = try SliceFile.forEachRecord(in: LineEndings.plain(bytes)) { record throws(StoreError) in
        try gathering.add(record)
      }
      self.init(name: name, flows: try gathering.flows())
      digests = try header.flatMap { header throws(StoreError) in try RecordedDigests(header, of: name) }
    } catch {
      var error = error
      error.file = name
      throw ReplayError.unreadable(error)
    }
  }

  /// Reads one flow of a log.
  ///
  /// - Throws: `ReplayError` if there is no such flow, or the log cannot be read.
  public init(flow stream: String, of log: LogReader, kinds: KindRegistry = .standard) throws(ReplayError) {
    do throws(StoreError) {
      let records = try log.records(of: stream)
      guard !records.isEmpty else {
        throw StoreError(
          .noSuchPosition, "there is no flow '\(stream)'", file: log.directory, advice: "list them with: auditctl flows"
        )
      }
      try self.init(name: stream, records: records, kinds: kinds)
    } catch {
      throw ReplayError.unreadable(error)
    }
  }

  /// Makes a recording from the records of one or several flows.
  ///
  /// - Throws: `StoreError` if a stream's records are not those of a flow, or do not follow one another.
  public init(name: String, records: [StoredRecord], kinds: KindRegistry = .standard) throws(StoreError) {
    var gathering = GatheredFlows(of: name, kinds)
    for record in records { try gathering.add(record) }
    self.init(name: name, flows: try gathering.flows())
  }
}

/// Why something cannot be replayed at all.
public enum ReplayError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The recording cannot be read.
  case unreadable(StoreError)
  /// The recording holds no flow.
  case empty(name: String)
  /// A flow does not begin with a `flow.started` of a kind that this build knows.
  case unknownKind(stream: String, kind: String)
  /// The events of a flow begin at this revision, without its `flow.started`.
  case noBeginning(stream: String, revision: Int)

  /// Why a flow has no known kind.
  package static func noKind(of flow: RecordedFlow) -> ReplayError {
    if let first = flow.records.first, first.revision > 0, first.event.type != FlowStarted.type {
      return .noBeginning(stream: flow.stream, revision: first.revision)
    }
    return .unknownKind(stream: flow.stream, kind: flow.kind)
  }

  /// One sentence: what, where, and what to do.
  public var description: String {
    switch self {
    case .unreadable(let error): error.description
    case .empty(let name): "\(name) holds no flow to replay"
    // The type of a runtime event whose version this program does not know.
    case .unknownKind(let stream, FlowStarted.type):
      "flow \(stream) begins with a flow.started of a version that this program does not know, so a later version of it "
        + "recorded the flow: use that one; auditctl show prints its events"
    case .unknownKind(let stream, let kind):
      "flow \(stream) is of kind '\(kind)', which this version does not replay: an application wrote it by itself, or another "
        + "version recorded it; auditctl show prints its events"
    case .noBeginning(let stream, let revision):
      "the beginning of flow \(stream) is missing, or stands behind other events, so it cannot be replayed: the first "
        + "event is at revision \(revision); export the flow again from its log"
    }
  }
}
