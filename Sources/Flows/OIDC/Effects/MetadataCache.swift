// A cache of the metadata of authorization servers (oidc §2).

import EventStore
import FlowRecording

/// The seam for the metadata cache.
package enum MetadataCacheSeam: FlowSeam {
  private static let process = MetadataCache()
  /// The cache of this process.
  package static var live: MetadataCache { process }
}

/// Metadata by issuer, kept as long as the server allows: an hour if it does not specify that, a day at most; 32
/// issuers. Callers that need metadata that is being fetched wait for it.
package final class MetadataCache: Sendable {
  private struct Entry {
    var document: JSON
    var from: Int64
    var to: Int64
  }
  /// A fetch by one flow that others wait for.
  private struct Fetch {
    var turn: UInt64
    var waiters: [UInt64: CheckedContinuation<JSON?, Never>] = [:]
  }
  private struct Contents {
    var entries: [String: Entry] = [:]
    var fetches: [String: Fetch] = [:]
    var last: UInt64 = 0

    func document(_ issuer: String, at now: Timestamp) -> JSON? {
      guard let entry = entries[issuer], (entry.from..<entry.to).contains(now.microseconds) else { return nil }
      return entry.document
    }
  }
  private let contents = Locked(Contents())
  private static let (usual, longest, limit) = (3_600, 86_400, 32)

  /// Makes an empty cache.
  package init() {}

  /// The cache's knowledge about an issuer.
  enum Finding {
    /// Its metadata.
    case known(JSON)
    /// A flow is fetching it.
    case fetching
    /// No flow is fetching it: the asking flow has the turn, until `keep` or `giveUp`.
    case turn(UInt64)
    /// No flow is fetching it, and the asking flow does not take the turn.
    case unknown
  }

  /// Looks metadata up.
  ///
  /// - Parameter takingTurn: whether others may wait for the asking flow. One that itself waits for another flow,
  ///   before it fetches, must not take it.
  func lookUp(_ issuer: String, at now: Timestamp, takingTurn: Bool) -> Finding {
    contents.withLock { contents in
      if let document = contents.document(issuer, at: now) { return .known(document) }
      if contents.fetches[issuer] != nil { return .fetching }
      guard takingTurn else { return .unknown }
      contents.last += 1
      contents.fetches[issuer] = Fetch(turn: contents.last)
      return .turn(contents.last)
    }
  }

  /// Waits for metadata that is being fetched.
  ///
  /// - Returns: nil if the fetch failed, or if the task was cancelled.
  func awaited(_ issuer: String, at now: Timestamp) async -> JSON? {
    let id = contents.withLock { contents in
      contents.last += 1
      return contents.last
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (waits, document) = contents.withLock { contents -> (Bool, JSON?) in
          if let document = contents.document(issuer, at: now) { return (false, document) }
          guard contents.fetches[issuer] != nil, !Task.isCancelled else { return (false, nil) }
          contents.fetches[issuer]?.waiters[id] = continuation
          return (true, nil)
        }
        if !waits { continuation.resume(returning: document) }
      }
    } onCancel: {
      contents.withLock { $0.fetches[issuer]?.waiters.removeValue(forKey: id) }?.resume(returning: nil)
    }
  }

  /// Ends a turn without metadata; has no effect if `keep` was called.
  func giveUp(_ turn: UInt64, of issuer: String) {
    let waiters = contents.withLock { contents -> [CheckedContinuation<JSON?, Never>] in
      guard contents.fetches[issuer]?.turn == turn else { return [] }
      return contents.fetches.removeValue(forKey: issuer).map { Array($0.waiters.values) } ?? []
    }
    for waiter in waiters { waiter.resume(returning: nil) }
  }

  /// Passes valid metadata to the waiting callers, and caches it.
  ///
  /// - Returns: whether it may be cached.
  func keep(_ document: JSON, of issuer: String, maxAge: Int?, at now: Timestamp) -> Bool {
    let seconds = min(maxAge ?? Self.usual, Self.longest)
    let start = now.microseconds
    let (end, isOver) = start.addingReportingOverflow(Int64(seconds) * 1_000_000)
    let isKept = seconds > 0 && !isOver
    let waiters = contents.withLock { contents -> [CheckedContinuation<JSON?, Never>] in
      if isKept {
        if contents.entries[issuer] == nil, contents.entries.count >= Self.limit,
          let oldest = contents.entries.min(by: { $0.value.to < $1.value.to })
        {
          contents.entries[oldest.key] = nil
        }
        contents.entries[issuer] = Entry(document: document, from: start, to: end)
      }
      return contents.fetches.removeValue(forKey: issuer).map { Array($0.waiters.values) } ?? []
    }
    for waiter in waiters { waiter.resume(returning: document) }
    return isKept
  }
}
