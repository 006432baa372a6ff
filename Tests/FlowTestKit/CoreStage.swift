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
  /// What draws bring, by their kind; one that is not named brings some text.
  public var brings: [DrawKind: JSON] = [:]
  private var drawn = 0

  /// A flow that has begun with these settings, masked already.
  public init(settings: JSON) {
    add(.flowStarted(FlowStarted(kind: Core.kind, sdk: "stage", settings: settings)), cause: nil)
  }

  /// The revision that the next record gets.
  public var next: Int { records.count }

  /// The revision of the latest record of a type.
  public func last(_ type: String) -> Int? { records.last { $0.event.type == type }?.revision }

  /// Feeds the answer to the latest request.
  public mutating func answer(_ body: JSON, status: Int = 200, headers: [HTTPField] = []) {
    take(.answer(body, status: status, headers: headers), cause: last(RequestSent.type))
  }

  /// Feeds what the draw brings that was asked for last.
  public mutating func bring(_ value: JSON) { bring(.success(value)) }

  /// Feeds the outcome of the draw that was asked for last.
  @discardableResult
  public mutating func bring(_ outcome: Result<JSON, DrawFailure>) -> [FlowEvent] {
    let asked = records.last { $0.event.type == DrawAsked.type }
    guard case .drawAsked(let draw)? = asked?.event else { return [] }
    return take(.drawMade(DrawMade(kind: draw.kind, ordinal: 0, result: outcome)), cause: asked?.revision)
  }

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
      draws: Draws { [brings] kind, _ in
        let value: JSON =
          brings[kind]
          ?? (kind == .pkce ? ["verifier": "the-verifier", "challenge": "the-challenge"] : .string("drawn"))
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
