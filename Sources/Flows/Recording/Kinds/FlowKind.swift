// What replay, reports and `auditctl` need to know of a kind of flow beside its core. Registered once, in a
// `KindRegistry`.

public import EventStore

/// A kind of flow as its readers see it.
///
/// The core says what a flow is and does; the kind says how that is read: which events it has of its own, what its
/// state looks like as JSON, and how it is put into words.
public protocol FlowKind: Sendable {
  /// The state, and what follows from an input. Its `kind` is the kind's name.
  associatedtype Core: FlowCore
  /// Puts the kind's events into words for a time line.
  associatedtype Narrator: FlowNarrator = PlainNarrator

  /// The event types that the kind has beside those of the runtime. An event of one of them whose data does not fit is
  /// an error when a stream is read; types that are not listed are kept as they are.
  static var events: [any DomainPayload.Type] { get }

  /// The same with those that have no type of their own; what `events` lists unless the kind says otherwise.
  static var declarations: [EventDeclaration] { get }

  /// The names of the calls that its facade makes, for reports on what recordings reach; none unless the kind says
  /// otherwise.
  static var calls: [String] { get }

  /// What the kind knows without a flow, by subject, in lines: its words, what they mean, what becomes of made-up
  /// tokens. None unless the kind says otherwise. The SDK's own recordings have digests of it, so that a replay finds a
  /// change of it that no recorded event would show.
  static var tables: [String: Set<String>] { get }

  /// The state by the names of its members, secrets as placeholders: what `auditctl show --at` prints. The same in
  /// every process: recordings that are kept as tests have digests of its text, so that members of a dictionary must be
  /// in an order.
  static func state(of core: Core) -> JSON

  /// Takes up what an event says of the person who signs in, for lists of flows.
  ///
  /// - Parameters:
  ///   - type: the event's type.
  ///   - data: reads the event's data; costs a parse, so call it for the types that matter.
  ///   - facts: the facts known so far.
  static func note(_ type: String, _ data: () -> JSON, in facts: inout SignInFacts)

  /// The pushes that a flow waited for or answered, in order; none unless the kind says otherwise.
  static func pushes(in records: [FlowRecord]) -> [PushSighting]
}

extension FlowKind {
  /// None with a type of its own: the kind declares its events by `declarations`.
  public static var events: [any DomainPayload.Type] { [] }

  /// Those of `events`.
  public static var declarations: [EventDeclaration] { events.map(EventDeclaration.init) }

  /// None are listed.
  public static var calls: [String] { [] }

  /// None are listed.
  public static var tables: [String: Set<String>] { [:] }

  /// No flow of the kind sees a push.
  public static func pushes(in records: [FlowRecord]) -> [PushSighting] { [] }

  /// Takes up an event in the facts of its flow, as lists do: what the kind notes of it, and what every kind has in
  /// common.
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

  /// What may be written of the kind's messages.
  public static var policy: MaskingPolicy { Core.policy }

  /// The state that records fold to, as JSON.
  public static func state(folding records: some Sequence<FlowRecord>) -> JSON { state(of: Core.folding(records)) }
}
