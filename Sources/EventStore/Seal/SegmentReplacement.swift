// Replaces the file of a closed segment: the new file is complete and compared before it gets the name, or nothing
// changes. Sealing and pruning differ only in what they write.

/// Replaces closed segments. The caller has the store's lock, and replaces one at a time.
struct SegmentReplacement {
  /// The result of replacing a segment.
  struct Outcome: Sendable {
    /// The size of the file before.
    var before: UInt64
    /// The size of the file now.
    var after: UInt64
  }

  /// A new form of a segment while it is written.
  final class Draft {
    let file: any DiskFile
    private(set) var offset: UInt64 = 0

    init(_ file: any DiskFile) { self.file = file }

    /// Writes bytes at the end.
    func write(_ bytes: [UInt8]) throws(StoreError) {
      try file.write(bytes.span, at: offset)
      offset += UInt64(bytes.count)
    }
  }

  let layout: StoreLayout
  let disk: any Disk

  /// Replaces the segment `first`, which `next` follows. `body` writes everything between header and footer, and
  /// returns the content of the footer; `compare` reads the draft back. Returns nil if it cannot be done now: the next
  /// opening must first move away the bytes that `next` supersedes, or the index would be over 64 MiB.
  ///
  /// A reader that has the old file open continues with it.
  ///
  /// - Throws: `altered` if the segment is damaged or does not end in the root that `next` states, and what the disk
  ///   throws; the segment is then as it was.
  func replace(
    _ first: UInt64, before next: UInt64,
    body: (_ old: any DiskFile, _ limit: UInt64?, _ draft: Draft) throws(StoreError) -> SegmentContents,
    compare: (any DiskFile, SegmentContents) throws(StoreError) -> Bool
  ) throws(StoreError) -> Outcome? {
    let path = layout.segment(first)
    let name = path + ".tmp"
    let old = try disk.open(path, .read)
    if try disk.exists(name, in: layout.segments) { try disk.remove(name) }
    do throws(StoreError) {
      let after = try SegmentHeader(of: next, in: layout, on: disk)
      let head = try FileHead(of: old)
      if after.supersedes != nil, try SegmentSealer.takes(old),
        try DirectoryChain.last(of: old, headEnd: head.end).end != old.size()
      {
        return nil  // the bytes after it are superseded, and not yet moved away
      }
      let draft = Draft(try disk.open(name, .createNew))
      // The header stays, byte for byte; the checkpoints come before the records, since a block may span their places.
      try draft.write(try old.read(at: 0, count: Int(head.end)))
      for note in try Self.notes(of: old, from: head.end) { try draft.write(note.encoded) }
      let contents = try body(old, after.supersedes, draft)
      guard contents.first == first, contents.frontier == after.frontier else {
        throw StoreError(
          .altered, "the segment does not end in the root that the next one states", file: path, position: next)
      }
      let footer = SegmentIndex.encode(contents)
      guard footer.count <= FrameFormat.largestPayload - SkippableFrame.overhead else {
        try disk.remove(name)
        return nil
      }
      try draft.write(SkippableFrame(kind: .footer, body: footer).encoded)
      try draft.file.sync()
      guard try compare(draft.file, contents), try FooterPlace.index(in: draft.file)?.end == next else {
        throw StoreError(
          .io, "what was written does not read as it was meant", file: name,
          advice: "check the disk and the memory of this machine")
      }
      let outcome = Outcome(before: try old.size(), after: draft.offset)
      try disk.rename(name, to: path)
      try disk.syncDirectory(layout.segments)
      return outcome
    } catch {
      if (try? disk.exists(name, in: layout.segments)) == true { try? disk.remove(name) }
      guard error.code == .malformed || error.code == .torn || error.code == .altered else { throw error }
      throw StoreError(
        .altered, error.message, file: error.file ?? path, position: error.position, offset: error.offset,
        advice: "it was left as it is; run auditctl verify")
    }
  }

  /// The checkpoints of a segment, in order.
  private static func notes(of file: any DiskFile, from start: UInt64) throws(StoreError) -> [SkippableFrame] {
    let walker = try SegmentWalker(file, from: start, decoding: false)
    var notes: [SkippableFrame] = []
    while true {
      switch try walker.next() {
      case .skippable(let frame, _): if frame.kind == .note { notes.append(frame) }
      case .end: return notes
      case .frameStart, .commit, .frameEnd: continue
      }
    }
  }
}
