// The part of a segment that the next one supersedes. Our readers skip it, but `lz4` prints it: so each line of it must
// equal the line that replaces it. A writer that left the file after a failed sync leaves only such lines, however many
// of them reached the disk.
//
// No verdict `ok` is possible while another line stands here, however many there are, and wherever checkpoints stand.
// The superseding segment begins with the record that the first line here would be, and each of its records is compared
// with the line at its position. Lines that it does not reach, since it has fewer records, replace nothing and are a
// fault as well (`end`), whether a checkpoint behind it covers it or not. If its own walk ends early, the damage that
// ends it is a finding. So a copy on another machine that took forged records before the segment that supersedes them
// is found altered, also if a checkpoint of that segment came before as many of its records.

/// The superseded end of one segment.
struct OverlapCheck {
  /// A record there.
  private struct Line {
    var leaf: TreeHash
    /// Where its block begins in the file.
    var offset: UInt64
  }

  /// The name of the segment.
  let segment: String
  /// The first offset with bytes that no writer leaves, and what they are.
  private(set) var fault: (offset: UInt64, message: String)?
  /// Where it ends in the middle of a frame that `lz4` skips: joined with the next file, it hides records of that one
  /// from those who read the log without us.
  private(set) var cut: UInt64?
  /// The position of the first record.
  private let first: UInt64
  private var lines: [Line] = []
  /// How many of them were compared.
  private var compared = 0

  /// Reads from `start` on, up to where `lz4` stops.
  ///
  /// - Throws: `StoreError` if the disk does.
  init(of file: any DiskFile, from start: UInt64, first: UInt64, segment: String) throws(StoreError) {
    self.segment = segment
    self.first = first
    var next: UInt64? = start
    while let start = next { next = try read(file, from: start) }
    // Readers look for a footer at the end. No writer leaves one here that says that the records were pruned, torn or
    // not.
    if fault == nil, try FooterPlace.form(in: file) == .pruned {
      fault = (try file.size(), "It ends as if it had been pruned")
    }
  }

  /// Compares the record at `position` in the continued log with its line here.
  mutating func see(_ leaf: TreeHash, at position: UInt64) {
    guard compared < lines.count, position == first + UInt64(compared) else { return }
    if lines[compared].leaf != leaf, fault == nil {
      fault = (lines[compared].offset, "It holds another record \(position) than the segment that replaces it")
    }
    compared += 1
  }

  /// Ends the comparison: records here that were not seen by now are nowhere else in the log.
  mutating func end() {
    guard fault == nil, compared < lines.count else { return }
    fault = (lines[compared].offset, "It holds a record \(first + UInt64(compared)) that nothing replaces")
  }

  /// Reads up to bytes that follow no format. If `lz4` continues after them, returns the place.
  private mutating func read(_ file: any DiskFile, from start: UInt64) throws(StoreError) -> UInt64? {
    let walker = try SegmentWalker(file, from: start)
    do throws(StoreError) {
      while fault == nil {
        switch try walker.next() {
        case .commit(let offset): walker.withCommit { take($0, at: offset) }
        case .skippable(let frame, let offset):
          guard [.directory, .synced, .note, .footer].contains(frame.kind) else {
            fault = (offset, "It holds a frame that no writer leaves there")
            return nil
          }
          if frame.kind == .footer, !Self.isClosing(frame) {
            fault = (offset, "It holds a footer that no writer leaves there")
          }
        case .frameStart, .frameEnd: continue
        case .end(let end):
          if end == .cut, walker.frame == nil, try Self.isSkipped(in: file, at: walker.offset) { cut = walker.offset }
          return nil
        }
      }
      return nil
    } catch {
      guard error.code == .malformed else { throw error }
      guard walker.frame != nil else { return try afterStranger(in: file, at: walker.offset) }
      if try isWholeBlock(in: file, at: walker.offset) {
        fault = (walker.offset, "It holds a block that no writer leaves there, and behind which lz4 reads on")
      }
      return nil
    }
  }

  /// Whether a frame begins that `lz4` skips without a look at its content.
  private static func isSkipped(in file: any DiskFile, at offset: UInt64) throws(StoreError) -> Bool {
    var cursor = ByteCursor(try file.read(at: offset, count: 4))
    return (try? cursor.uint32()).map { $0 & ~0xF == FrameFormat.skippableMagic & ~0xF } ?? false
  }

  /// Whether a footer is that of a segment that was closed, as a writer leaves it.
  private static func isClosing(_ frame: SkippableFrame) -> Bool {
    (try? SegmentIndex(MemoryFile(frame.body, path: "footer"), at: 0, length: frame.body.count))?.form == .closed
  }

  /// Whether a block stands in a frame whose checksum is right: `lz4` continues after it, and a torn block has none.
  private func isWholeBlock(in file: any DiskFile, at offset: UInt64) throws(StoreError) -> Bool {
    var cursor = ByteCursor(try file.read(at: offset, count: 4))
    guard let size = try? cursor.uint32() else { return false }
    let length = Int(size & ~FrameFormat.rawBlock)
    guard length <= FrameFormat.largestCommit else { return false }
    let block = try file.read(at: offset + 4, count: length + 4)
    guard block.count == length + 4 else { return false }
    // SAFETY: the bytes are read while they are lent.
    let sum = unsafe block.prefix(length).withUnsafeBytes { unsafe XXH32.checksum($0) }
    var tail = ByteCursor(Array(block.suffix(4)))
    return (try? tail.uint32()) == sum
  }

  /// Bytes that are not in our format may be torn, or a frame that `lz4` skips or prints.
  private mutating func afterStranger(in file: any DiskFile, at offset: UInt64) throws(StoreError) -> UInt64? {
    var cursor = ByteCursor(try file.read(at: offset, count: 8))
    guard let magic = try? cursor.uint32() else { return nil }
    if magic == FrameFormat.skippableMagic {
      let next = (try? cursor.uint32()).map { offset + 8 + UInt64($0) }
      guard let next, try next <= file.size() else {
        cut = offset
        return nil
      }
      return next
    }
    let isForLZ4 = magic == FrameFormat.magic || magic == 0x184C_2102 || magic & ~0xF == FrameFormat.skippableMagic
    if isForLZ4 { fault = (offset, "It holds an LZ4 frame of another kind than the log writes") }
    return nil
  }

  private mutating func take(_ commit: Span<UInt8>, at offset: UInt64) {
    var start = 0
    while start < commit.count {
      let end = CommitLines.lineEnd(in: commit, from: start)
      guard end < commit.count else {
        fault = fault ?? (offset, "It holds a commit that ends in the middle of a line")
        return
      }
      // There may be many short lines: each is kept until its replacement arrives.
      guard end - start >= Envelope.shortestLine else {
        fault = fault ?? (offset, "It holds a line that is no record")
        return
      }
      lines.append(Line(leaf: MerkleTree.leaf(commit.extracting(start..<end)), offset: offset))
      start = end + 1
    }
  }
}
