// The event types of the runtime in one closed list, with a case for those of a flow's kind: unknown types stay
// readable.

public import EventStore

/// One event of a flow.
public indirect enum FlowEvent: Sendable, Hashable {
  /// `flow.started`
  case flowStarted(FlowStarted)
  /// `flow.ended`
  case flowEnded(FlowEnded)
  /// `note.added`
  case noteAdded(NoteAdded)
  /// `call.made`
  case callMade(CallMade)
  /// `call.returned`
  case callReturned(CallReturned)
  /// `request.sent`
  case requestSent(RequestSent)
  /// `response.received`
  case responseReceived(ResponseReceived)
  /// `request.failed`
  case requestFailed(RequestFailed)
  /// `draw.asked`
  case drawAsked(DrawAsked)
  /// `draw.made`
  case drawMade(DrawMade)
  /// `timer.set`
  case timerSet(TimerSet)
  /// `timer.fired`
  case timerFired(TimerFired)
  /// An event of the flow's kind, or of a type or version that this build does not know.
  case domain(DomainEvent)

  /// Reads an event.
  ///
  /// - Throws: `EventError` if the type is known and its data does not fit.
  public init(type: String, version: Int, data: JSON) throws(EventError) {
    guard version == 1 else {
      self = .domain(DomainEvent(type: type, version: version, data: data))
      return
    }
    switch type {
    case FlowStarted.type: self = .flowStarted(try FlowStarted(data: data))
    case FlowEnded.type: self = .flowEnded(try FlowEnded(data: data))
    case NoteAdded.type: self = .noteAdded(try NoteAdded(data: data))
    case CallMade.type: self = .callMade(try CallMade(data: data))
    case CallReturned.type: self = .callReturned(try CallReturned(data: data))
    case RequestSent.type: self = .requestSent(try RequestSent(data: data))
    case ResponseReceived.type: self = .responseReceived(try ResponseReceived(data: data))
    case RequestFailed.type: self = .requestFailed(try RequestFailed(data: data))
    case DrawAsked.type: self = .drawAsked(try DrawAsked(data: data))
    case DrawMade.type: self = .drawMade(try DrawMade(data: data))
    case TimerSet.type: self = .timerSet(try TimerSet(data: data))
    case TimerFired.type: self = .timerFired(try TimerFired(data: data))
    default: self = .domain(DomainEvent(type: type, version: version, data: data))
    }
  }

  /// The type's name and its schema version in the log.
  package var identity: (type: String, version: Int) {
    switch self {
    case .flowStarted: (FlowStarted.type, FlowStarted.version)
    case .flowEnded: (FlowEnded.type, FlowEnded.version)
    case .noteAdded: (NoteAdded.type, NoteAdded.version)
    case .callMade: (CallMade.type, CallMade.version)
    case .callReturned: (CallReturned.type, CallReturned.version)
    case .requestSent: (RequestSent.type, RequestSent.version)
    case .responseReceived: (ResponseReceived.type, ResponseReceived.version)
    case .requestFailed: (RequestFailed.type, RequestFailed.version)
    case .drawAsked: (DrawAsked.type, DrawAsked.version)
    case .drawMade: (DrawMade.type, DrawMade.version)
    case .timerSet: (TimerSet.type, TimerSet.version)
    case .timerFired: (TimerFired.type, TimerFired.version)
    case .domain(let event): (event.type, event.version)
    }
  }

  /// The type's name in the log.
  public var type: String { identity.type }

  /// The schema version.
  public var version: Int { identity.version }

  /// The data as recorded.
  public var data: JSON {
    switch self {
    case .flowStarted(let event): event.data
    case .flowEnded(let event): event.data
    case .noteAdded(let event): event.data
    case .callMade(let event): event.data
    case .callReturned(let event): event.data
    case .requestSent(let event): event.data
    case .responseReceived(let event): event.data
    case .requestFailed(let event): event.data
    case .drawAsked(let event): event.data
    case .drawMade(let event): event.data
    case .timerSet(let event): event.data
    case .timerFired(let event): event.data
    case .domain(let event): event.data
    }
  }

  /// Whether the event must be in the log before its step is performed, because something leaves the machine or reaches
  /// the application (DESIGN §2 rule 3). A new case does not compile until it is decided here.
  public var needsBarrier: Bool {
    switch self {
    case .requestSent, .callReturned, .drawAsked: true
    case .flowStarted, .flowEnded, .noteAdded, .callMade, .responseReceived, .requestFailed, .drawMade, .timerSet,
      .timerFired:
      false
    case .domain(let event): event.needsBarrier
    }
  }

  /// Whether the event comes from outside the core in every context. A `draw.made` does if it answers a `draw.asked`.
  public var isInput: Bool {
    switch self {
    case .flowStarted, .callMade, .responseReceived, .requestFailed, .timerFired, .noteAdded: true
    case .drawMade, .flowEnded, .callReturned, .requestSent, .drawAsked, .timerSet, .domain: false
    }
  }
}

extension FlowEvent {
  /// Makes an event of a kind.
  public static func domain(_ payload: some DomainPayload) -> FlowEvent { .domain(DomainEvent(payload)) }
}
