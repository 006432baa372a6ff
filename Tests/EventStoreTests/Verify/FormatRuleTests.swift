import Foundation
import Testing

@testable import EventStore

/// Single rules of FORMAT.md, each broken by itself by someone who makes all else good again.
@Suite struct FormatRuleTests {
  typealias Verdict = VerifyReport.Verdict

  /// What `verify` says of changed files: with nothing pinned, and with a key pinned.
  private func reports(_ files: HeldStore, _ key: VerifierKey) throws -> [VerifyReport] {
    try [nil, key].map { key in try Verifier(directory: files.root, pinnedKey: key, disk: files).run(threads: 1) }
  }

  private func kinds(_ report: VerifyReport) -> Set<Verdict> {
    Set(report.findings.map(\.kind)).subtracting([.ok, .unanchored])
  }

  /// What `verify` says of a store that a forger has taken apart and put together again.
  private func forged(
    _ kind: WalkStore.Kind, repairing repairs: StoreForger.Repairs = .init(),
    _ change: (inout StoreForger) throws -> Void
  ) throws -> VerifyReport {
    let store = try WalkStore(kind)
    var files = try HeldStore(of: store)
    var forger = try StoreForger(files, key: try SigningKey(name: "damage"))
    try change(&forger)
    files.files = try forger.files(repairs)
    return try #require(store.verdict(on: files))
  }

