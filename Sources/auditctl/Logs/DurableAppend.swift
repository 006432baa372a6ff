import Dispatch
import EventStore
import FlowRecording

extension EventLog {
  /// Appends a batch as one commit and waits until it is as durable as the log's mode asks for.
  ///
  /// - Returns: the position of its last record.
  func appendDurably(_ batch: [NewRecord]) throws(StoreError) -> UInt64? {
    let ticket = try append(batch)
    let failure = Locked<StoreError?>(nil)
    let settled = DispatchSemaphore(value: 0)
    let outcome = barrier(ticket) { error in
      failure.withLock { $0 = error }
      settled.signal()
    }
    switch outcome {
    case .passed: break
    case .failed(let error): throw error
    case .pending:
      settled.wait()
      if let error = failure.withLock({ $0 }) { throw error }
    }
    return ticket.positions.last
  }
}
