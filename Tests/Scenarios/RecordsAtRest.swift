public import FlowRecording
import Foundation

/// The records of a flow, which fold to what is live. A late answer may be on its way when a call has returned, and it is
/// appended before it is folded: so it looks again for a while. Nil where the two never agree.
public func recordsAtRest<Core>(of flow: Flow<Core>, in recorder: MemoryRecorder) -> [FlowRecord]? {
  for _ in 0..<10_000 {
    let records = recorder.records(of: flow.stream)
    if Core.folding(records) == flow.core { return records }
    sched_yield()
  }
  return nil
}