  /// The signature lines of a note's text.
  private func signatures(_ text: String) -> [Int] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.element.hasPrefix("\u{2014} ") ? $0.offset : nil }
  }

  @Test func `a signature that does not hold is found beside one that does, whichever key is pinned`() throws {
    let store = try WalkStore(.rekeyed)
    let whole = try HeldStore(of: store)
    let latest = String(decoding: whole.files["checkpoints/latest"] ?? [], as: UTF8.self)
    let note = try SignedNote(text: latest)
    let next = try #require(note.nextKey)
    #expect(try reports(whole, next).map(\.verdict) == [.unanchored, .ok])
    let lines = signatures(latest)
    #expect(lines.count == 2)
    for line in lines {
      var parts = latest.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let place = try #require(parts[line].lastIndex(of: " "))
      let signature = try #require(Data(base64Encoded: String(parts[line][place...].dropFirst())))
      var raw = [UInt8](signature)
      raw[20] ^= 1
      parts[line] = parts[line][...place] + Data(raw).base64EncodedString()
      var files = whole
      for name in ["checkpoints/latest", "checkpoints/\(note.size)"] {
        files.files[name] = Array(parts.joined(separator: "\n").utf8)
      }
      let found = try reports(files, next) + reports(files, store.key.verifier)
      #expect(found.allSatisfy { $0.verdict == .badSignature }, "\(line): \(found.map(\.verdict))")
    }
  }

  @Test func `the size of a signed handover counts, whatever store json says of it`() throws {
    let store = try WalkStore(.rekeyed)
    var files = try HeldStore(of: store)
    let said = try #require(files.files["store.json"])
    let identity = try #require(StoreIdentity(bytes: said))
    let until = try #require(identity.retiredKeys.first).until
    let text = String(decoding: said, as: UTF8.self)
    for other in [until - 2, until + 1] {
      files.files["store.json"] = Array(text.replacing("\"until\" : \(until)", with: "\"until\" : \(other)").utf8)
      let key = try VerifierKey(text: identity.publicKey ?? "")
      for report in try reports(files, key) { #expect(kinds(report) == [.altered], "\(other): \(report.findings)") }
    }
  }

  @Test func `a segment in the place of another is altered, and not missing`() throws {
    let store = try WalkStore(.rolled)
    var files = try HeldStore(of: store)
    let names = files.files.keys.filter { $0.hasPrefix("segments/") }.sorted()
    #expect(names.count > 2)
    files.files[names[1]] = files.files[names[0]]
    let report = try #require(store.verdict(on: files))
    #expect(kinds(report) == [.altered], "\(report.findings)")
  }

  @Test func `the first record of a restored store says where it came from`() throws {
    let report = try forged(.restored) { forger in
      let places = forger.places
      let restored = try #require(
        places.first { String(decoding: forger[lines: $0][$0.line], as: UTF8.self).contains("log.restored") })
      var lines = forger[lines: restored]
      let text = String(decoding: lines[restored.line], as: UTF8.self)
      lines[restored.line] = Array(text.replacing("log.restored", with: "log.recovered").utf8)
      forger[lines: restored] = lines
    }
    #expect(kinds(report) == [.altered], "\(report.findings)")
    #expect(report.findings.contains { $0.message.contains("where the store was restored from") })
  }

  @Test func `a restored store of which its own records are cut off is truncated`() throws {
    let report = try forged(.restored) { forger in
      forger.segments[forger.segments.count - 1].parts = []
    }
    #expect(kinds(report) == [.truncated], "\(report.findings)")
  }

  @Test(arguments: [0, 5] as [UInt64]) func `the header of the first segment names none before it`(
    _ previous: UInt64
  ) throws {
    var repairs = StoreForger.Repairs()
    repairs.headers = false
    let report = try forged(.plain, repairing: repairs) { $0.segments[0].header.previous = previous }
    #expect(kinds(report) == [.altered] && report.findings.first?.offset == 11, "\(report.findings)")
  }

  @Test func `nothing stands between the records and the footer of a sealed segment`() throws {
    #expect(kinds(try forged(.sealed) { _ in }) == [])
    let synced = try forged(.sealed) { forger in
      var body: [UInt8] = []
      body.appendUInt64(1)
      let end = forger.segments[0].parts.count - 1
      forger.segments[0].parts.insert(.ours(SkippableFrame(kind: .synced, body: body)), at: end)
    }
    #expect(synced.verdict == .altered, "\(synced.findings)")
    let store = try WalkStore(.sealed)
    let note = try SignedNote(
      origin: store.key.verifier.name, size: 3, root: LogReader(directory: store.path).root(at: 3), signedBy: store.key)
    func noted(behindRecords isBehind: Bool) throws -> VerifyReport {
      try forged(.sealed) { forger in
        let place = isBehind ? forger.segments[0].parts.count - 1 : 0
        let frame = SkippableFrame(kind: .note, body: Array(note.text.utf8))
        forger.segments[0].parts.insert(.ours(frame), at: place)
      }
    }
    #expect(kinds(try noted(behindRecords: false)) == [])
    #expect(kinds(try noted(behindRecords: true)) == [.altered])
  }

  @Test func `a backup to which records were appended is altered`() throws {
    let store = try WalkStore(.plain)
    let reader = try LogReader(directory: store.path)
    let size = try reader.statistics().records
    var identity = try StoreIdentity(of: StoreLayout(store.path), on: SystemDisk())
    for (less, isGood) in [(UInt64(0), true), (1, false)] {
      let root = try reader.root(at: size - less)
      identity.backup = BackupMark(at: noon.description, size: size - less, root: root.description)
      try identity.save(to: StoreLayout(store.path), on: SystemDisk())
      let report = try #require(store.verdict())
      #expect(kinds(report) == (isGood ? [] : [.altered]), "\(report.findings)")
    }
  }

  @Test func `an unsigned directory behind a torn end does not stand for the records that a pinned checkpoint covers`()
    throws
  {
    let store = try WalkStore(.plain)
    let reader = try LogReader(directory: store.path)
    let size = try reader.statistics().records
    let root = try reader.root(at: size)
    let note = try SignedNote(origin: store.key.verifier.name, size: size, root: root, signedBy: store.key)
    var files = try HeldStore(of: store)
    var forger = try StoreForger(files, key: try SigningKey(name: "damage"))
    forger.segments[0].parts = Array(forger.segments[0].parts.prefix(2))
    var tree = MerkleFrontier()
    for record in try records(in: store.path) { tree.append(MerkleTree.leaf(record.line)) }
    let said = FrameDirectory(
      previous: 0, offset: 0, length: 100, first: 1, count: UInt32(size - 1), rawBytes: 80, synced: 0, frontier: tree,
      streams: [])
    // A block that is longer than the file.
    try BlockCompressor().begin(into: &forger.segments[0].rest)
    forger.segments[0].rest += [0, 0, 1, 0] + SkippableFrame(kind: .directory, body: said.encoded).encoded
    files.files = try forger.files(.init())
    let check = Verifier(
      directory: files.root, pinnedKey: store.key.verifier, pinnedCheckpoint: note, disk: files)
    let report = try check.run(threads: 1)
    #expect(report.records < size && report.verdict == .truncated, "\(report.findings)")
  }

  @Test func `no size in store json is larger than a log can be`() throws {
    let store = try WalkStore(.rekeyed)
    var files = try HeldStore(of: store)
    let text = String(decoding: files.files["store.json"] ?? [], as: UTF8.self)
    let until = try #require(StoreIdentity(bytes: Array(text.utf8))?.retiredKeys.first?.until)
    for (size, isGood) in [(UInt64(1) << 62, true), ((1 << 62) + 1, false)] {
      let changed = text.replacing("\"until\" : \(until)", with: "\"until\" : \(size)")
      #expect(changed != text)
      files.files["store.json"] = Array(changed.utf8)
      if isGood {
        #expect(store.verdict(on: files) != nil)
      } else {
        #expect(throws: StoreError(.malformed, "")) { try StoreIdentity(of: StoreLayout(files.root), on: files) }
      }
    }
  }

  @Test func `a directory speaks of its records, synced or not; numbers that no log has say nothing`() throws {
    func said(_ frames: [SkippableFrame]) throws -> [UInt64] {
      let file = MemoryFile([1, 2, 3] + frames.flatMap(\.encoded), path: "damaged")
      let said = try SyncedEvidence.said(in: file, from: 0)
      return [said.synced, said.end]
    }
    func synced(_ position: UInt64) -> SkippableFrame {
      var body: [UInt8] = []
      body.appendUInt64(position)
      return SkippableFrame(kind: .synced, body: body)
    }
    var tree = MerkleFrontier()
    for number in 0..<5 { tree.append(MerkleTree.leaf([UInt8(number)])) }
    let directory = FrameDirectory(
      previous: 0, offset: 300, length: 100, first: 3, count: 2, rawBytes: 80, synced: 2, frontier: tree, streams: [])
    #expect(try said([SkippableFrame(kind: .directory, body: directory.encoded)]) == [2, 5])
    #expect(try said([synced(4)]) == [4, 4])
    #expect(try said([synced((1 << 62) + 1), synced(.max)]) == [0, 0])
  }

  /// A store of which nothing is left but its first segment, which was sealed or pruned.
  private func alone(_ kind: WalkStore.Kind) throws -> (store: WalkStore, files: HeldStore, segment: String) {
    let store = try WalkStore(kind)
    var files = try HeldStore(of: store)
    let segments = files.files.keys.filter { $0.hasPrefix("segments/") }.sorted()
    let first = try #require(segments.first)
    for name in segments.dropFirst() + files.files.keys.filter({ $0.hasPrefix("checkpoints/") }) {
      files.files[name] = nil
    }
    return (store, files, first)
  }

  @Test(arguments: [WalkStore.Kind.sealed, .pruned])
  func `a sealed or pruned segment that none follows is no torn tail, whatever is damaged in it`(
    _ kind: WalkStore.Kind
  ) throws {
    let (store, whole, segment) = try alone(kind)
    #expect(try #require(store.verdict(on: whole)).verdict == .missingSegment)
    let bytes = try #require(whole.files[segment])
    // Behind the word that says what the frame is: that is how it differs from a segment as it was written.
    let mark = Array((kind == .sealed ? "FOOT" : "LEAF").utf8)
    let first = try #require(bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == mark }) + 4
    for place in first..<bytes.count {
      for isCut in [false, true] {
        var files = whole
        if isCut { files.files[segment]?.removeSubrange(place...) } else { files.files[segment]?[place] ^= 0x10 }
        let report = try #require(store.verdict(on: files))
        #expect(kinds(report).contains(.missingSegment), "byte \(place): \(report.findings)")
        #expect(!kinds(report).contains(.torn), "byte \(place)")
      }
    }
  }

  @Test func `a right checkpoint behind a larger one in a sealed segment is altered, and no fork`() throws {
    let store = try WalkStore(.sealed)
    let reader = try LogReader(directory: store.path)
    let frames = try [UInt64(3), 2].map { size in
      let note = try SignedNote(
        origin: store.key.verifier.name, size: size, root: reader.root(at: size), signedBy: store.key)
      return SkippableFrame(kind: .note, body: Array(note.text.utf8))
    }
    let report = try forged(.sealed) { $0.segments[0].parts.insert(contentsOf: frames.map { .ours($0) }, at: 0) }
    #expect(kinds(report) == [.altered], "\(report.findings)")
  }

  @Test func `no position in a header is larger than a log can be`() throws {
    var repairs = StoreForger.Repairs()
    repairs.headers = false
    let report = try forged(.rolled, repairing: repairs) { $0.segments[1].header.previous = 1 << 62 + 1 }
    let first = try #require(report.findings.first)
    #expect(first.kind == .altered && first.message.contains("not that of a segment"), "\(report.findings)")
  }
}
