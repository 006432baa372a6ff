// Navigates a recorded flow: forward, back, the state at any revision, and its causes.

public import EventStore
public import FlowKinds
public import FlowRecording

/// A place in a recorded flow. The shown state is folded from the recording; nothing is run and nothing is sent.
///
/// ```swift
/// var session = try ReplaySession(recording.flows[0])
/// session.run(until: .status("MFA_CHALLENGE"))
/// print(session.state["status"] ?? .null)
/// for record in session.causes(of: session.revision) { print(record.event.type) }
/// ```
public struct ReplaySession: Sendable {
  /// Where a run stops.
  public enum Stop: Sendable {
    /// At the record with this revision.
    case revision(Int)
    /// When the sign-in gets this status, regardless of case: `MFA_CHALLENGE`, `identify`.
    case status(String)
    /// At any change of the status.
    case nextStatus
    /// At a request whose URL holds this text; at any request for `""`.
    case request(String)
    /// At an event of this type.
    case type(String)
    /// At a record that fulfills this condition.
    case matching(@Sendable (FlowRecord) -> Bool)
  }

  /// The flow's stream.
  public let stream: String
  /// The records of the flow, in order; at least one.
  public let records: [FlowRecord]
  /// The index of the record that was folded last.
  public private(set) var index = 0
  /// The status after each record.
  private let statuses: [String?]
  private let kind: any FlowKind.Type
  private let states: FoldedStates
  /// Where each record stands, by its revision.
  private let places: [Int: Int]

  /// Begins at the first record of a flow. Cost: folds the flow once, and keeps a state for every 64 records, 128 at
  /// most.
  ///
  /// - Throws: `ReplayError` if the flow has no record, or is of a kind that is not in `kinds`.
  public init(_ flow: RecordedFlow, kinds: KindRegistry = .standard) throws(ReplayError) {
    guard !flow.records.isEmpty else { throw .empty(name: flow.stream) }
    guard let kind = kinds.kind(of: flow.records) else { throw .noKind(of: flow) }
    stream = flow.stream
    records = flow.records
    self.kind = kind
    places = Dictionary(flow.records.enumerated().map { ($0.element.revision, $0.offset) }) { first, _ in first }
    var facts = SignInFacts()
    statuses = flow.records.map { record in
      kind.note(record.event.type, { record.event.data }, in: &facts)
      return facts.status
    }
    states = FoldedStates(flow.records, of: kind)
  }

  // MARK: Where it stands

  /// The record that was folded last.
  public var record: FlowRecord { records[index] }
  /// Its revision.
  public var revision: Int { record.revision }
  /// The status of the sign-in there; `nil` before the first.
  public var status: String? { statuses[index] }
  /// The state there, secrets as placeholders.
  public var state: JSON { states[index] }

  /// The state at a revision.
  ///
  /// - Returns: `nil` if the flow has no such revision.
  public func state(at revision: Int) -> JSON? { place(of: revision).map { states[$0] } }

  // MARK: Moving

  /// Goes forward by one record.
  ///
  /// - Returns: whether there was one.
  @discardableResult public mutating func step() -> Bool {
    guard index + 1 < records.count else { return false }
    index += 1
    return true
  }

  /// Goes back by one record.
  ///
  /// - Returns: whether there was one.
  @discardableResult public mutating func stepBack() -> Bool {
    guard index > 0 else { return false }
    index -= 1
    return true
  }

  /// Goes forward to the next record that fits.
  ///
  /// - Returns: whether there is one; else the place stays.
  @discardableResult public mutating func run(until stop: Stop) -> Bool {
    move(to: (index + 1..<max(records.count, index + 1)).first { fits(stop, at: $0) })
  }

  /// Goes back to the nearest record before that fits.
  ///
  /// - Returns: whether there is one; else the place stays.
  @discardableResult public mutating func runBack(to stop: Stop) -> Bool {
    move(to: (0..<index).last { fits(stop, at: $0) })
  }

  /// Goes to a revision, forward or back.
  ///
  /// - Returns: whether the flow has it; else the place stays.
  @discardableResult public mutating func go(to revision: Int) -> Bool { move(to: place(of: revision)) }

  /// Goes to the last record.
  public mutating func goToEnd() { index = records.count - 1 }

  private mutating func move(to place: Int?) -> Bool {
    guard let place else { return false }
    index = place
    return true
  }

  private func place(of revision: Int) -> Int? { places[revision] }

  private func fits(_ stop: Stop, at place: Int) -> Bool {
    let record = records[place]
    switch stop {
    case .revision(let revision): return record.revision == revision
    case .status(let status):
      return statuses[place]?.lowercased() == status.lowercased() && changesStatus(at: place)
    case .nextStatus: return changesStatus(at: place)
    case .request(let text):
      guard case .requestSent(let request) = record.event else { return false }
      return text.isEmpty || request.url.contains(text)
    case .type(let type): return record.event.type == type
    case .matching(let isMatch): return isMatch(record)
    }
  }

