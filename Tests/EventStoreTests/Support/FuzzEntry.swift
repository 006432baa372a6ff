// What reads bytes that come from elsewhere, each as one function of bytes: for the mutations in these tests and for the
// fuzzers in Fuzz/, which share this file. Whatever the bytes are, the answer is a value or a typed error, never a trap.
import Foundation

@testable import EventStore

/// A reader of bytes that may be anything.
enum FuzzEntry: String, CaseIterable, Sendable {
  /// A segment file: head, frames, directories, tail, and all that is read of a store that has it.
  case segment
  /// The same of one that another follows: sealed, pruned or neither.
  case closed
  /// What follows the last good directory of a segment: frames of ours among any bytes, and what a writer makes of them.
  case tail
  /// A recording.
  case recording
  /// `store.json`.
  case identity
  /// A signed checkpoint, what a witness is asked and answers, and the keys in their text forms.
  case note
  /// Proofs of any parts.
  case proof
  /// The index of a segment: footer or cache.
  case index
  /// The line of a record, a time, JSON.
  case record
  /// The body of a directory, of a header, of a frame of ours.
  case frame

  /// Reads the bytes in every way there is. Returns what must hold and does not, or nil.
  func fault(in bytes: [UInt8]) -> String? {
    switch self {
    case .segment: Self.readStore([bytes])
    case .closed: Self.readStore([bytes, Self.following(bytes)])
    case .tail: Self.readTail(bytes)
    case .recording: Self.readRecording(bytes)
    case .identity: Self.readIdentity(bytes)
    case .note: Self.readNote(bytes)
    case .proof: Self.readProof(bytes)
    case .index: Self.readIndex(bytes)
    case .record: Self.readRecord(bytes)
    case .frame: Self.readFrame(bytes)
    }
  }

  // MARK: Segment

  /// What the store says of itself that the seeds come from.
  static let storeJSON = """
    {"format":1,"id":"0123456789abcdef0123456789abcdef","origin":"fuzz"}

    """

  /// A store of some segments, for reading alone.
  private struct Segments: Disk {
    var identity = Array(FuzzEntry.storeJSON.utf8)
    let segments: [String: [UInt8]]

    /// The segments, each under the name that its header says; the first is the first, whatever it says.
    init(_ files: [[UInt8]]) {
      var segments: [String: [UInt8]] = [:]
      for (number, bytes) in files.enumerated() {
        let header = try? SegmentHeader(frame: FileHead(of: MemoryFile(bytes, path: "fuzz")).frame)
        segments[SegmentName.name(first: number == 0 ? 0 : header?.first ?? 1)] = bytes
      }
      self.segments = segments
    }

    func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any DiskFile {
      guard mode == .read else { throw StoreError(.permission, "only read", file: path) }
      if path.hasSuffix("/store.json") { return MemoryFile(identity, path: path) }
      if let name = path.split(separator: "/").last, let bytes = segments[String(name)] {
        return MemoryFile(bytes, path: path)
      }
      throw StoreError(.notFound, "not there", file: path)
    }
    func names(in directory: String) throws(StoreError) -> [String] {
      directory.hasSuffix("/segments") ? Array(segments.keys) : []
    }
    func makeDirectory(_ path: String) throws(StoreError) -> Bool { false }
    func rename(_ from: String, to: String) throws(StoreError) { throw StoreError(.permission, "only read") }
    func remove(_ path: String) throws(StoreError) { throw StoreError(.permission, "only read") }
    func syncDirectory(_ path: String) throws(StoreError) { throw StoreError(.permission, "only read") }
  }

  /// The beginning of a segment that could follow this one, whatever is wrong with it: an index is asked for only then.
  private static func following(_ bytes: [UInt8]) -> [UInt8] {
    let file = MemoryFile(bytes, path: "fuzz")
    let footer = (try? FooterPlace.index(in: file))?.frontier
    let directory = (try? DirectoryChain.last(of: file, headEnd: 11))?.directory?.frontier
    guard let frontier = footer ?? directory, let identity = try? StoreIdentity(newWithOrigin: "fuzz"),
      let frame = try? SegmentHeader(identity: identity, frontier: frontier, previous: 0).frame()
    else { return [] }
    return FrameFormat.prologue + frame.encoded
  }

  private static func readStore(_ files: [[UInt8]]) -> String? {
    let disk = Segments(files)
    let file = MemoryFile(files[0], path: "fuzz")
    if let head = try? FileHead(of: file), let header = try? SegmentHeader(frame: head.frame) {
      _ = try? Tail(of: file, head: head, header: header)
    }
    _ = try? Verifier(directory: "/fuzz", disk: disk).run(threads: 1)
    guard let reader = try? LogReader(directory: "/fuzz", disk: disk) else { return "the store is not read" }
    _ = try? reader.statistics()
    var streams: Set<String> = []
    if var cursor = try? reader.cursor() {
      var next: UInt64?
      while let record = try? cursor.next() {
        if let next, record.position != next { return "record \(record.position) was given for \(next)" }
        next = record.position + 1
        if streams.count < 4 { streams.insert(record.stream) }
      }
    }
    for start: UInt64 in [1, 7, 1 << 40, .max] {
      if var cursor = try? reader.cursor(from: start) { _ = try? cursor.next() }
      _ = try? reader.inclusionProof(of: start, size: 9)
    }
    for stream in streams {
      for (revision, record) in ((try? reader.records(of: stream)) ?? []).enumerated()
      where record.revision != revision || record.stream != stream {
        return "revision \(record.revision) of \(record.stream) was given for \(revision) of \(stream)"
      }
    }
    return nil
  }

