// The metadata of authorization servers, for a while (oidc §2).

import EventStore
import FlowRecording

/// Where flows find the memory of metadata.
package enum MetadataCacheSeam: FlowSeam {
  private static let process = MetadataCache()
  /// The memory of this process.
  package static var live: MetadataCache { process }
}

/// Metadata by issuer: as long as the server allows, an hour if it does not say, a day at most; 32 issuers.
package final class MetadataCache: Sendable {
  private struct Entry {
    var document: JSON
    var from: Int64
    var to: Int64
  }
  private let entries = Locked<[String: Entry]>([:])
  private static let (usual, longest, limit) = (3_600, 86_400, 32)

  /// An empty memory.
  package init() {}

  /// The value of the draw that looks metadata up.
  func value(of issuer: String, at now: Timestamp) -> JSON {
    entries.withLock { entries in
      guard let entry = entries[issuer], (entry.from..<entry.to).contains(now.microseconds) else { return [:] }
      return ["document": entry.document]
    }
  }

  /// Keeps metadata that were fetched and found to be right.
  ///
  /// - Returns: whether they may be kept.
  func keep(_ document: JSON, of issuer: String, maxAge: Int?, at now: Timestamp) -> Bool {
    let seconds = min(maxAge ?? Self.usual, Self.longest)
    guard seconds > 0 else { return false }
    let start = now.microseconds
    let (end, isOver) = start.addingReportingOverflow(Int64(seconds) * 1_000_000)
    guard !isOver else { return false }
    entries.withLock { entries in
      if entries[issuer] == nil, entries.count >= Self.limit,
        let oldest = entries.min(by: { $0.value.to < $1.value.to })
      {
        entries[oldest.key] = nil
      }
      entries[issuer] = Entry(document: document, from: start, to: end)
    }
    return true
  }
}
