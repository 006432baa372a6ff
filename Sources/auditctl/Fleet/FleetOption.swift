import ArgumentParser
import AuditReports
import EventStore
import Fleet
import FlowRecording
import Foundation
import ReadModel

/// The directory of a fleet.
struct FleetOption: ParsableArguments {
  @Option(help: ArgumentHelp("The fleet's directory.", valueName: "DIR")) var fleet: String

  /// Its layout.
  var folder: FleetFolder { FleetFolder(fleet, disk: SystemDisk()) }

  /// The active hosts' copies that are there, with the names of their hosts.
  ///
  /// - Throws: exit 66 if it is no fleet's directory, or nothing was collected.
  func copies() throws -> [(host: Roster.Host, directory: String)] {
    let folder = folder
    let known = Set((try? folder.disk.names(in: folder.hosts)) ?? [])
    let found = try folder.roster().hosts.values.sorted { ($0.name, $0.store) < ($1.name, $1.store) }
      .filter { known.contains($0.store) }.map { ($0, folder.host($0.store)) }
      .filter { (try? folder.disk.exists($0.1 + "/store.json", in: $0.1)) == true }
    guard !found.isEmpty else {
      throw CommandFailure(.notFound, "nothing was collected in \(fleet.printable); run auditctl collect")
    }
    return found
  }

  /// Readers of the copies that can be read. Each of the others is said on stderr.
  ///
  /// - Parameter isReadable: throws if a copy that can be opened cannot be read; by default nothing more is looked at.
  /// - Returns: the readers, and why the last of the others cannot be read.
  /// - Throws: as `copies()` does.
  func readers(
    _ isReadable: (LogReader) throws(StoreError) -> Void = { _ throws(StoreError) in }
  ) throws -> (copies: [(host: Roster.Host, log: LogReader)], damage: StoreError?) {
    var (readers, damage): ([(host: Roster.Host, log: LogReader)], StoreError?) = ([], nil)
    for host in try missing() {
      let error = StoreError(
        .missingSegment, "the copy is gone, of which the fleet's store has a checkpoint", file: folder.host(host.store),
        advice: "put it back, or let it be collected again")
      Messages.say("\(host.name) is left out: \(error.description)".printable)
      damage = error
    }
    for copy in try copies() {
      do throws(StoreError) {
        let log = try LogReader(directory: copy.directory)
        try isReadable(log)
        readers.append((copy.host, log))
      } catch {
        Messages.say("\(copy.host.name) is left out: \(error.description)".printable)
        damage = error
      }
    }
    return (readers, damage)
  }

  /// All copies, if there is an index of them: it was made by reading each, and only what is new is read now. If one of
  /// them cannot be read, none: each is looked at then.
  private func indexed(_ index: IndexOption) throws -> [LogSource]? {
    guard !index.isIgnored, let readable = try readableCopies(),
      FileManager.default.fileExists(atPath: index.place(of: readable))
    else { return nil }
    return readable.map { .store($0) }
  }

  /// Answers from all copies: from their index if there is one, else from those that can be read.
  ///
  /// - Throws: exit 65, after the answer, if a copy cannot be read.
  func ask(_ index: IndexOption, _ answer: ([LogSource]) throws -> Void) throws {
    if let sources = try indexed(index) {
      Self.warn(of: sources)
      do {
        return try answer(sources)
      } catch let error as StoreError {
        Messages.say("The index is not used: \(error.description.printable)")
      }
    }
    let (copies, damage) = try readers { log throws(StoreError) in try log.forEach { _ in } }
    if !copies.isEmpty {
      let sources = Self.once(copies.map(\.log)).map(LogSource.store)
      Self.warn(of: sources)
      try answer(sources)
    }
    if let damage { throw damage }
  }

  /// The copies, without those whose records are all in the copy of a store that was restored from theirs: they would
  /// count twice.
  static func once(_ logs: [LogReader]) -> [LogReader] {
    let known = Dictionary(logs.map { ($0.identity.id, $0) }, uniquingKeysWith: { one, _ in one })
    var left: Set<String> = []
    // One that is left out itself leaves out no other.
    for log in logs where !left.contains(log.identity.id) {
      for before in log.identity.restoredFrom {
        guard before.store != log.identity.id, let older = known[before.store],
          let records = try? older.size(), records <= before.size,
          // A copy keeps records that the store has pruned.
          let (kept, olderKept) = try? (log.firstKept(), older.firstKept()), kept <= olderKept,
          // A host can name any store: the trees say whether the records are the same.
          let (root, olderRoot) = try? (log.root(at: records), older.root(at: records)), root == olderRoot
        else { continue }
        left.insert(before.store)
      }
    }
    return logs.filter { !left.contains($0.identity.id) }
  }

  /// Says on stderr which sources have records in common.
  static func warn(of sources: [some RecordReading]) {
    let parts = sources.map(\.identity.lineage)
    for (place, part) in parts.enumerated() {
      for before in parts.indices[..<place] where part.count > 1 || parts[before].count > 1 {
        let common = part.compactMap { store, size in parts[before][store].map { min(size, $0) } }.max() ?? 0
        guard common > 0 else { continue }
        let sentence =
          "\(sources[before].directory) and \(sources[place].directory) have up to "
          + "\(Quantity.count(Int(clamping: common), "record")) in common, one restored from the other or both from "
          + "a third store; those of both count twice"
        Messages.say(sentence.printable)
      }
    }
  }

  /// The index by day, up to date, if there is one, and all copies can be read.
  func dayIndex(_ index: IndexOption) throws -> DayIndex? {
    guard !index.isIgnored, let logs = try readableCopies() else { return nil }
    let days = try ProgressBar.during("Indexing", .records) { progress in
      try DayIndex.open(logs, in: folder.index, mode: .existing, progress: progress)
    }
    if days != nil { Self.warn(of: logs) }
    return days
  }

  /// All copies that count; nil if one of them is gone or cannot be opened.
  private func readableCopies() throws -> [LogReader]? {
    let logs = try copies().map { try? LogReader(directory: $0.directory) }
    let readable = logs.compactMap { $0 }
    return try readable.count == logs.count && missing().isEmpty ? Self.once(readable) : nil
  }

  /// The hosts of which the fleet's store has a checkpoint, and whose copies are gone.
  private func missing() throws -> [Roster.Host] {
    let there = Set(try copies().map(\.host.store))
    return try folder.roster().hosts.values.filter { $0.checkpoint != nil && !there.contains($0.store) }
      .sorted { ($0.name, $0.store) < ($1.name, $1.store) }
  }
}
