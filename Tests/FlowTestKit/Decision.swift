import EventStore
public import FlowRecording

/// Outputs in few words, for tables: `POST /next, timer 5000 poll, status MFA_REQUIRED, call 1 done`.
public enum Decision {
  /// The outputs of a step.
  public static func brief(_ outputs: [FlowEvent]) -> String { outputs.map(brief).joined(separator: ", ") }

  private static func brief(_ event: FlowEvent) -> String {
    switch event {
    case .requestSent(let request):
      "\(request.method) \(URLParts(request.url).map { $0.path } ?? request.url)"
    case .timerSet(let timer): "timer \(timer.milliseconds) \(timer.purpose)"
    case .callReturned(let returned):
      switch returned.outcome {
      case .status: "call \(returned.call) status"
      case .done: "call \(returned.call) done"
      case .cancelled: "call \(returned.call) cancelled"
      case .failed(let code, _): "call \(returned.call) \(code)"
      }
    case .flowEnded(let ended): "ended \(ended.outcome)"
    case .drawAsked(let asked): "ask \(asked.kind)"
    case .domain(let event): brief(event)
    case .flowStarted, .noteAdded, .callMade, .responseReceived, .requestFailed, .drawMade, .timerFired:
      "(\(event.type))"
    }
  }

  private static func brief(_ event: DomainEvent) -> String {
    let name = event.type.split(separator: ".").first.map(String.init) ?? event.type
    let first = event.data.object?.members.lazy.compactMap(\.value.string).first
    return first.map { "\(name) \($0)" } ?? name
  }
}
