// What whoever can write the directory may do to it, and what verifying says: with nothing pinned, with the key pinned,
// and with key and latest checkpoint pinned.
import Foundation
import Testing

@testable import EventStore

@Suite struct TamperingTests {
  typealias Verdict = VerifyReport.Verdict

  /// A signed store of several segments, with three checkpoints and one record after them.
  private struct Signed {
    let store: TemporaryStore
    let key: SigningKey
    let notes: [SignedNote]
    let lines: [[UInt8]]
    var layout: StoreLayout { StoreLayout(store.path) }

    init() throws {
      store = try TemporaryStore()
      (key, notes) = try signRounds(of: 120, in: store)
      lines = try records(in: store.path).map(\.line)
    }

    /// The verdicts with nothing, the key, key and latest checkpoint pinned.
    func verdicts(in path: String? = nil) throws -> [Verdict] {
      try reports(in: path).map(\.verdict)
    }

    func reports(in path: String? = nil) throws -> [VerifyReport] {
      let pins: [(VerifierKey?, SignedNote?)] = [(nil, nil), (key.verifier, nil), (key.verifier, notes[2])]
      return try pins.map { key, note in
        try Verifier(directory: path ?? store.path, pinnedKey: key, pinnedCheckpoint: note).run()
      }
    }

    /// A store of those lines under the same identity and checkpoints, all framing, links and checksums good.
    /// Behind the last line, in its commit, stands `bad`.
    func forged(_ lines: [[UInt8]], bad: [UInt8] = []) throws -> String {
      let path = store.folder + "/forged"
      let layout = StoreLayout(path)
      let disk = SystemDisk()
      try StoreCreation(layout: layout, disk: disk).prepareDirectory()
      try StoreCreation(layout: layout, disk: disk).prepareFolders(marksNew: true)
      let identity = try StoreIdentity(of: self.layout, on: disk)
      let writer = try SegmentWriter(
        Recovery(layout: layout, disk: disk).run(), layout: layout, disk: disk, identity: identity,
        options: .init(segmentBytes: 4 << 10, frameBytes: 1 << 10))
      for (index, line) in lines.enumerated() {
        let envelope = try Envelope(parsing: line.span)
        let stream = String(decoding: line[envelope.stream], as: UTF8.self)
        let more = index == lines.count - 1 ? bad : []
        try writer.commit(line + [0x0A] + more, stream: stream, revision: envelope.revision)
      }
      try writer.syncWhole()
      try identity.save(to: layout, on: disk)
      try FileManager.default.removeItem(atPath: layout.checkpoints)
      try FileManager.default.copyItem(atPath: self.layout.checkpoints, toPath: layout.checkpoints)
      return path
    }

    /// Takes the checkpoints over more than `size` records out of a store, `latest` too.
    func dropCheckpoints(over size: UInt64, in path: String) throws {
      for note in notes where note.size > size {
        try FileManager.default.removeItem(atPath: path + "/checkpoints/\(note.size)")
      }
      let last = notes.last { $0.size <= size }
      if let last {
        try write(Array(last.text.utf8), to: path + "/checkpoints/latest")
      } else {
        try FileManager.default.removeItem(atPath: path + "/checkpoints/latest")
      }
    }

    /// The frames of ours in a segment: their offsets and bodies.
    func frames(_ path: String, _ kind: FrameKind) throws -> [(offset: Int, body: [UInt8])] {
      let all = try bytes(of: path)
      let magic: [UInt8] = [0x50, 0x2A, 0x4D, 0x18]
      return all.indices.dropLast(12).compactMap { start in
        guard Array(all[start..<start + 4]) == magic,
          let frame = try? SkippableFrame(
            payload: all[(start + 8)...].prefix(Int(all[start + 4]) | Int(all[start + 5]) << 8)),
          frame.kind == kind
        else { return nil }
        return (start, frame.body)
      }
    }

    /// Puts another frame in the place of one, its CRC good.
    func put(_ body: [UInt8], _ kind: FrameKind, at offset: Int, inPlaceOf old: [UInt8], _ path: String) throws {
      var all = try bytes(of: path)
      let length = SkippableFrame(kind: kind, body: old).encoded.count
      all.replaceSubrange(offset..<offset + length, with: SkippableFrame(kind: kind, body: body).encoded)
      try write(all, to: path)
    }
  }

