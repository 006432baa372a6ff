import FlowRecording
import IDX
import Scenarios

/// The flows that a scenario begins when it is run.
func flowsBegun(by scenario: inout IDXScenario) -> Locked<[InteractionCodeFlow]> {
  let begun = Locked<[InteractionCodeFlow]>([])
  let play = scenario.play
  scenario.play = { stage in
    var stage = stage
    stage.began = { flow in begun.withLock { $0.append(flow) } }
    try await play(stage)
  }
  return begun
}
