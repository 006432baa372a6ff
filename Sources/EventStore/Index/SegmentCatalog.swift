// The indexes of a store's segments, loaded as they are asked for, and kept: of each closed segment the filter, of some
// the summary and the open files, of the last one what is in memory.
import Foundation

/// Knows where the records of a stream, and a position, are. Safe from any thread; shared by the copies of a reader.
final class SegmentCatalog: @unchecked Sendable {  // guarded by `guardian`
  /// A closed segment: its file and its index.
  struct Closed: Sendable {
    /// The segment file.
    let file: any DiskFile
    /// Its index.
    let index: SegmentIndex
  }

  private let layout: StoreLayout
  private let disk: any Disk
  private let guardian = NSLock()
  private var filters: [UInt64: StreamFilter] = [:]
  private var closed: [UInt64: Closed] = [:]
  private var order: [UInt64] = []
  private var active: ActiveIndex?
  private var pruning: UInt64 = 0

  /// How many closed segments are kept with their summaries, each with one or two open files.
  private static let limit = 64

  init(layout: StoreLayout, disk: any Disk) {
    self.layout = layout
    self.disk = disk
  }

  /// False if the closed segment `first`, followed by `next`, certainly has no such stream.
  func mayHave(_ key: StreamKey, in first: UInt64, before next: UInt64) throws(StoreError) -> Bool {
    if let filter = locked({ filters[first] }) { return filter.mayHave(key) }
    return try segment(first, before: next).index.filter.mayHave(key)
  }

  /// The closed segment `first`, which `next` follows. Its index is that of its footer, else made from its directories,
  /// else, if these are damaged, from its lines: `verify` compares both with the lines.
  ///
  /// - Throws: `altered` if no index can be made.
  func segment(_ first: UInt64, before next: UInt64) throws(StoreError) -> Closed {
    if let known = locked({ closed[first] }), try !known.file.isReplaced() { return known }
    let file = try disk.open(layout.segment(first), .read)
    let found = Closed(file: file, index: try index(of: file, first: first, before: next))
    keep(found, of: first)
    return found
  }

  /// Rebuilds the index from the lines of the segment; believes a footer only if the records were pruned.
  func rebuilt(_ first: UInt64, before next: UInt64) throws(StoreError) -> Closed {
    let file = try disk.open(layout.segment(first), .read)
    if let footer = try? FooterPlace.index(in: file), footer.isPruned, footer.first == first, footer.end == next {
      // The records are gone: the footer is the only source.
      return Closed(file: file, index: footer)
    }
    let found = Closed(file: file, index: try made(from: file, first: first, before: next, trustingDirectories: false))
    keep(found, of: first)
    return found
  }

  /// Lends what is known of the last segment, brought up to date.
  func withActive<Result>(
    _ first: UInt64, _ body: (ActiveIndex) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guardian.lock()
    defer { guardian.unlock() }
    var index: ActiveIndex
    if let known = active, known.first == first, try !known.file.isReplaced() {
      index = known
      active = nil  // leaves one owner, so that nothing is copied
    } else {
      index = try ActiveIndex(first, of: try disk.open(layout.segment(first), .read))
      dropReplaced()
    }
    defer { active = index }
    try index.update()
    return try body(index)
  }

  private func index(of file: any DiskFile, first: UInt64, before next: UInt64) throws(StoreError) -> SegmentIndex {
    do throws(StoreError) {
      if let footer = try FooterPlace.index(in: file) {
        // The end of a segment before the one that supersedes it may be what a failed sync left.
        let isLeft = footer.form == .closed && (try? limit(by: next)) != nil
        if footer.first == first, footer.end == next, !isLeft { return footer }
        return try made(from: file, first: first, before: next, trustingDirectories: false)
      }
      return try made(from: file, first: first, before: next, trustingDirectories: true)
    } catch {
      guard error.code == .malformed || error.code == .torn else { throw error }
      return try made(from: file, first: first, before: next, trustingDirectories: false)
    }
  }

  private func made(
    from file: any DiskFile, first: UInt64, before next: UInt64, trustingDirectories: Bool
  ) throws(StoreError) -> SegmentIndex {
    do throws(StoreError) {
      let contents =
        trustingDirectories
        ? try SegmentContents(directoriesOf: file, limit: try limit(by: next))
        : try SegmentContents(linesOf: file, limit: try limit(by: next))
      guard contents.first == first, contents.frontier.size == next else {
        throw StoreError(.malformed, "the segment does not end where the next begins", file: file.path)
      }
      let body = SegmentIndex.encode(contents)
      return try SegmentIndex(MemoryFile(body, path: file.path), at: 0, length: body.count)
    } catch {
      guard !trustingDirectories, error.code == .malformed || error.code == .torn else { throw error }
      throw StoreError(
        .altered, error.message, file: error.file ?? file.path, position: error.position, offset: error.offset,
        advice: "run auditctl verify")
    }
  }

  /// `next` if it supersedes what stands before it.
  private func limit(by next: UInt64) throws(StoreError) -> UInt64? {
    try SegmentHeader.supersedes(next, in: layout, on: disk) ? next : nil
  }

  /// Closes files that were replaced or removed: their bytes stay on the disk until then.
  func forgetReplaced() { locked { dropReplaced() } }

  /// The same, with `guardian` held.
  private func dropReplaced() {
    for (first, segment) in closed where (try? segment.file.isReplaced()) != false {
      closed[first] = nil
      order.removeAll { $0 == first }
    }
    if let known = active, (try? known.file.isReplaced()) != false { active = nil }
  }

  /// The highest position before which the signed part of the log is known to say that all was pruned; 0 until such a
  /// record was read. What is signed does not change, so that it need not be read again.
  var knownPruning: UInt64 { locked { pruning } }

  /// Remembers that a signed record says that all before `position` was pruned.
  func notePruning(before position: UInt64) { locked { pruning = max(pruning, position) } }

  /// Where in its file the frame ends whose last record is the one before `position`, in the segment `first`, which
  /// `next` follows if it is closed; nil if no frame ends there, or the segment was sealed or pruned.
  func frameEnd(
    at position: UInt64, in first: UInt64, before next: UInt64?
  ) throws(StoreError) -> (file: any DiskFile, offset: UInt64)? {
    guard position > first else { return nil }
    let found: (file: any DiskFile, frame: IndexedFrame?)
    if let next {
      let segment = try segment(first, before: next)
      guard segment.index.form == .closed else { return nil }
      found = (segment.file, segment.index.frame(of: position - 1))
    } else {
      found = try withActive(first) { index throws(StoreError) in
        (file: index.file, frame: index.frame(of: position - 1))
      }
    }
    guard let frame = found.frame, frame.end == position else { return nil }
    return (found.file, frame.offset + UInt64(frame.length))
  }

  private func keep(_ segment: Closed, of first: UInt64) {
    locked {
      filters[first] = segment.index.filter
      closed[first] = segment
      order.removeAll { $0 == first }
      order.append(first)
      if order.count > Self.limit { closed[order.removeFirst()] = nil }
    }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    guardian.lock()
    defer { guardian.unlock() }
    return body()
  }
}
