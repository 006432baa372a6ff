// The check of what only sealed and pruned segments have, and of footers.

extension LogCheck {
  mutating func checkLeaves(
    _ frame: SkippableFrame, at offset: UInt64, walk: inout SegmentWalk
  ) throws(StoreError) {
    do throws(StoreError) {
      guard !isAhead else { throw StoreError(.malformed, "what was pruned is not checked ahead") }
      guard let hashes = try walk.footer?.hashes(of: frame, at: offset, after: frontier) else {
        throw StoreError(.malformed, "hashes of pruned records in a segment without footer")
      }
      pruning.note(frontier.size..<frontier.size + UInt64(hashes.count), in: walk.name, at: offset)
      for hash in hashes {
        frontier.append(hash)
        noteRoot()
        walk.footer?.add(hash)
        checkNotes(of: &walk)
      }
    } catch {
      throw StoreError(.malformed, error.message, offset: offset)
    }
  }

  mutating func checkFooter(
    _ body: [UInt8], at offset: UInt64, walk: inout SegmentWalk
  ) throws(StoreError) {
    do throws(StoreError) {
      guard let pruned = try walk.footer?.complete(with: body, frontier: frontier), walk.owed == nil else {
        throw StoreError(.malformed, "a footer that does not end its segment")
      }
      for stream in pruned where !pruning.take(stream) && whole == nil {
        throw StoreError(.malformed, "the footer says another revision of a stream than the one before it")
      }
    } catch {
      throw StoreError(.malformed, error.message, offset: offset)
    }
    for pending in walk.footer?.notes ?? [] {
      find(
        .altered, walk, offset: pending.offset,
        "A checkpoint of \(pending.note.size) records stands in a segment that ends at \(frontier.size).")
    }
    synced = max(synced, frontier.size)
  }

  /// Compares the checkpoints of a sealed segment, which stand before its records, as the walk reaches their places.
  mutating func checkNotes(of walk: inout SegmentWalk) {
    while let next = walk.footer?.notes.first, next.note.size <= frontier.size {
      walk.footer?.notes.removeFirst()
      if next.note.size < frontier.size {
        let message = "A checkpoint of \(next.note.size) records stands behind a larger one."
        find(.altered, walk, offset: next.offset, message)
      } else if next.note.root == frontier.root {
        agreed(next.note)
      } else {
        find(
          .forked, walk, offset: next.offset,
          "The checkpoint of \(next.note.size) records states another root.")
      }
    }
  }

  /// The revision that a stream not seen before must begin with: 0, or the number of its pruned records; if that is
  /// unknown, the revision that it has.
  func firstRevision(of stream: Span<UInt8>, as found: Int) -> Int {
    whole == nil && !isAhead ? pruning.nextRevision(of: stream) : found
  }
}
