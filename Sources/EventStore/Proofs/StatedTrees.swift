// The places where a log states its own tree: at the beginning of each segment, and, in unsealed segments, after each
// frame. A proof starts from there, so that it decodes a few frames at most.

/// The trees that the files of a log state, found as they are asked for. For one look-up; not for two threads at a
/// time.
final class StatedTrees {
  /// A segment as a look-up sees it.
  struct Segment {
    /// The position of its first record.
    let first: UInt64
    /// Its file; the same one during the whole look-up, though the segment may be sealed meanwhile.
    let file: any DiskFile
    /// The frames that are known.
    let frames: [IndexedFrame]
    /// Its index; nil for the last one.
    let index: SegmentIndex?
    /// The offset from which the last segment has no directory yet.
    let tail: UInt64
    /// The position after the records of the known frames.
    let end: UInt64

    /// True if it was sealed or pruned: then it has subtree hashes, and no directories.
    var isSealed: Bool { index.map { $0.form != .closed } ?? false }
  }

  private let layout: StoreLayout
  private let disk: any Disk
  private let catalog: SegmentCatalog
  private let firsts: [UInt64]
  private var segments: [Int: Segment] = [:]
  private var stated: [UInt64: MerkleFrontier] = [:]

  /// A look-up in the segments that there are now.
  init(layout: StoreLayout, disk: any Disk, catalog: SegmentCatalog) throws(StoreError) {
    self.layout = layout
    self.disk = disk
    self.catalog = catalog
    firsts = try layout.segmentList(on: disk)
  }

  /// The tree at the largest size in `sizes` that is stated; nil if none is. A directory that is damaged states
  /// nothing.
  func frontier(in sizes: ClosedRange<UInt64>) throws(StoreError) -> MerkleFrontier? {
    let number = firsts.partitioningIndex { $0 > sizes.upperBound } - 1
    guard number >= 0 else { return nil }
    let segment = try segment(number)
    if !segment.isSealed {
      var after = segment.frames.partitioningIndex { $0.end > sizes.upperBound }
      while after > 0, segment.frames[after - 1].end >= sizes.lowerBound {
        if let found = frontier(after: segment.frames[after - 1], of: segment.file) { return found }
        after -= 1
      }
    }
    return sizes.contains(segment.first) ? try frontier(before: segment) : nil
  }

  /// The segment that holds `position`.
  ///
  /// - Throws: `noSuchPosition` if none does.
  func segment(of position: UInt64) throws(StoreError) -> Segment {
    let number = firsts.partitioningIndex { $0 > position } - 1
    guard number >= 0 else {
      throw StoreError(
        .missingSegment, "the log begins behind that record", file: layout.segments, position: position,
        advice: "put the segments back")
    }
    return try segment(number)
  }

  private func frontier(after frame: IndexedFrame, of file: any DiskFile) -> MerkleFrontier? {
    if let known = stated[frame.end] { return known }
    guard let said = try? DirectoryChain.directory(at: frame.offset + UInt64(frame.length), of: file),
      said.first == frame.first, said.end == frame.end
    else { return nil }
    stated[frame.end] = said.frontier
    return said.frontier
  }

  private func frontier(before segment: Segment) throws(StoreError) -> MerkleFrontier {
    if let known = stated[segment.first] { return known }
    let said = try SegmentHeader(frame: try FileHead(of: segment.file).frame).frontier
    guard said.size == segment.first else {
      throw StoreError(
        .malformed, "the header says another first position than the name", file: segment.file.path, offset: 11)
    }
    stated[said.size] = said
    return said
  }

  private func segment(_ number: Int) throws(StoreError) -> Segment {
    if let known = segments[number] { return known }
    let found = try load(number)
    segments[number] = found
    return found
  }

  private func load(_ number: Int) throws(StoreError) -> Segment {
    let first = firsts[number]
    func closed(before next: UInt64) throws(StoreError) -> Segment {
      let closed = try catalog.segment(first, before: next)
      return Segment(
        first: first, file: closed.file, frames: closed.index.frames, index: closed.index, tail: 0,
        end: closed.index.end)
    }
    if number + 1 < firsts.count { return try closed(before: firsts[number + 1]) }
    let (last, end) = try catalog.withActive(first) { index throws(StoreError) in
      let last = Segment(
        first: first, file: index.file, frames: index.frames, index: nil, tail: index.offset, end: index.end)
      return (last, try index.footerEnd)
    }
    return if let end { try closed(before: end) } else { last }
  }
}
