import FlowRecording
import Scenarios
import Testing

@testable import IDX

/// The records of a flow, which fold to what is live; an issue is recorded where the two never agree.
func recordsAtRest(
  of flow: InteractionCodeFlow, in recorder: MemoryRecorder, _ name: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) async -> [FlowRecord] {
  if let records = await recordsAtRest(of: flow.session.flow, in: recorder) { return records }
  Issue.record("\(name) does not fold to what is live", sourceLocation: sourceLocation)
  return recorder.records(of: flow.flowID)
}