  private func changesStatus(at place: Int) -> Bool {
    statuses[place] != nil && (place == 0 || statuses[place] != statuses[place - 1])
  }

  // MARK: What changed, and why

  /// What the last record changed in the state.
  public var changes: [StateChange] { index == 0 ? [] : StateChange.between(states[index - 1], states[index]) }

  /// The differences of the state between two revisions.
  ///
  /// - Returns: `nil` if the flow lacks one of them.
  public func changes(from old: Int, to new: Int) -> [StateChange]? {
    guard let old = state(at: old), let new = state(at: new) else { return nil }
    return StateChange.between(old, new)
  }

  /// The record with a revision and its chain of causes: the record that it answers, then the one which that record
  /// answers, and so on. The latest comes first.
  public func causes(of revision: Int) -> [FlowRecord] {
    var chain: [FlowRecord] = []
    var next: Int? = revision
    while let revision = next, let place = place(of: revision) {
      let record = records[place]
      chain.append(record)
      // Only an earlier record can be a cause; a crafted recording may say otherwise.
      next = record.cause.flatMap { $0 < revision ? $0 : nil }
      // The effects of a call may have begun with a request of an earlier call's status.
      if next == nil, case .callMade(let made) = record.event { next = made.on.flatMap { $0 < revision ? $0 : nil } }
    }
    return chain
  }

  /// The record that gave a member of the state the value that it has here. Cost: the states since then, and as many
  /// before; in a long flow these states lack most of the earlier records.
  ///
  /// - Parameter path: the member: `status`, `cookies[0].value`.
  /// - Returns: the revision and the change, or `nil` if the state has no such member here.
  public func origin(of path: String) -> (revision: Int, change: StateChange)? {
    guard let value = StateChange.value(at: path, in: state) else { return nil }
    let isSame = { (state: JSON) in StateChange.value(at: path, in: state) == value }
    let start =
      startPastIdleCalls(of: path, isSame) ?? startByRecentRecords(isSame)
      ?? states.start(ofStretchTo: index, where: isSame)
    let before = start > 0 ? StateChange.value(at: path, in: states[start - 1]) : nil
    return (records[start].revision, StateChange(path: path, before: before, after: value))
  }

  /// A flow with fewer idle calls has small states.
  private static let manyIdleCalls = 100
  /// How many whole states between a member's origin and the place must agree with the result found without the idle
  /// calls.
  private static let checkedStates = 16

  /// The beginning of the stretch in which a member has its value, found in states without idle calls, for flows with
  /// so many of these that each whole state is large.
  ///
  /// - Returns: `nil` if there are few, or if the whole states disagree because the member depends on them.
  private func startPastIdleCalls(of path: String, _ isSame: (JSON) -> Bool) -> Int? {
    var idle = IdleCalls.revisions(in: records[...index])
    for part in path.split(whereSeparator: { !$0.isNumber }) { if let number = Int(part) { idle.remove(number) } }
    guard idle.count >= Self.manyIdleCalls else { return nil }
    let start = FoldedStates(Array(records[...index]), of: kind, givingUp: idle)
      .start(ofStretchTo: index, where: isSame)
    guard start == 0 || !isSame(states[start - 1]) else { return nil }
    let step = max(1, (index - start) / Self.checkedStates)
    return stride(from: start, through: index, by: step).allSatisfy { isSame(states[$0]) } ? start : nil
  }

  /// A flow with fewer records has small states.
  private static let manyRecords = 1_000
  /// How many places are tried at which, according to a state without the earlier records, the member changed.
  private static let mostPlaces = 64

  /// The beginning of the stretch in which a member has its value, found in states without most of the earlier records:
  /// whole states may list everything that the flow had, thousands of times.
  ///
  /// - Returns: `nil` if there are few records, or if the whole states disagree because the member depends on earlier
  ///   records.
  private func startByRecentRecords(_ isSame: (JSON) -> Bool) -> Int? {
    guard index >= Self.manyRecords else { return nil }
    let recent = FoldedStates(recent: records, of: kind)
    guard isSame(recent[index]) else { return nil }
    var start = index
    for _ in 0..<Self.mostPlaces {
      start = recent.start(ofStretchTo: start, where: isSame)
      guard start > 0, isSame(states[start - 1]) else {
        let step = max(1, (index - start) / (4 * Self.checkedStates))
        return stride(from: start, through: index, by: step).allSatisfy { isSame(states[$0]) } ? start : nil
      }
      // The state before has the same value after all.
      start -= 1
    }
    return nil
  }
}
