// Makes the index of a segment from the segment: from its directories, or from its lines if these cannot be trusted.

extension SegmentContents {
  /// From the directories of a closed segment; frames from `limit` on, which the next segment supersedes, are left out.
  /// Cost: a small read a frame.
  ///
  /// - Throws: `malformed` if one is damaged.
  init(directoriesOf file: any DiskFile, limit: UInt64?) throws(StoreError) {
    let head = try FileHead(of: file)
    let header = try SegmentHeader(frame: head.frame)
    let last = try DirectoryChain.last(of: file, headEnd: head.end, limit: limit)
    var directories: [FrameDirectory] = []
    var next = last.directory
    while let directory = next {
      directories.append(directory)
      next = try DirectoryChain.directory(before: directory, of: file, wantingStreams: true)
    }
    try self.init(directories: directories.reversed(), header: header.frontier, limit: limit ?? .max)
  }

  /// From the lines of a closed segment: decodes and hashes all of it. Lines from `limit` on are left out. Calls
  /// `visit` with each line, its position and its hash.
  ///
  /// - Throws: `malformed` if a block or line is damaged.
  init(
    linesOf file: any DiskFile, limit: UInt64?,
    visit: (Span<UInt8>, UInt64, TreeHash) throws(StoreError) -> Void = { _, _, _ in }
  ) throws(StoreError) {
    let head = try FileHead(of: file)
    self.init(first: 0, frontier: MerkleFrontier())
    let header = try SegmentHeader(frame: head.frame)
    self.init(first: header.first, frontier: header.frontier)
    let walker = try SegmentWalker(file, from: head.end)
    let limit = limit ?? .max
    var gathering = StreamGathering()
    var start: (offset: UInt64, first: UInt64)?
    walk: while frontier.size < limit || start != nil {
      switch try walker.next() {
      case .frameStart(let offset): start = (offset, frontier.size)
      case .commit:
        try walker.withCommit { commit throws(StoreError) in
          rawBytes &+= UInt64(commit.count)
          try CommitLines.forEach(in: commit) { line, _ throws(StoreError) in
            let envelope = try Envelope(parsing: line)
            guard envelope.position == frontier.size else {
              throw StoreError(.malformed, "record \(envelope.position) stands where \(frontier.size) should")
            }
            let name = CommitLines.array(line.extracting(envelope.stream))
            gathering.add(name, revision: envelope.revision, position: envelope.position)
            let hash = MerkleTree.leaf(line)
            frontier.append(hash)
            try visit(line, envelope.position, hash)
          }
        }
      case .frameEnd:
        guard let begun = start, frontier.size > begun.first, let length = UInt32(exactly: walker.offset - begun.offset)
        else { throw StoreError(.malformed, "a frame has no commit", file: file.path, offset: walker.offset) }
        frames.append(
          IndexedFrame(
            offset: begun.offset, first: begun.first, length: length, count: UInt32(frontier.size - begun.first)))
        start = nil
      case .skippable: continue
      case .end(.whole): break walk
      case .end:
        throw StoreError(
          .malformed, "the segment ends in the middle of a frame", file: file.path, offset: walker.offset)
      }
    }
    streams = gathering.sorted
  }
}