  private static func readTail(_ bytes: [UInt8]) -> String? {
    let file = MemoryFile(bytes, path: "fuzz")
    guard let found = try? FrameScan.frames(of: [.directory, .note, .synced, .footer], in: file, from: 0) else {
      return "the bytes are not read"
    }
    var end = 0
    for frame in found {
      let start = Int(frame.body) - FooterPlace.headLength
      let length = frame.count + SkippableFrame.headLength + SkippableFrame.overhead
      guard start >= end, start + length <= bytes.count else { return "a frame of \(length) bytes at \(start)" }
      end = start + length
      let frame = try? SkippableFrame(payload: bytes[start + SkippableFrame.headLength..<end])
      if frame == nil { return "the frame at \(start) is none" }
    }
    _ = try? SyncedEvidence.position(in: file, from: 0)
    return nil
  }

  private static func readRecording(_ bytes: [UInt8]) -> String? {
    guard let (header, records) = try? SliceFile.read(bytes: bytes, limitBytes: 16 << 20) else { return nil }
    if header.records != records.count { return "\(records.count) records of \(header.records)" }
    let isRising = zip(records, records.dropFirst()).allSatisfy { $0.position < $1.position }
    return isRising ? nil : "the records are not in order"
  }

  private static func readIdentity(_ bytes: [UInt8]) -> String? {
    var disk = Segments([])
    disk.identity = bytes
    guard let identity = try? StoreIdentity(of: StoreLayout("/fuzz"), on: disk) else { return nil }
    _ = identity.isOf("fuzz")
    for origin in identity.restoredFrom { _ = origin.lost }
    _ = try? Verifier(directory: "/fuzz", disk: disk).run(threads: 1)
    _ = try? LogReader(directory: "/fuzz", disk: disk).statistics()
    return nil
  }

  // MARK: The others

  private static let key = try? SigningKey(name: "fuzz")
  private static let witness = try? SigningKey(name: "fuzz", as: .cosignature)

  private static func readNote(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = try? VerifierKey(text: text)
    _ = try? SigningKey(text: text)
    _ = try? VerifierKey(text: text, as: .cosignature)
    if let request = try? WitnessRequest(text: text), request.text != text { return "a request is not what was read" }
    guard let note = try? SignedNote(text: text) else { return nil }
    guard note.text == text else { return "the note is not the text it was read from" }
    _ = note.nextKey
    if let key, note.standing(with: key.verifier) == .valid { return "a forged signature is valid" }
    if let witness {
      if note.standing(with: witness.verifier) == .valid { return "a forged cosignature is valid" }
      _ = note.time(of: witness.verifier)
      if (try? note.cosigned(text, by: witness.verifier)) != nil { return "a forged cosignature is added" }
    }
    return nil
  }

  private static func readProof(_ bytes: [UInt8]) -> String? {
    var cursor = ByteCursor(bytes)
    guard let first = try? cursor.uint64(), let second = try? cursor.uint64() else { return nil }
    var hashes: [TreeHash] = []
    while let taken = try? cursor.take(32), let hash = TreeHash(bytes: taken) { hashes.append(hash) }
    guard let one = hashes.popLast(), let other = hashes.popLast() else { return nil }
    _ = InclusionProof(leafIndex: first, treeSize: second, leafHash: one, root: other, hashes: hashes).isValid
    _ = ConsistencyProof(first: first, second: second, firstRoot: one, secondRoot: other, hashes: hashes).isValid
    if first < second { _ = InclusionProof.ranges(leafIndex: first, treeSize: second) }
    if first > 0, first <= second { _ = ConsistencyProof.ranges(first: first, second: second) }
    _ = MerkleFrontier(size: first, hashes: hashes)?.root
    return nil
  }

  private static func readIndex(_ bytes: [UInt8]) -> String? {
    let file = MemoryFile(bytes, path: "fuzz")
    _ = try? FooterPlace.index(in: file)
    guard let index = try? SegmentIndex(file, at: 0, length: bytes.count) else { return nil }
    _ = try? index.allStreams()
    for name in ["log", "fuzz/0", ""] { _ = try? index.stream(Array(name.utf8), key: StreamKey(of: name)) }
    _ = index.frame(of: 3)
    for number in [0, 1, .max] { _ = try? index.node(number) }
    return nil
  }

  private static func readRecord(_ bytes: [UInt8]) -> String? {
    _ = Timestamp(bytes: bytes)
    if let json = try? JSON(parsing: bytes) {
      let again = try? JSON(parsing: json.bytes)
      if again != json { return "the JSON is not what its own text is" }
    }
    guard let record = try? StoredRecord(line: bytes) else { return nil }
    guard record.line == bytes, !record.stream.isEmpty, !record.type.isEmpty else { return "a record without a name" }
    return nil
  }

  private static func readFrame(_ bytes: [UInt8]) -> String? {
    if let directory = try? FrameDirectory(body: bytes), directory.encoded != bytes {
      // A number may be written in more bytes than it needs; what it says must be the same.
      if (try? FrameDirectory(body: directory.encoded)) != directory { return "a directory says something else" }
    }
    _ = try? FrameDirectory(body: bytes, wantingStreams: false)
    _ = try? SegmentHeader(frame: SkippableFrame(kind: .head, body: bytes))
    _ = try? SliceHeader(frame: SkippableFrame(kind: .head, body: bytes))
    if let frame = try? SkippableFrame(payload: bytes[...]),
      Array(frame.encoded.dropFirst(SkippableFrame.headLength)) != bytes
    {
      return "a frame is written otherwise"
    }
    return nil
  }
}
