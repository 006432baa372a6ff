// An index of a fleet by day and user: where each flow of a user stands, in a file for each day and each 64th of the
// users. It holds only places; answers are read from the stores. A single file for all hosts would become slow at some
// ten million flows (docs/FLEET.md §12).

package import AuditReports
package import EventStore
import FlowKinds
import FlowRecording
import Foundation
import GRDB

/// An index by day of some stores, below a folder: `stores.sqlite`, and `2026-11-26/07.sqlite` for each day and bucket.
///
/// A store is known by its id, so that hosts may come and go, and their copies may move. A store that is no longer the
/// indexed log gets a new number, and is indexed again: rows of the old number lose their meaning.
package struct DayIndex: Sendable {
  /// The folder.
  package let folder: String
  private let logs: [LogReader]
  /// True if several stores are read.
  package var hasSeveralStores: Bool { logs.count > 1 }
  /// The directories of the stores that are read.
  package var directories: [String] { logs.map(\.directory) }
  /// The logs by the numbers that rows have.
  private let numbered: [Int: LogReader]

  /// Opens an index and brings it up to date with some logs.
  ///
  /// - Parameters:
  ///   - logs: the stores to read.
  ///   - folder: made with mode 0700 if it is missing.
  ///   - mode: whether to make it. An index of another version is rebuilt in any case.
  ///   - progress: called repeatedly with the records done and the total, for one store after the other.
  /// - Returns: nil if there is no index and `mode` does not make one.
  /// - Throws: `StoreError` if a log cannot be read, `ReadModelError` if the index cannot be read or written.
  package static func open(
    _ logs: [LogReader], in folder: String, mode: FlowIndex.Mode, progress: WorkProgress? = nil
  ) throws -> DayIndex? {
    let isThere = FileManager.default.fileExists(atPath: DayStores.path(in: folder))
    guard isThere || mode != .existing else { return nil }
    if mode == .rebuild { try DayStores.remove(folder) }
    let stores = try DayStores(in: folder)
    var numbered: [Int: LogReader] = [:]
    for log in logs { numbered[try DayBuilder(log, stores, folder).catchUp(progress)] = log }
    return DayIndex(folder: folder, logs: logs, numbered: numbered)
  }

  /// The flows of a user that began in some time, in the order of a pass over the logs.
  ///
  /// - Parameter filter: which flows; its user must be given. The filter is applied to the flow in the store, not to
  ///   the row.
  /// - Throws: `StoreError` if a log cannot be read, `ReadModelError` if the index cannot be read.
  package func flows(_ filter: FlowFilter) throws -> [FlowFacts] {
    guard let user = filter.user.map(UserKey.init) else { return [] }
    var rows: [DayRow] = []
    for day in try days(since: filter.since, until: filter.until) {
      let path = folder + "/" + DayBucket(day: day, number: user.bucket).path
      guard FileManager.default.fileExists(atPath: path) else { continue }
      try DayFile(path).read(user, since: filter.since, until: filter.until, into: &rows)
    }
    let kinds = KindRegistry.standard
    var flows: [FlowFacts] = []
    for (store, rows) in Dictionary(grouping: rows, by: \.store).sorted(by: { $0.key < $1.key }) {
      guard let log = numbered[store] else { continue }
      let kept = try log.firstKept()
      let ends = Dictionary(rows.map { ($0.first, $0.last) }, uniquingKeysWith: max)
      try log.forEachCursor(from: ends.keys.filter { $0 >= kept }) { first, cursor throws(StoreError) in
        guard var flow = try Self.facts(at: first, to: ends[first] ?? first, &cursor, in: log, kinds) else { return }
        if logs.count > 1 { flow.store = log.directory }
        if filter.passes(flow) { flows.append(flow) }
      }
    }
    return logs.count > 1 ? FlowOrder.began.sorted(flows) : flows
  }

  /// The days of the index that a span of time touches.
  private func days(since: Timestamp?, until: Timestamp?) throws -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { name in
      DayBucket.isDay(name) && since.map { DayBucket.day(of: $0) <= name } ?? true
        && until.map { name <= DayBucket.day(of: $0) } ?? true
    }.sorted()
  }

  /// If there are at most this many records from the first to the last of a flow, they are read one by one; for a
  /// longer flow, the store's index finds them.
  private static let stretch: UInt64 = 4_000

  private static func facts(
    at first: UInt64, to last: UInt64, _ cursor: inout EventStore.RecordCursor, in log: LogReader, _ kinds: KindRegistry
  ) throws(StoreError) -> FlowFacts? {
    guard last >= first, let begin = try cursor.next(), begin.position == first, begin.revision == 0 else { return nil }
    var facts = FlowFacts(startingWith: begin, kinds: kinds)
    if last - first > stretch {
      for record in try log.records(of: begin.stream).dropFirst() { facts.add(record, kinds) }
      return facts
    }
    while let record = try cursor.next(), record.position <= last {
      if ByteName.isSame(record.stream, begin.stream) { facts.add(record, kinds) }
    }
    return facts
  }

  /// The stores with their indexed positions, the number of files, and the bytes on disk.
  package func statistics() throws -> (stores: [(directory: String, position: UInt64)], files: Int, bytes: Int) {
    let positions = try DayStores(in: folder).positions()
    let stores = numbered.sorted { $0.key < $1.key }.map { ($0.value.directory, positions[$0.key] ?? 0) }
    var (files, bytes) = (0, 0)
    for day in try days(since: nil, until: nil) {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(day)")) ?? []
      where name.hasSuffix(".sqlite") {
        files += 1
        bytes += (try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(day)/\(name)")[.size] as? Int) ?? 0
      }
    }
    return (stores, files, bytes)
  }
}
