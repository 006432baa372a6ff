public import FlowRecording

/// The records of a flow, which fold to what is live. A late answer may be on its way when a call has returned, and it is
/// appended before it is folded: so it looks again for a while. Nil where the two never agree.
public func recordsAtRest<Core>(of flow: Flow<Core>, in recorder: MemoryRecorder) async -> [FlowRecord]? {
  var records: [FlowRecord] = []
  let isAtRest = await holdsSoon {
    records = recorder.records(of: flow.stream)
    return Core.folding(records) == flow.core
  }
  return isAtRest ? records : nil
}
