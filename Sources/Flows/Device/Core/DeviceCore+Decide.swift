// Decides what follows from an input to a device flow.

import EventStore
package import FlowRecording

extension DeviceCore {
  /// Returns the events that follow from an input.
  package func decide(_ input: FlowRecord, on snapshot: DeviceCore?, draws: Draws) -> [FlowEvent] {
    switch input.event {
    case .callMade(let made) where made.call == CallMade.giveUp: givenUp(made, input, draws)
    case .callMade(let made) where made.call == CallMade.release: ledger.releasing(as: ledger.outcomeOfRelease)
    case .callMade(let made): called(made, input, draws)
    case .responseReceived, .requestFailed: ledger.latest?.request == nil ? [] : answered(input, draws)
    case .drawMade: answered(input, draws)
    case .timerFired: challenge.map { timeRanOut($0, input) } ?? []
    case .flowStarted, .flowEnded, .noteAdded, .callReturned, .requestSent, .drawAsked, .timerSet, .domain: []
    }
  }

  private func called(_ made: CallMade, _ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    let call = input.revision
    guard let name = DeviceCall(rawValue: made.call) else {
      return [Refusal("internalError", ["message": "unknown call"]).ending(call)]
    }
    switch work {
    case .operation(let operation) where operation.call == call: return began(operation, input, draws)
    case .challenge(let challenge): return called(name, made.arguments, challenge, input, draws)
    case .none, .operation:
      return [Refusal("internalError", ["message": "the flow is about something else"]).ending(call)]
    }
  }

  private func answered(_ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    guard let step = lastStep else { return [] }
    switch work {
    case .none: return []
    case .operation(let operation):
      guard ledger.outcome == nil else { return [] }
      return answered(step, operation, input, draws)
    case .challenge(let challenge): return answered(step, challenge, input, draws)
    }
  }

  private func givenUp(_ made: CallMade, _ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    guard let call = made.arguments["call"]?.int, ledger.calls[call] != nil else { return [] }
    if let challenge, challenge.resolveCall == call { return givenUp(challenge, call) }
    if let operation, operation.call == call { return ledger.cancelling([call]) + givenUp(operation, input, draws) }
    return ledger.cancelling([call])
  }

  /// Converts a time to whole seconds since 1970.
  static func seconds(_ time: Timestamp) -> Int { Int(clamping: time.microseconds / 1_000_000) }
}
