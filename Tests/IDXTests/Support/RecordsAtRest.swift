import FlowRecording
import Foundation

@testable import IDX

/// The records of a flow that has come to rest: they fold to what is live. A late answer may be on its way when a call has
/// returned; it is appended before it is folded. Gives what there is where it does not come to rest, for the test to tell.
func recordsAtRest(of flow: InteractionCodeFlow, in recorder: MemoryRecorder) -> [FlowRecord] {
  var records = recorder.records(of: flow.flowID)
  for _ in 0..<10_000 where IDXCore.folding(records) != flow.session.flow.core {
    sched_yield()
    records = recorder.records(of: flow.flowID)
  }
  return records
}
