// Flows made of a selection of a recorded flow's inputs.

import EventStore
import FlowRecording

/// The inputs of a flow that remain, and the content of their responses.
struct FlowPlan {
  /// The indices of the steps, in order.
  var steps: [Int]
  /// The changed responses, by the index of the step.
  var responses: [Int: ResponseReceived] = [:]
}

/// The flow made from a plan, and the steps that it could use.
struct PlannedFlow {
  var flow: RecordedFlow
  var steps: [Int]
}

/// Makes flows from selections of one recorded flow's inputs.
struct FlowReduction {
  /// The recorded flow by its inputs.
  let steps: [FlowStep]
  /// The step where the replay of the recording differs first, if that is to be kept; else `nil`.
  let divergent: Int?
  /// Whether what follows from an input is made again, so that responses may be changed.
  let isRemade: Bool
  /// The flow of a plan; `nil` if it lacks the step that differs.
  let make: (FlowPlan) -> PlannedFlow?

  /// Flows as the SDK makes them from the inputs.
  ///
  /// - Parameter keepsDivergence: whether they differ from the SDK where the recording differs first, and end there.
  /// - Returns: `nil` if the flow does not begin with an input, or differs where there is no input.
  init?<Kind: FlowKind>(_ flow: RecordedFlow, of kind: Kind.Type, keepsDivergence: Bool) {
    guard let steps = flow.steps else { return nil }
    let divergent = keepsDivergence ? Self.divergentStep(of: flow, steps, kind) : nil
    var transplant: Transplant?
    if let divergent {
      // The state before it is as recorded, so these are the SDK's outputs there.
      let remaking = FlowRemaking<Kind.Core>(flow)
      var made: [FlowRecord]?
      for step in steps[...divergent] { made = remaking.feed(step) }
      guard let made else { return nil }
      transplant = Transplant(recorded: steps[divergent].outputs, made: Array(made.dropFirst()))
    }
    self.steps = steps
    self.divergent = divergent
    isRemade = true
    let difference = transplant
    make = { plan in
      let remaking = FlowRemaking<Kind.Core>(flow)
      var used: [Int] = []
      for index in plan.steps {
        let event = plan.responses[index].map { FlowEvent.responseReceived($0) }
        guard let made = remaking.feed(steps[index], as: event) else {
          if index == divergent { return nil }
          continue
        }
        used.append(index)
        guard index == divergent, let difference else { continue }
        var flow = remaking.flow
        flow.records.removeLast(made.count)
        flow.records += difference.apply(to: made, revisions: remaking.revisions)
        return PlannedFlow(flow: flow, steps: used)
      }
      return divergent == nil ? PlannedFlow(flow: remaking.flow, steps: used) : nil
    }
  }

  /// Flows of the recorded events, for a flow from which the SDK no longer makes what is to be kept.
  ///
  /// - Returns: `nil` if the flow does not begin with an input.
  init?(recorded flow: RecordedFlow) {
    guard let steps = flow.steps else { return nil }
    self.steps = steps
    divergent = nil
    isRemade = false
    let selection = RecordedSelection(steps, of: flow.stream)
    make = { selection.flow(of: $0.steps) }
  }

  private static func divergentStep<Kind: FlowKind>(
    of flow: RecordedFlow, _ steps: [FlowStep], _ kind: Kind.Type
  ) -> Int? {
    let replayer = Replayer<Kind.Core>(flow, of: flow.stream)
    var index = 0
    while let found = replayer.advance() {
      if !found.isEmpty { return index < steps.count ? index : nil }
      index += 1
    }
    return nil
  }
}
