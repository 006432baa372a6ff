// A core that a table gives inputs to, one at a time. What follows from each is folded, as a flow does it.

package import EventStore

/// A core, and the records so far. Copies continue independently, so that one beginning can have several ends.
package struct CoreStepper<Core: FlowCore> {
  /// The result of an immediate draw, by its kind, its input, and the number of draws before it.
  package typealias Drawing = (DrawKind, JSON, Int) -> Result<JSON, DrawFailure>

  /// What follows from an input.
  package struct Outcome {
    /// The draws that were taken immediately, with their inputs.
    package var drawn: [(made: DrawMade, input: JSON)]
    /// The events that were decided.
    package var outputs: [FlowRecord]

    /// A line for each draw and each event.
    package var lines: [String] {
      drawn.map { "\($0.made.kind.rawValue) \($0.input.text)" }
        + outputs.map { "\($0.event.type) \($0.event.data.text)" }
    }
  }

  /// The state.
  package private(set) var core = Core()
  /// The state of the object that calls are made on; `nil` before there is one.
  package var held: Core?
  /// The time of the next input.
  package var at: Timestamp
  /// The revision of the next input.
  package private(set) var revision = 0
  private var draws = 0

  /// A core before its first input, which comes at this time.
  package init(at: Timestamp) { self.at = at }

  /// Applies an input and what follows from it.
  package mutating func feed(
    _ event: FlowEvent, cause: Int? = nil, drawing: @escaping Drawing
  ) -> Outcome {
    let input = add(event, cause)
    let first = draws
    var drawn: [(made: DrawMade, input: JSON)] = []
    let outputs = core.decide(
      input, on: held,
      draws: Draws { kind, given in
        let number = first + drawn.count
        let result = drawing(kind, given, number)
        drawn.append((DrawMade(kind: kind, ordinal: number, result: result), given))
        return result
      })
    draws += drawn.count
    for draw in drawn { _ = add(.drawMade(draw.made), input.revision) }
    return Outcome(drawn: drawn, outputs: outputs.map { add($0, input.revision) })
  }

  /// Answers a draw that waits.
  package mutating func answer(
    _ kind: DrawKind, _ result: Result<JSON, DrawFailure>, asked: Int?, drawing: @escaping Drawing
  ) -> Outcome {
    let made = DrawMade(kind: kind, ordinal: draws, result: result)
    draws += 1
    return feed(.drawMade(made), cause: asked, drawing: drawing)
  }

  private mutating func add(_ event: FlowEvent, _ cause: Int?) -> FlowRecord {
    let record = FlowRecord(revision: revision, at: at, cause: cause, event: event)
    revision += 1
    core.fold(record)
    return record
  }
}
