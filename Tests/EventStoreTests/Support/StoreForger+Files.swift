// Puts the parts of a store together again.
@testable import EventStore

extension StoreForger {
  /// What the forger knows of the log while the files are made.
  private struct Log {
    /// The tree at each size, from 0 on.
    var trees = [MerkleFrontier()]
    /// The stream of each record; nil of one that was pruned.
    var streams: [String?] = []
    /// The first revision of streams whose beginning was pruned.
    var begun: [String: Int] = [:]
    var size: Int { streams.count }

    mutating func cut(to size: Int) {
      streams.removeLast(max(streams.count - size, 0))
      trees.removeLast(trees.count - streams.count - 1)
    }

    mutating func append(_ leaf: TreeHash, of stream: String?) {
      var tree = trees[size]
      tree.append(leaf)
      trees.append(tree)
      streams.append(stream)
    }

    func revision(of stream: String) -> Int {
      begun[stream, default: 0] + streams.count { $0 == stream }
    }
  }

  /// The files of the store, by path relative to it.
  mutating func files(_ repairs: Repairs) throws -> [String: [UInt8]] {
    var log = Log()
    for index in segments.indices { number(index, repairs, &log) }
    // Once more, now that the trees behind a segment are known, which notes in front of its records speak of.
    var again = Log()
    again.begun = log.begun
    var files = others
    for index in segments.indices {
      let bytes = try encoded(index, repairs, &again, trees: log.trees)
      files["segments/" + SegmentName.name(first: segments[index].name)] = bytes
    }
    if repairs.signatures { try sign(&files, trees: log.trees) }
    return files
  }

  /// Where a segment begins: where its header says if it supersedes, else behind the one before.
  private func start(_ segment: Segment, in log: Log) -> Int {
    segment.header.supersedes == nil ? log.size : Swift.min(log.size, Int(clamping: segment.header.first))
  }

  /// Gives the lines of a segment their numbers, and takes note of its records.
  private mutating func number(_ index: Int, _ repairs: Repairs, _ log: inout Log) {
    log.cut(to: start(segments[index], in: log))
    for part in segments[index].parts.indices {
      switch segments[index].parts[part] {
      case .frame(var commits, let isOpen):
        for commit in commits.indices {
          for line in commits[commit].indices {
            let record = try? StoredRecord(line: commits[commit][line])
            if let record, repairs.numbers {
              if !log.streams.contains(record.stream), log.streams.contains(nil) {
                log.begun[record.stream] = record.revision
              }
              let revision = log.revision(of: record.stream)
              commits[commit][line] = Self.numbered(
                commits[commit][line], position: UInt64(log.size), revision: revision)
            }
            log.append(MerkleTree.leaf(commits[commit][line]), of: record?.stream ?? "")
          }
        }
        segments[index].parts[part] = .frame(commits, isOpen: isOpen)
      case .ours(let frame):
        guard frame.kind == .leaves, let leaves = try? LeafHashes(body: frame.body) else { continue }
        for hash in leaves.hashes { log.append(hash, of: nil) }
      }
    }
  }

  /// A file while it is made.
  private struct Draft {
    var bytes: [UInt8]
    var contents: SegmentContents
    var gathering = StreamGathering()
    var leaves: [TreeHash] = []
    /// What the directory of the last frame would say.
    var last: FrameDirectory?
    /// Where the last directory stands.
    var directory: UInt64 = 0
  }

  /// The file of a segment.
  private mutating func encoded(
    _ index: Int, _ repairs: Repairs, _ log: inout Log, trees: [MerkleFrontier]
  ) throws -> [UInt8] {
    let begins = start(segments[index], in: log)
    log.cut(to: begins)
    if repairs.headers {
      var header = segments[index].header
      header.frontier = log.trees[begins]
      header.previous = index > 0 ? segments[index - 1].name : nil
      if header.supersedes != nil { header.supersedes = UInt64(begins) }
      segments[index].header = header
      segments[index].name = UInt64(begins)
    }
    let segment = segments[index]
    var draft = Draft(
      bytes: FrameFormat.prologue + (try segment.header.frame()).encoded,
      contents: SegmentContents(first: UInt64(begins), frontier: log.trees[begins]))
    draft.contents.form = segment.form
    for part in segment.parts {
      switch part {
      case .frame(let commits, let isOpen): try add(commits, isOpen: isOpen, to: &draft, &log)
      case .ours(let frame):
        let body = try body(of: frame, in: segment, repairs, &draft, &log, trees: trees)
        if frame.kind == .directory { draft.directory = UInt64(draft.bytes.count) }
        draft.bytes += SkippableFrame(kind: frame.kind, body: body).encoded
      }
    }
    return draft.bytes + segment.rest
  }

