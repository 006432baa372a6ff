public import EventStore
public import FlowRecording

/// A core by itself: inputs go in, decisions come out. No transport, no timers, no masking, nothing to wait for.
public struct CoreStage<Core: FlowCore>: Sendable {
  /// The state.
  public private(set) var core = Core()
  /// All records so far.
  public private(set) var records: [FlowRecord] = []
  /// When the next input comes.
  public var at = Timestamp(microseconds: 1_767_225_600_000_000)
  private var drawn = 0

  /// A flow that has begun with these settings, masked already.
  public init(settings: JSON) {
    add(.flowStarted(FlowStarted(kind: Core.kind, sdk: "stage", settings: settings)), cause: nil)
  }

  /// The revision that the next record gets.
  public var next: Int { records.count }

  /// The revision of the latest record of a type.
  public func last(_ type: String) -> Int? { records.last { $0.event.type == type }?.revision }

  /// Feeds an input, and folds what is decided on it.
  ///
  /// - Parameters:
  ///   - event: the input.
  ///   - cause: what it answers.
  ///   - snapshot: the state of the object that is called.
  /// - Returns: the outputs, those of inline draws left out.
  @discardableResult
  public mutating func take(_ event: FlowEvent, cause: Int? = nil, on snapshot: Core? = nil) -> [FlowEvent] {
    let input = add(event, cause: cause)
    let draws = Collector()
    let outputs = core.decide(
      input, on: snapshot,
      draws: Draws { kind, _ in
        let value: JSON = kind == .pkce ? ["verifier": "the-verifier", "challenge": "the-challenge"] : .string("drawn")
        let result: Result<JSON, DrawFailure> = .success(kind == .jitter ? .int(123) : value)
        draws.made.append((kind, result))
        return result
      })
    for (kind, result) in draws.made {
      add(.drawMade(DrawMade(kind: kind, ordinal: drawn, result: result)), cause: input.revision)
      drawn += 1
    }
    for output in outputs { add(output, cause: input.revision) }
    return outputs
  }

  private final class Collector {
    var made: [(DrawKind, Result<JSON, DrawFailure>)] = []
  }

  @discardableResult
  private mutating func add(_ event: FlowEvent, cause: Int?) -> FlowRecord {
    let record = FlowRecord(revision: records.count, at: at, cause: cause, event: event)
    records.append(record)
    core.fold(record)
    return record
  }
}

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

/// A table of decisions: for each phase the inputs on which something follows, and how many there are on which nothing does.
public enum DecisionTable {
  /// The lines of the table.
  ///
  /// - Parameters:
  ///   - inputs: what is fed, by name; each gets the phase anew.
  ///   - phases: the stages that have come to a phase, by name.
  public static func lines<Core: FlowCore>(
    of inputs: [(name: String, feed: @Sendable (inout CoreStage<Core>) -> [FlowEvent])],
    at phases: [(String, CoreStage<Core>)]
  ) -> [String] {
    phases.flatMap { phase, stage -> [String] in
      var without = 0
      let rows = inputs.compactMap { name, feed -> String? in
        var stage = stage
        let outputs = feed(&stage)
        if outputs.isEmpty { without += 1 }
        return outputs.isEmpty ? nil : "  \(name): \(Decision.brief(outputs))"
      }
      return ["\(phase):"] + rows + ["  \(without) others: nothing"]
    }
  }
}
