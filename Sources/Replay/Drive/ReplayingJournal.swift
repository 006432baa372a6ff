// The store of a replay: it keeps the SDK's records, step by step, for comparison. Nothing is written anywhere.

import EventStore
import FlowRecording

/// Collects the records of the current step.
final class ReplayingJournal: RecordJournal {
  private let step = Locked<[FlowRecord]>([])

  func append(_ records: [FlowRecord]) { step.withLock { $0 += records } }

  func barrier(resume: @escaping @Sendable (AuditError?) -> Void) -> JournalBarrier { .passed }

  /// The records since the last call.
  func take() -> [FlowRecord] {
    step.withLock { records in
      defer { records = [] }
      return records
    }
  }
}

/// Returns the recorded draws, by revision: a draw of another kind, or one that was not recorded, shows in the
/// comparison.
struct RecordedDraws: DrawSource {
  private let values: [Int: DrawMade]

  init(_ records: [FlowRecord]) {
    var values: [Int: DrawMade] = [:]
    for record in records {
      if case .drawMade(let draw) = record.event { values[record.revision] = draw }
    }
    self.values = values
  }

  func draw(_ kind: DrawKind, input: JSON, ordinal: Int, revision: Int) -> Result<JSON, DrawFailure> {
    values[revision]?.result ?? .failure(DrawFailure(.missing))
  }
}
