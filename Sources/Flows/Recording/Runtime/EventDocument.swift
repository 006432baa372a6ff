// The document that an event adds to a flow: settings, arguments, an answer, a draw.

package import EventStore

extension MaskingPolicy {
  /// The document of an event from the org, the application or a draw, with its schema; `nil` for events without one.
  package func document(of event: FlowEvent, draws: DrawDeclarations) -> (schema: WireSchema, json: JSON)? {
    switch event {
    case .flowStarted(let started): return (settings, started.settings)
    case .callMade(let made): return (arguments, made.arguments)
    case .responseReceived(let received):
      guard case .json(let body) = received.body else { return nil }
      return (response, body)
    case .drawMade(let draw): return (draws[draw.kind]?.schema ?? .undeclared, draw.value)
    case .flowEnded, .noteAdded, .callReturned, .requestSent, .requestFailed, .drawAsked, .timerSet, .timerFired,
      .domain:
      return nil
    }
  }
}

extension FlowEvent {
  /// The event with another document.
  package func replacing(document: JSON) -> FlowEvent {
    switch self {
    case .flowStarted(var started):
      started.settings = document
      return .flowStarted(started)
    case .callMade(var made):
      made.arguments = document
      return .callMade(made)
    case .responseReceived(var received):
      received.body = .json(document)
      return .responseReceived(received)
    case .drawMade(var draw):
      if case .success = draw.result { draw.result = .success(document) }
      return .drawMade(draw)
    case .flowEnded, .noteAdded, .callReturned, .requestSent, .requestFailed, .drawAsked, .timerSet, .timerFired,
      .domain:
      return self
    }
  }
}
