// Whom a log tells what it does: metrics and a logger, both optional. Asked for nothing where there is none.
import Logging

/// Tells metrics and a logger. Never called with the lock of a log.
struct LogObserver: Sendable {
  /// Takes numbers.
  let metrics: (any LogMetrics)?
  /// Takes what a person may want to know.
  let logger: Logger?

  /// The time, where somebody measures.
  var start: ContinuousClock.Instant? { metrics == nil ? nil : .now }

  /// Tells of a sync that ended well.
  func synced(durable: UInt64, written: UInt64, since start: ContinuousClock.Instant?) {
    guard let metrics, let start else { return }
    metrics.record(.synced(durable: durable, lag: written - min(written, durable), latency: start.duration(to: .now)))
  }

  /// Tells of a log that was opened.
  func opened(_ log: RecoveredLog, size: UInt64, in directory: String, since start: ContinuousClock.Instant?) {
    let lost = log.damages.reduce(0) { $0 &+ UInt64(clamping: $1.bytes) }
    if let metrics, let start {
      metrics.record(.opened(records: size, recovery: start.duration(to: .now), quarantined: lost))
    }
    logger?.info("audit log opened", metadata: ["store": "\(directory)", "records": "\(size)"])
    for damage in log.damages {
      logger?.warning(
        "torn bytes of the audit log were moved to quarantine",
        metadata: [
          "store": "\(directory)", "segment": "\(damage.segment)", "bytes": "\(damage.bytes)",
          "quarantine": "\(damage.quarantine)",
        ])
    }
  }

  /// Tells of a segment that was begun.
  func segmentBegun(first: UInt64) {
    metrics?.record(.segmentBegun(first: first))
    logger?.debug("audit log: a segment was begun", metadata: ["first": "\(first)"])
  }

  /// Tells of a checkpoint.
  func signed(size: UInt64) {
    metrics?.record(.signed(size: size))
    logger?.debug("audit log: a checkpoint was signed", metadata: ["size": "\(size)"])
  }

  /// Tells of a checkpoint that could not be signed, or not be kept at its second place.
  func checkpointFailed(_ error: StoreError) {
    metrics?.record(.checkpointFailed(error))
    logger?.error("audit log: a checkpoint failed", metadata: ["error": "\(error)"])
  }

  /// Tells of a failed write or sync.
  func failed(_ error: StoreError, isFatal: Bool) {
    metrics?.record(.failed(error, isFatal: isFatal))
    if isFatal {
      logger?.critical("audit log: nothing can be written any more", metadata: ["error": "\(error)"])
    } else {
      logger?.error("audit log: a write or sync failed", metadata: ["error": "\(error)"])
    }
  }
}