  @Test func `the forger of these tests makes logs that hold`() throws {
    let signed = try Signed()
    #expect(try signed.verdicts(in: signed.forged(signed.lines)) == [.unanchored, .ok, .ok])
    #expect(try signed.verdicts() == [.unanchored, .ok, .ok])
  }

  @Test(arguments: [1, 2, 50, 121, 361]) func `the last records removed, with good framing`(_ count: Int) throws {
    let signed = try Signed()
    let path = try signed.forged(signed.lines.dropLast(count))
    // What no checkpoint covers can go unseen.
    let isCovered = count > 1
    #expect(
      try signed.verdicts(in: path) == (isCovered ? [.truncated, .truncated, .truncated] : [.unanchored, .ok, .ok]))
    if isCovered { #expect(throws: StoreError(.truncated, "")) { try EventLog.open(at: path) } }
    // With the checkpoints taken out that say so, only who kept one sees it.
    try signed.dropCheckpoints(over: UInt64(signed.lines.count - count), in: path)
    let left = signed.notes.contains { $0.size <= UInt64(signed.lines.count - count) }
    #expect(
      try signed.verdicts(in: path) == [.unanchored, left ? .ok : .unanchored, isCovered ? .truncated : .ok])
  }

  @Test func `a suffix rewritten, each line of the same length`() throws {
    let signed = try Signed()
    let path = try signed.forged(
      signed.lines.enumerated().map { position, line in
        guard position >= 200 else { return line }
        var line = line
        line[line.count - 4] ^= 1  // the last character of the text
        return line
      })
    #expect(try signed.verdicts(in: path) == [.forked, .forked, .forked])
    try signed.dropCheckpoints(over: 199, in: path)
    let reports = try signed.reports(in: path)
    #expect(reports.map(\.verdict) == [.unanchored, .ok, .forked] && reports[1].anchoredSize == 121)
  }

  @Test func `all rewritten and signed by a key of the attacker's`() throws {
    let signed = try Signed()
    let path = try signed.forged(
      signed.lines.enumerated().map { position, line in
        guard position > 0 else { return line }
        var line = line
        line[line.count - 4] ^= 1  // the last character of the text
        return line
      })
    let attacker = try SigningKey(name: signed.key.verifier.name)
    try signed.dropCheckpoints(over: 0, in: path)
    var identity = try StoreIdentity(of: StoreLayout(path), on: SystemDisk())
    identity.publicKey = nil
    try identity.save(to: StoreLayout(path), on: SystemDisk())
    let log = try EventLog.open(at: path)
    _ = try log.checkpoint(with: attacker)
    try log.close()
    #expect(try signed.verdicts(in: path) == [.unanchored, .badSignature, .badSignature])
  }

  @Test func `a segment removed: the first, one in the middle, the last`() throws {
    let signed = try Signed()
    let count = try signed.store.segments().count
    #expect(count > 4)
    for index in [0, 1, count / 2] {
      let copy = try signed.store.copy()
      try FileManager.default.removeItem(atPath: try signed.store.segments(in: copy)[index])
      #expect(try signed.verdicts(in: copy) == [.missingSegment, .missingSegment, .missingSegment], "\(index)")
    }
    for drop in 1...3 {
      let copy = try signed.store.copy()
      let paths = try signed.store.segments(in: copy)
      for path in paths.suffix(drop) { try FileManager.default.removeItem(atPath: path) }
      let end = SegmentName.first(of: String(paths[count - drop].suffix(31))) ?? 0
      let expected: [Verdict] = end < 361 ? [.truncated, .truncated, .truncated] : [.unanchored, .ok, .ok]
      #expect(try signed.verdicts(in: copy) == expected, "\(drop)")
    }
  }

  @Test func `two segments swapped`() throws {
    let signed = try Signed()
    let paths = try signed.store.segments()
    for (one, two) in [(0, 1), (1, 2), (2, paths.count - 1)] {
      let copy = try signed.store.copy()
      let (first, second) = (try bytes(of: paths[one]), try bytes(of: paths[two]))
      let inCopy = try signed.store.segments(in: copy)
      try write(second, to: inCopy[one])
      try write(first, to: inCopy[two])
      let verdicts = try signed.verdicts(in: copy)
      // Where the last one is among them, the log may end early besides: that is graver.
      #expect(verdicts.allSatisfy { [.altered, .truncated].contains($0) }, "\(one) \(two) \(verdicts)")
      #expect(throws: StoreError.self) {
        let reader = try records(in: copy)
        if reader.count == signed.lines.count { return }
        throw StoreError(.altered, "fewer records")
      }
    }
  }

  @Test func `a checkpoint replaced`() throws {
    let signed = try Signed()
    let other = try SigningKey(name: signed.key.verifier.name)
    let last = signed.notes[2]
    let cases: [(String, Verdict)] = [
      (try SignedNote(origin: last.origin, size: 361, root: last.root, signedBy: other).text, .badSignature),
      (try SignedNote(origin: "other", size: 361, root: last.root, signedBy: signed.key).text, .badSignature),
      (last.text.replacing("\n361\n", with: "\n360\n"), .badSignature),
      ("nothing\n", .badSignature), ("", .badSignature),
      // The holder of the key signs another log: what was kept elsewhere, or stands in the segment, shows it.
      (try SignedNote(origin: last.origin, size: 361, root: MerkleTree.empty, signedBy: signed.key).text, .forked),
      (try SignedNote(origin: last.origin, size: 9_999, root: last.root, signedBy: signed.key).text, .truncated),
    ]
    for (text, verdict) in cases {
      let copy = try signed.store.copy()
      try write(Array(text.utf8), to: copy + "/checkpoints/latest")
      #expect(try signed.verdicts(in: copy) == [verdict, verdict, verdict], "\(text)")
    }
  }

  @Test(arguments: ["garbage\n", "half a line", "\n"]) func `a commit with a good line and a bad one is none`(
    _ bad: String
  ) throws {
    let signed = try Signed()
    let path = try signed.forged(Array(signed.lines[..<4]), bad: Array(bad.utf8))
    try signed.dropCheckpoints(over: 0, in: path)
    let report = try Verifier(directory: path).run()
    #expect(report.verdict == .altered && report.records == 3, "\(report.findings)")
  }

  @Test func `a name that is no UTF-8`() throws {
    let signed = try Signed()
    for part in [\Envelope.type, \.stream] {
      var lines = signed.lines
      let line = lines[5]
      let envelope = try Envelope(parsing: line.span)
      lines[5][envelope[keyPath: part].lowerBound] = 0xFF
      let path = try signed.forged(lines)
      let report = try Verifier(directory: path).run()
      #expect(report.findings.contains { $0.message.contains("no UTF-8") }, "\(report.findings)")
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func `a checkpoint pinned without a key must be signed by the store's`() throws {
    let signed = try Signed()
    let last = signed.notes[2]
    func verdict(_ note: SignedNote) throws -> Verdict {
      try Verifier(directory: signed.store.path, pinnedCheckpoint: note).run().verdict
    }
    #expect(try verdict(last) == .unanchored)
    let other = try SigningKey(name: last.origin)
    for size in [last.size, 9_999] {
      let note = try SignedNote(origin: last.origin, size: size, root: last.root, signedBy: other)
      #expect(try verdict(note) == .badSignature)
    }
  }

  @Test func `the key replaced in store json`() throws {
    let signed = try Signed()
    var identity = try StoreIdentity(of: signed.layout, on: SystemDisk())
    for text in [
      try SigningKey(name: identity.origin).verifier.description, try SigningKey(name: "other").verifier.description,
      "no key",
    ] {
      identity.publicKey = text
      try identity.save(to: signed.layout, on: SystemDisk())
      #expect(try signed.verdicts() == [.badSignature, .badSignature, .badSignature])
    }
    identity.publicKey = nil
    try identity.save(to: signed.layout, on: SystemDisk())
    #expect(try signed.verdicts() == [.badSignature, .altered, .altered])
  }

  @Test func `an older copy of the whole directory put back`() throws {
    let signed = try Signed()
    let copy = try signed.store.copy()
    let log = try EventLog.open(at: signed.store.path)
    pass(log, try log.append([record("s/1", "more")]))
    let note = try log.checkpoint(with: signed.key)
    try log.close()
    func verify(_ key: VerifierKey?, _ note: SignedNote?) throws -> Verdict {
      try Verifier(directory: copy, pinnedKey: key, pinnedCheckpoint: note).run().verdict
    }
    #expect(try verify(nil, nil) == .unanchored && verify(signed.key.verifier, nil) == .ok)
    #expect(try verify(signed.key.verifier, note) == .truncated && verify(nil, note) == .truncated)
  }

  @Test func `latest rolled back to an older checkpoint`() throws {
    let signed = try Signed()
    try write(Array(signed.notes[0].text.utf8), to: signed.store.path + "/checkpoints/latest")
    // As after a crash between the two files: the larger one still counts.
    let reports = try signed.reports()
    #expect(reports.map(\.verdict) == [.unanchored, .ok, .ok] && reports[1].anchoredSize == 361)
    // And with the end cut off: neither verified nor appended to.
    let path = try signed.forged(signed.lines.dropLast(100))
    try write(Array(signed.notes[0].text.utf8), to: path + "/checkpoints/latest")
    #expect(try signed.verdicts(in: path) == [.truncated, .truncated, .truncated])
    #expect(throws: StoreError(.truncated, "")) { try EventLog.open(at: path) }
  }

  @Test func `a header edited, its CRC good`() throws {
    let signed = try Signed()
    let paths = try signed.store.segments()
    let original = try bytes(of: paths[2])
    let (offset, body) = try #require(try signed.frames(paths[2], .head).first)
    let header = try SegmentHeader(frame: SkippableFrame(kind: .head, body: body))
    var edits: [SegmentHeader] = []
    var one = header
    one.previous = 0
    edits.append(one)
    one = header
    one.store = String(repeating: "0", count: 32)
    edits.append(one)
    one = header
    one.origin = "other"
    edits.append(one)
    one = header
    var hashes = header.frontier.hashes
    hashes[0] = MerkleTree.empty
    one.frontier = try #require(MerkleFrontier(size: header.first, hashes: hashes))
    edits.append(one)
    for edit in edits {
      try signed.put(edit.frame().body, .head, at: offset, inPlaceOf: body, paths[2])
      #expect(try signed.verdicts() == [.altered, .altered, .altered], "\(edit)")
      try write(original, to: paths[2])
    }
  }

  @Test func `a directory, a sync mark, a note in a segment edited, their CRC good`() throws {
    let signed = try Signed()
    let paths = try signed.store.segments()
    let original = try bytes(of: paths[1])
    let (offset, body) = try #require(try signed.frames(paths[1], .directory).first)
    for index in stride(from: 0, to: body.count, by: 5) where index < 44 || index >= 52 {
      var edited = body
      edited[index] ^= 1
      try signed.put(edited, .directory, at: offset, inPlaceOf: body, paths[1])
      #expect(try signed.verdicts() == [.altered, .altered, .altered], "byte \(index)")
      try write(original, to: paths[1])
    }
    let noted = try #require(try paths.first { try !signed.frames($0, .note).isEmpty })
    let (place, note) = try #require(try signed.frames(noted, .note).first)
    let other = try SigningKey(name: signed.key.verifier.name)
    let first = signed.notes[0]
    let forged = try SignedNote(origin: first.origin, size: first.size, root: first.root, signedBy: other)
    #expect(forged.text.utf8.count == note.count)
    try signed.put(Array(forged.text.utf8), .note, at: place, inPlaceOf: note, noted)
    #expect(try signed.verdicts() == [.badSignature, .badSignature, .badSignature])
  }

  @Test func `the last segment renamed so that it begins further on`() throws {
    let signed = try Signed()
    for isUnsigned in [false, true] {
      for isCut in [false, true] {
        let path = try signed.store.copy()
        if isUnsigned { try signed.dropCheckpoints(over: 0, in: path) }
        let last = try #require(signed.store.segments(in: path).last)
        let size = UInt64(signed.lines.count)
        let renamed = StoreLayout(path).segment(size + 3)
        try FileManager.default.moveItem(atPath: last, toPath: renamed)
        if isCut { try write(Array(try bytes(of: renamed).prefix(5)), to: renamed) }
        let verdict = try Verifier(directory: path).run().verdict
        #expect(verdict == (isUnsigned ? .altered : .truncated) || verdict == .altered, "\(verdict)")
        let before = try bytes(of: renamed)
        #expect(throws: StoreError(.altered, "")) { try EventLog.open(at: path) }
        #expect(try bytes(of: renamed) == before, "it stays where it is, as evidence")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/quarantine").isEmpty)
      }
    }
  }
}
