// The kinds of flow that a reader knows.

public import EventStore

/// Kinds of flow by their names. Readers take one; `KindRegistry.standard` has the kinds of this package.
///
/// ```swift
/// let kinds = KindRegistry.standard.adding(MagicLinkKind.self)
/// let report = try Replay.report(on: recordings, kinds: kinds)
/// ```
public struct KindRegistry: Sendable {
  private var kinds: [String: any FlowKind.Type] = [:]

  /// Makes a registry of some kinds. Of two with the same name, the later one counts.
  public init(_ kinds: [any FlowKind.Type] = []) {
    for kind in kinds { self.kinds[kind.name] = kind }
  }

  /// Returns a registry with one more kind, which replaces any kind of the same name.
  public func adding(_ kind: any FlowKind.Type) -> KindRegistry {
    var registry = self
    registry.kinds[kind.name] = kind
    return registry
  }

  /// The kinds, in the order of their names.
  public var all: [any FlowKind.Type] { kinds.sorted { $0.key < $1.key }.map(\.value) }

  /// The kind with this name; nil if it is unknown.
  public subscript(name: String) -> (any FlowKind.Type)? { kinds[name] }

  /// The kind of a flow according to its first record; nil if that is not a `flow.started`, or if the kind is unknown.
  public func kind(of records: [FlowRecord]) -> (any FlowKind.Type)? {
    guard case .flowStarted(let started) = records.first?.event else { return nil }
    return kinds[started.kind]
  }

  /// Reads the records of one stream, including the events of its kind.
  ///
  /// - Parameters:
  ///   - records: the stream in order.
  ///   - allowingGaps: whether revisions may be missing or out of order, as in a recording that was edited.
  /// - Throws: `StreamError` if a revision is missing and may not be, data is not JSON, or an event does not fit its type.
  public func decode(
    _ records: [StoredRecord], allowingGaps: Bool = false
  ) throws(StreamError) -> [FlowRecord] {
    let flow = try EventCoding.decode(records, allowingGaps: allowingGaps)
    try check(flow, of: records.first?.stream ?? "")
    return flow
  }

  /// Checks the data of the events of a flow's kind.
  ///
  /// - Throws: `StreamError` if one does not fit its type.
  package func check(_ flow: [FlowRecord], of stream: String) throws(StreamError) {
    guard let kind = kind(of: flow) else { return }
    for record in flow {
      guard case .domain(let event) = record.event else { continue }
      do {
        try kind.check(event)
      } catch {
        throw StreamError(stream: stream, revision: record.revision, reason: error.description)
      }
    }
  }
}

extension FlowKind {
  /// Checks the data of an event of the kind.
  ///
  /// - Throws: `EventError` if it does not.
  static func check(_ event: DomainEvent) throws(EventError) {
    try declarations.first { $0.type == event.type && $0.version == event.version }?.check(event.data)
  }
}
