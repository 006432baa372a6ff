// Readers look for the last directory and the footer of a segment from its end; a check walks from its beginning.

/// The two ends of a segment.
enum SegmentEnds {
  /// Whether the directory and the footer that readers find from the end of a segment are also found by a walk from its
  /// beginning. One inside a block, or inside a torn write, was planted there. Cost: a hop over all blocks. May run
  /// beside a writer.
  static func agree(of file: any DiskFile, headEnd: UInt64) throws(StoreError) -> Bool {
    for _ in 0..<3 {
      let size = try file.size()
      let footer = try FooterPlace.body(in: file)?.offset
      let last = try DirectoryChain.last(of: file, headEnd: headEnd)
      let walker = try SegmentWalker(file, from: headEnd, decoding: false)
      var (directory, walkedFooter): (UInt64, UInt64?) = (0, nil)
      walk: while true {
        do throws(StoreError) {
          switch try walker.next() {
          case .skippable(let frame, let offset) where frame.kind == .directory: directory = offset
          case .skippable(let frame, let offset) where frame.kind == .footer:
            walkedFooter = offset + UInt64(FooterPlace.headLength)
          case .end: break walk
          case .frameStart, .commit, .frameEnd, .skippable: continue
          }
        } catch {
          guard error.code == .malformed else { throw error }
          break walk
        }
      }
      if footer == walkedFooter, last.offset == directory { return true }
      if try file.size() == size { return false }
    }
    // The segment is being written all the time; a later check will find it.
    return true
  }
}
