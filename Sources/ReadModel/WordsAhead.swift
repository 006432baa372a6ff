// The words of records, collected on another processor while earlier records are indexed: half of the work of an index.

import AuditReports
import EventStore
import Foundation
import Synchronization

/// Some records that are read, and whose words are being collected.
final class WordsAhead: Sendable {
  /// How many bytes are read ahead; the last record may exceed it.
  private static let mostBytes = 2 << 20
  let records: [StoredRecord]
  private let collected = Mutex<(words: [[String]], leaves: [TreeHash])>(([], []))
  private let work = DispatchGroup()

  /// Reads the next records, and begins to collect their words.
  ///
  /// - Returns: nil if there are no more.
  init?(_ cursor: inout EventStore.RecordCursor?, _ most: Int) throws(StoreError) {
    var next: [StoredRecord] = []
    next.reserveCapacity(most)
    var bytes = 0
    while next.count < most, bytes < Self.mostBytes, let record = try cursor?.next() {
      next.append(record)
      bytes += record.bytes.count
    }
    records = next
    guard !records.isEmpty else { return nil }
    DispatchQueue.global(qos: .userInitiated).async(group: work) { [self] in
      let words = records.map { record in
        var (words, seen): ([String], Set<String>) = ([], [])
        SearchWords.forEachWord(of: record) { if seen.insert($0).inserted { words.append($0) } }
        return words
      }
      let leaves = records.map(\.leafHash)
      collected.withLock { $0 = (words, leaves) }
    }
  }

  /// The words of each record, in order, each once, and the records' leaves in the log's tree. Waits until they are
  /// collected.
  func collection() -> (words: [[String]], leaves: [TreeHash]) {
    work.wait()
    return collected.withLock { $0 }
  }
}
