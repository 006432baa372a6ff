// What someone else publishes in a host's name.
@testable import EventStore
@testable import Fleet

extension Simulation {
  /// What is published when all else is quiet, so that nothing that comes after it brings it to light.
  enum LastWords: String, CaseIterable {
    case none
    /// The next commit with another letter in it: as long, and as well-formed.
    case twin
    /// A checkpoint by the host's key over another root, as a host that forks with equal sizes makes it.
    case note
    /// A `store.json` that names another key, or another origin.
    case identity
  }

  /// At any moment: changed bytes, a frame that belongs elsewhere, a record that follows.
  func forge(_ host: StageHost) throws {
    did("forge")
    hasForged = true
    let files = try host.files().sorted { $0.key < $1.key }
    guard !files.isEmpty else { return }
    let file = files[chance(files.count)]
    guard let first = SegmentName.first(of: file.key) else { return }
    var bytes = file.value
    var start = bytes.isEmpty ? 0 : chance(bytes.count)
    switch chance(4) {
    case 0: bytes[start] ^= 1 << UInt8(chance(8))
    case 1: bytes += SkippableFrame(kind: .synced, body: [UInt8](repeating: 0, count: 8)).encoded
    case 2: return try forgeIdentity(of: host)
    default: return forgeRecord(of: host, behind: files[files.count - 1])
    }
    start = max(0, min(start, bytes.count - 1) - chance(200))
    engine.store(
      FleetMessage(
        store: host.id, content: .written, place: MirrorPlace(segment: first, offset: UInt64(start)),
        bytes: Array(bytes[start...].prefix(600))))
  }

  /// Well-formed, and the next record: a frame of its own.
  private func forgeRecord(of host: StageHost, behind last: (key: String, value: [UInt8])) {
    guard let size = host.log?.size, let first = SegmentName.first(of: last.key) else { return }
    let line =
      "{\"n\":\(size),\"at\":\"2026-11-21T08:35:00.123456Z\",\"stream\":\"forged\",\"rev\":0,\"type\":\"t\",\"v\":1,\"data\":{}}\n"
    let block = Array(line.utf8)
    var frame = FrameFormat.frameHeader
    frame.appendUInt32(UInt32(block.count) | FrameFormat.rawBlock)
    frame += block
    frame.appendUInt32(block.withUnsafeBytes { XXH32.checksum($0) })
    engine.store(
      FleetMessage(
        store: host.id, content: .written,
        place: MirrorPlace(segment: first, offset: UInt64(last.value.count)), bytes: frame))
  }

  private func forgeIdentity(of host: StageHost) throws {
    var identity = try StoreIdentity(of: StoreLayout(host.directory), on: host.disk)
    if chance(2) == 0 { identity.origin = "other-" + identity.id }
    identity.publicKey = try SigningKey(name: identity.origin).verifier.description
    let scratch = MemoryDisk(seed: 1)
    try scratch.makeDurableDirectory("/scratch")
    let layout = StoreLayout("/scratch")
    try identity.save(to: layout, on: scratch)
    engine.store(
      FleetMessage(
        store: host.id, content: .identity, place: .start,
        bytes: try scratch.contents(of: layout.identity, limit: 1 << 20)))
  }

  /// Says last words of a host of which all is collected, and lets the collectors read them.
  func say(_ words: LastWords, of host: StageHost) throws {
    switch words {
    case .none: return
    case .identity: try forgeIdentity(of: host)
    case .twin:
      // Few enough to stay in an open frame: no directory follows that would give the twin away.
      try host.append(1 + chance(2))
      guard let place = collectors[0].collector?.mirror(of: host.id)?.received,
        let bytes = try twin(of: host, from: place)
      else { return }
      engine.store(FleetMessage(store: host.id, content: .written, place: place, bytes: bytes))
    case .note:
      try host.append(2)
      try host.log?.sync()
      guard try settleAll(), let mirror = collectors[0].collector?.mirror(of: host.id),
        mirror.size > mirror.state.signedSize,
        mirror.received.form == .written
      else { return }
      let note = try SignedNote(
        origin: host.key.verifier.name, size: mirror.size, root: MerkleTree.leaf(Array("another".utf8)),
        signedBy: host.key)
      engine.store(
        FleetMessage(
          store: host.id, content: .written, place: mirror.received,
          bytes: SkippableFrame(kind: .note, body: Array(note.text.utf8)).encoded))
    }
    did("last words: \(words)")
    hasForged = true
    for collector in collectors {
      try collector.run()
      try checkCollected(collector)
    }
  }

  /// What a host ships next, with another letter in its last record; nil if a frame or a segment ends there.
  private func twin(of host: StageHost, from place: MirrorPlace) throws -> [UInt8]? {
    let path = SegmentName.name(first: place.segment)
    guard place.form == .written, let bytes = try host.files()[path] else { return nil }
    let file = MemoryFile(bytes, path: path)
    let head = try FileHead(of: file)
    let header = try SegmentHeader(frame: head.frame)
    let own = try Tail(of: file, head: head, header: header).frontier
    let walker = try SegmentWalker(file, from: head.end)
    var last: Range<Int>?
    walk: while true {
      switch try walker.next() {
      case .commit(let start): last = Int(start)..<Int(walker.offset)
      case .frameStart: continue
      case .frameEnd, .skippable: last = nil
      case .end: break walk
      }
    }
    guard let last, UInt64(last.lowerBound) >= place.offset else { return nil }
    let data = last.lowerBound + 4..<last.upperBound - 4
    for index in data.reversed() {
      var changed = bytes
      changed[index] ^= 1
      var sum: [UInt8] = []
      sum.appendUInt32(Array(changed[data]).withUnsafeBytes { XXH32.checksum($0) })
      changed.replaceSubrange(data.upperBound..<last.upperBound, with: sum)
      guard let tail = try? Tail(of: MemoryFile(changed, path: path), head: head, header: header), tail.damage == nil,
        tail.frontier.size == own.size, tail.frontier != own
      else { continue }
      return Array(changed[Int(place.offset)...])
    }
    return nil
  }
}
