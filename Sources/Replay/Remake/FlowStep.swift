// A recorded flow as inputs and outputs.

import FlowRecording

/// One input of a recorded flow, and the events that followed from it.
struct FlowStep: Sendable {
  /// The input.
  var input: FlowRecord
  /// The SDK's outputs for it, including immediate draws.
  var outputs: [FlowRecord]

  /// True if the application releases the flow.
  var isRelease: Bool {
    if case .callMade(let made) = input.event { made.call == CallMade.release } else { false }
  }
}

extension RecordedFlow {
  /// The flow by its inputs; `nil` if it does not begin with one, as no flow of the SDK does.
  var steps: [FlowStep]? {
    var asked: Set<Int> = []
    var steps: [FlowStep] = []
    for record in records {
      if record.isInput(askedAt: asked) {
        steps.append(FlowStep(input: record, outputs: []))
      } else if steps.isEmpty {
        return nil
      } else {
        steps[steps.count - 1].outputs.append(record)
      }
      if case .drawAsked = record.event { asked.insert(record.revision) }
    }
    return steps
  }
}
