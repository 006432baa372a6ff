// What `auditctl append` says on standard output: the position of each commit, once it is as safe as was asked for.

import EventStore
import Foundation

/// Prints positions in order. With durability `group` a commit waits here for the sync that covers it, which ends on
/// the log's own thread.
final class Acknowledgements: LogMetrics, @unchecked Sendable {  // guarded by `guardian`
  private let guardian = NSLock()
  private let output = Output()
  private let waitsForSync: Bool
  /// Commits that are written and not synced.
  private var waiting: [UInt64] = []
  /// The position before which everything is synced.
  private var durable: UInt64 = 0
  /// Whether the barrier that the caller came through last found its records synced.
  private var wasDurable = false
  private var failure: (any Error)?

  /// The acknowledgements of a log that syncs as `durability` says.
  init(_ durability: Durability) {
    if case .group = durability { waitsForSync = true } else { waitsForSync = false }
  }

  /// Prints the position of a commit that is as safe as its barrier promises: at once, or once it is synced.
  ///
  /// - Throws: `OutputClosed` if the output is no longer read, `CommandFailure` if it cannot be written; also if an
  ///   earlier commit failed so.
  func tell(_ position: UInt64) throws {
    guardian.lock()
    defer { guardian.unlock() }
    if let failure { throw failure }
    waiting.append(position)
    // A record that was appended before, by its id, is synced already, and no sync follows.
    if !waitsForSync || wasDurable { durable = max(durable, position + 1) }
    try say()
  }

  /// Notes a sync, and the result of a barrier.
  func record(_ measurement: LogMeasurement) {
    guard waitsForSync else { return }
    guardian.lock()
    defer { guardian.unlock() }
    switch measurement {
    case .acknowledged(_, let isDurable): wasDurable = isDurable
    case .synced(let end, _, _):
      durable = max(durable, end)
      guard failure == nil else { return }
      do { try say() } catch { failure = error }
    default: break
    }
  }

  /// Prints the waiting positions after the log was closed without an error, because they are synced then.
  func finish() throws {
    guardian.lock()
    defer { guardian.unlock() }
    if let failure { throw failure }
    durable = .max
    try say()
  }

  private func say() throws {
    let ready = waiting.prefix { $0 < durable }
    guard !ready.isEmpty else { return }
    for position in ready { try output.line("{\"position\":\(position)}") }
    waiting.removeFirst(ready.count)
    do {
      try output.flush()
    } catch {
      // Nothing is printed after a lost position.
      failure = error
      throw error
    }
  }
}