  /// Adds a frame of records.
  private func add(_ commits: [[[UInt8]]], isOpen: Bool, to draft: inout Draft, _ log: inout Log) throws {
    let compressor = try BlockCompressor()
    let (offset, first) = (draft.bytes.count, log.size)
    try compressor.begin(into: &draft.bytes)
    var (raw, largest) = (0, 0)
    var streams: [FrameDirectory.Stream] = []
    for lines in commits where !lines.isEmpty {
      var commit: [UInt8] = []
      for line in lines {
        commit += line + [0x0A]
        let position = UInt64(log.size)
        let record = try? StoredRecord(line: line)
        let leaf = MerkleTree.leaf(line)
        draft.leaves.append(leaf)
        log.append(leaf, of: record?.stream ?? "")
        guard let record else { continue }
        let name = Array(record.stream.utf8)
        draft.gathering.add(name, revision: record.revision, position: position)
        if let known = streams.firstIndex(where: { $0.name == name }) {
          streams[known].positions.append(position)
        } else {
          streams.append(.init(name: name, firstRevision: record.revision, positions: [position]))
        }
      }
      raw += commit.count
      largest = Swift.max(largest, try compressor.add(commit.span, into: &draft.bytes))
    }
    if !isOpen { draft.bytes += FrameFormat.ending(afterBlockOf: largest) }
    let said = FrameDirectory(
      previous: 0, offset: UInt64(offset), length: UInt64(draft.bytes.count - offset), first: UInt64(first),
      count: UInt32(log.size - first), rawBytes: UInt64(raw), synced: UInt64(log.size), frontier: log.trees[log.size],
      streams: streams)
    draft.last = said
    draft.contents.rawBytes += said.rawBytes
    guard said.count > 0 else { return }
    draft.contents.frames.append(
      IndexedFrame(offset: said.offset, first: said.first, length: UInt32(said.length), count: said.count))
  }

  /// What a frame of ours says, made good again.
  private func body(
    of frame: SkippableFrame, in segment: Segment, _ repairs: Repairs, _ draft: inout Draft, _ log: inout Log,
    trees: [MerkleFrontier]
  ) throws -> [UInt8] {
    switch frame.kind {
    case .directory:
      guard repairs.directories, var said = draft.last else { return frame.body }
      said.previous = draft.directory
      if let old = try? FrameDirectory(body: frame.body, wantingStreams: false) {
        said.synced = Swift.min(old.synced, said.end)
      }
      return said.encoded
    case .note where repairs.signatures:
      guard let text = String(validating: frame.body, as: UTF8.self), let note = try? SignedNote(text: text) else {
        return frame.body
      }
      return Array(try signed(segment.form == .closed ? log.size : Int(clamping: note.size), trees).utf8)
    case .leaves:
      guard var said = try? LeafHashes(body: frame.body) else { return frame.body }
      if repairs.headers { said.first = UInt64(log.size) }
      draft.contents.frames.append(
        IndexedFrame(
          offset: UInt64(draft.bytes.count), first: said.first, length: UInt32(frame.length),
          count: UInt32(said.hashes.count)))
      for hash in said.hashes { log.append(hash, of: nil) }
      draft.leaves += said.hashes
      return said.frame.body
    case .footer:
      guard repairs.footers else { return frame.body }
      var contents = draft.contents
      contents.frontier = log.trees[log.size]
      contents.streams = segment.form == .pruned ? segment.prunedStreams : draft.gathering.sorted
      if segment.form == .pruned { contents.rawBytes = segment.prunedBytes }
      if segment.form != .closed, draft.leaves.count == Int(contents.count) {
        contents.nodes = SegmentNodes(contents.first..<contents.frontier.size).hashes(of: draft.leaves)
      }
      return SegmentIndex.encode(contents)
    case .head, .note, .synced: return frame.body
    }
  }

  // MARK: Signatures

  private func signed(_ size: Int, _ trees: [MerkleFrontier]) throws -> String {
    let size = Swift.min(size, trees.count - 1)
    return try SignedNote(
      origin: key.verifier.name, size: UInt64(size), root: trees[size].root, signedBy: key
    ).text
  }

  /// Signs all checkpoints with the forger's key, and has `store.json` name it.
  private func sign(_ files: inout [String: [UInt8]], trees: [MerkleFrontier]) throws {
    for (name, bytes) in others.sorted(by: { $0.key < $1.key }) where name.hasPrefix("checkpoints/") {
      guard let note = try? SignedNote(bytes: bytes, of: name) else { continue }
      let text = try signed(Int(clamping: note.size), trees)
      files[name] = nil
      let number = text.split(separator: "\n")[1]
      files[name.hasSuffix("latest") ? name : "checkpoints/\(number)"] = Array(text.utf8)
    }
    guard let bytes = others["store.json"] else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let named = try? JSON(parsing: bytes)["publicKey"]?.string else { return }
    files["store.json"] = Array(text.replacing(named, with: key.verifier.description).utf8)
  }
}
