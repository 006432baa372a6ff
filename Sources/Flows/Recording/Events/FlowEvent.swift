// All event types in one closed list, with a place for those of other versions: an unknown type stays readable.

public import EventStore

/// One event of a flow.
public enum FlowEvent: Sendable, Hashable {
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
  /// `status.changed`
  case statusChanged(StatusChanged)
  /// `factor.updated`
  case factorUpdated(FactorUpdated)
  /// `remediation.changed`
  case remediationChanged(RemediationChanged)
  /// `message.shown`
  case messageShown(MessageShown)
  /// `token.issued`
  case tokenIssued(TokenIssued)
  /// A type or version that this build does not know.
  case unknown(type: String, version: Int, data: JSON)

  /// Reads an event.
  ///
  /// - Throws: `EventError` where the type is known and its data does not fit.
  public init(type: String, version: Int, data: JSON) throws(EventError) {
    guard version == 1 else {
      self = .unknown(type: type, version: version, data: data)
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
    case StatusChanged.type: self = .statusChanged(try StatusChanged(data: data))
    case FactorUpdated.type: self = .factorUpdated(try FactorUpdated(data: data))
    case RemediationChanged.type: self = .remediationChanged(try RemediationChanged(data: data))
    case MessageShown.type: self = .messageShown(try MessageShown(data: data))
    case TokenIssued.type: self = .tokenIssued(try TokenIssued(data: data))
    default: self = .unknown(type: type, version: version, data: data)
    }
  }

  private var payload: (any EventPayload)? {
    switch self {
    case .flowStarted(let event): event
    case .flowEnded(let event): event
    case .noteAdded(let event): event
    case .callMade(let event): event
    case .callReturned(let event): event
    case .requestSent(let event): event
    case .responseReceived(let event): event
    case .requestFailed(let event): event
    case .drawAsked(let event): event
    case .drawMade(let event): event
    case .timerSet(let event): event
    case .timerFired(let event): event
    case .statusChanged(let event): event
    case .factorUpdated(let event): event
    case .remediationChanged(let event): event
    case .messageShown(let event): event
    case .tokenIssued(let event): event
    case .unknown: nil
    }
  }

  /// The type's name in the log.
  public var type: String {
    if case .unknown(let type, _, _) = self { return type }
    return payload.map { Swift.type(of: $0).type } ?? ""
  }

  /// The schema version.
  public var version: Int {
    if case .unknown(_, let version, _) = self { return version }
    return payload.map { Swift.type(of: $0).version } ?? 1
  }

  /// The data as it stands in the log.
  public var data: JSON {
    if case .unknown(_, _, let data) = self { return data }
    return payload?.data ?? [:]
  }
}
