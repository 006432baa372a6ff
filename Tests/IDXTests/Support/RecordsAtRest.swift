import FlowRecording
import Foundation
import Testing

@testable import IDX

/// The records of a flow, which fold to what is live. A late answer may be on its way when a call has returned, and it is
/// appended before it is folded: so it looks again for a while, and records an issue where the two never agree.
func recordsAtRest(of flow: InteractionCodeFlow, in recorder: MemoryRecorder, _ name: String = "") -> [FlowRecord] {
  for _ in 0..<10_000 {
    let records = recorder.records(of: flow.flowID)
    if IDXCore.folding(records) == flow.session.flow.core { return records }
    sched_yield()
  }
  Issue.record("\(name) does not fold to what is live")
  return recorder.records(of: flow.flowID)
}
