// What replay, reports and `auditctl` need to know about a kind of flow in addition to its core. Registered once, in a
// `KindRegistry`.

public import EventStore

/// A kind of flow as its readers see it.
///
/// The core defines what a flow is and does. The kind defines how it is read: the events it adds, its state as JSON,
/// and its description in words.
public protocol FlowKind: Sendable {
  /// The state, and what follows from an input. Its `kind` is the kind's name.
  associatedtype Core: FlowCore
  /// Describes the kind's events in words for a timeline.
  associatedtype Narrator: FlowNarrator = PlainNarrator

  /// The event types that the kind adds to those of the runtime. If the data of such an event is invalid, reading the
  /// stream fails; unlisted types are kept as they are.
  static var events: [any DomainPayload.Type] { get }

  /// All event types, including those without a Swift type; by default those of `events`.
  static var declarations: [EventDeclaration] { get }

  /// The names of the calls that its facade makes, for reports on the coverage of recordings; none by default.
  static var calls: [String] { get }

  /// Facts of the kind that are independent of flows, by subject, as lines: its words and their meanings, and the
  /// results for made-up tokens. None by default. The SDK's own recordings contain digests of them, so that a replay
  /// detects changes that no recorded event would show.
  static var tables: [String: Set<String>] { get }

  /// The state by the names of its members, with secrets as placeholders: what `auditctl show --at` prints. It must be
  /// the same in every process, with dictionaries in a fixed order, because recordings that serve as tests contain
  /// digests of its text.
  static func state(of core: Core) -> JSON

  /// Adds the facts of an event about the sign-in, for lists of flows.
  ///
  /// - Parameters:
  ///   - type: the event's type.
  ///   - data: reads the event's data. It parses, so call it only for relevant types.
  ///   - facts: the facts known so far.
  static func note(_ type: String, _ data: () -> JSON, in facts: inout SignInFacts)

  /// The pushes that a flow waited for or answered, in order; none by default.
  static func pushes(in records: [FlowRecord]) -> [PushSighting]

  /// Whether an application would make a recorded call in a flow that took another course: `auditctl replay --edit`
  /// leaves out the others. By default it would.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - core: the state of the flow now.
  ///   - held: the state of the object that it would be made on.
  ///   - recorded: the state of the object that it was made on.
  static func isDue(_ call: CallMade, in core: Core, on held: Core, as recorded: Core) -> Bool
}

extension FlowKind {
  /// No typed events: the kind declares its events by `declarations`.
  public static var events: [any DomainPayload.Type] { [] }

  /// The event types of `events`.
  public static var declarations: [EventDeclaration] { events.map(EventDeclaration.init) }

  /// No calls.
  public static var calls: [String] { [] }

  /// No tables.
  public static var tables: [String: Set<String>] { [:] }

  /// No pushes.
  public static func pushes(in records: [FlowRecord]) -> [PushSighting] { [] }

  /// Always.
  public static func isDue(_ call: CallMade, in core: Core, on held: Core, as recorded: Core) -> Bool { true }

  /// Adds an event to the facts of its flow, as lists do: both the kind's part and the part common to all kinds.
  package static func note(_ record: FlowRecord, in facts: inout SignInFacts) {
    facts.now = record.at
    switch record.event {
    case .flowEnded: facts.giveUp()
    case .callReturned(let returned):
      if case .failed(let code, let details) = returned.outcome { facts.fail(error: code, details: details) }
    case .flowStarted, .noteAdded, .callMade, .requestSent, .responseReceived, .requestFailed, .timerSet, .timerFired,
      .drawAsked, .drawMade, .domain:
      break
    }
    note(record.event.type, { record.event.data }, in: &facts)
  }

  /// The kind's name in streams and in `flow.started`: `authn`.
  public static var name: String { Core.kind }

  /// The masking policy of the kind.
  public static var policy: MaskingPolicy { Core.policy }

  /// The state that records fold to, as JSON.
  public static func state(folding records: some Sequence<FlowRecord>) -> JSON { state(of: Core.folding(records)) }
}
