// The receivers of a log's reports: metrics and a logger, both optional. An absent one is never called.
import Logging

/// Reports to metrics and a logger. Never called with the lock of a log.
struct LogObserver: Sendable {
  /// Receives measurements.
  let metrics: (any LogMetrics)?
  /// Receives messages for people.
  let logger: Logger?

  /// The time, if metrics are collected.
  var start: ContinuousClock.Instant? { metrics == nil ? nil : .now }

  /// Reports a sync that succeeded.
  func synced(durable: UInt64, written: UInt64, since start: ContinuousClock.Instant?) {
    guard let metrics, let start else { return }
    metrics.record(.synced(durable: durable, lag: written - min(written, durable), latency: start.duration(to: .now)))
  }

  /// Reports a log that was opened.
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

  /// Reports a segment that was begun.
  func segmentBegun(first: UInt64) {
    metrics?.record(.segmentBegun(first: first))
    logger?.debug("audit log: a segment was begun", metadata: ["first": "\(first)"])
  }

  /// Reports a checkpoint.
  func signed(size: UInt64) {
    metrics?.record(.signed(size: size))
    logger?.debug("audit log: a checkpoint was signed", metadata: ["size": "\(size)"])
  }

  /// Reports a checkpoint that could not be signed, or not be kept at its second place.
  func checkpointFailed(_ error: StoreError) {
    metrics?.record(.checkpointFailed(error))
    logger?.error("audit log: a checkpoint failed", metadata: ["error": "\(error)"])
  }

  /// Reports a closed segment that could not be sealed.
  func sealingFailed(_ error: StoreError) {
    metrics?.record(.sealingFailed(error))
    logger?.error("audit log: a closed segment could not be sealed", metadata: ["error": "\(error)"])
  }

  /// Reports a failed write or sync.
  func failed(_ error: StoreError, isFatal: Bool) {
    metrics?.record(.failed(error, isFatal: isFatal))
    if isFatal {
      logger?.critical("audit log: nothing can be written any more", metadata: ["error": "\(error)"])
    } else {
      logger?.error("audit log: a write or sync failed", metadata: ["error": "\(error)"])
    }
  }
}
