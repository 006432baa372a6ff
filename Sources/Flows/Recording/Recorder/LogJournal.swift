// One flow's way into the log.

import EventStore

/// Writes the records of one flow. After losing a record, a flow is not recorded any further: a stream has no gaps.
final class LogJournal: FlowJournal {
  private let recorder: LogRecorder
  private let stream: String
  private let state = Locked(State())

  private struct State {
    var log: EventLog?
    var ticket: Ticket?
    /// The log position of each revision.
    var positions: [UInt64] = []
    var appended = 0
    var written = 0
    var isLost = false
  }

  init(recorder: LogRecorder, stream: String) {
    self.recorder = recorder
    self.stream = stream
  }

  func append(_ entries: [JournalEntry]) throws(AuditError) {
    let count = entries.reduce(0) { $0 + 1 + $1.encoded.parts.count }
    if state.withLock({ $0.isLost }) {
      recorder.lose(count, of: stream, reason: "the flow lost earlier events")
      recorder.mend()
      return
    }
    do throws(StoreError) {
      let (opened, batch, appended) = state.withLock { state in
        (state.log, records(of: entries, positions: state.positions), state.appended)
      }
      // A log that failed may have been reopened: either this flow's records are in it, or the expectation below fails.
      let log = if let opened, opened.failure == nil { opened } else { try recorder.open() }
      // Stated explicitly: if a failed commit dropped earlier records, this is a conflict instead of a gap.
      let ticket = try log.append(batch, expecting: appended == 0 ? .fresh : .revision(appended - 1))
      state.withLock { state in
        state.log = log
        state.ticket = ticket
        state.positions += ticket.positions
        state.appended += count
      }
    } catch {
      try fail(error, losing: count)
    }
  }

  func barrier(resume: @escaping @Sendable (AuditError?) -> Void) -> JournalBarrier {
    let (log, ticket, isLost) = state.withLock { ($0.log, $0.ticket, $0.isLost) }
    guard !isLost, let log, let ticket else { return .passed }
    let end = state.withLock { $0.appended }
    let outcome = log.barrier(ticket) { [self] (error: StoreError?) in
      guard let error else {
        state.withLock { $0.written = max($0.written, end) }
        return resume(nil)
      }
      do throws(AuditError) {
        try fail(error, losing: 0)
        resume(nil)
      } catch {
        resume(error)
      }
    }
    switch outcome {
    case .passed:
      state.withLock { $0.written = $0.appended }
      return .passed
    case .pending: return .pending
    case .failed(let error):
      do throws(AuditError) {
        try fail(error, losing: 0)
        return .passed
      } catch {
        return .failed(error)
      }
    }
  }

  /// What to do if the log cannot be written: fail, or count a loss.
  private func fail(_ error: StoreError, losing count: Int) throws(AuditError) {
    switch recorder.auditing {
    case .required:
      throw AuditError("the audit log cannot be written, so nothing more is sent: \(error.description)")
    case .bestEffort:
      let unwritten = state.withLock { state in
        defer {
          state.isLost = true
          state.appended = state.written
        }
        return state.appended - state.written
      }
      recorder.lose(count + unwritten, of: stream, reason: error.description)
    }
  }

  private func records(of entries: [JournalEntry], positions: [UInt64]) -> [NewRecord] {
    var batch: [NewRecord] = []
    batch.reserveCapacity(entries.count)
    let first = positions.count
    for entry in entries {
      let cause: Cause? = entry.record.cause.flatMap { revision in
        if positions.indices.contains(revision) { return .position(positions[revision]) }
        let index = revision - first
        return batch.indices.contains(index) ? .inBatch(index) : nil
      }
      let (type, version) = entry.record.event.identity
      batch.append(
        NewRecord(
          at: entry.record.at, stream: stream, id: nil, type: type, version: version, cause: cause,
          data: entry.encoded.data))
      let head = batch.count - 1
      for part in entry.encoded.parts {
        batch.append(
          NewRecord(
            at: entry.record.at, stream: stream, id: nil, type: EventCoding.partType, version: 1,
            cause: .inBatch(head), data: part))
      }
    }
    return batch
  }
}
