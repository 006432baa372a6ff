// Good inputs of each fuzz entry, from a real store: what mutations and fuzzers begin with. Shared with Fuzz/.
import Foundation

@testable import EventStore

extension FuzzEntry {
  /// Good inputs, made in `folder`, which must not be there yet and is left there.
  static func seeds(in folder: String) throws -> [FuzzEntry: [[UInt8]]] {
    let layout = StoreLayout(folder)
    let disk = SystemDisk()
    for path in [folder, layout.segments, layout.checkpoints] {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    try Data(storeJSON.utf8).write(to: URL(fileURLWithPath: layout.identity))
    let key = try SigningKey(name: "fuzz")
    let log = try EventLog.open(at: folder, options: .init(segmentBytes: 6_000, frameBytes: 500))
    for number in 0..<60 {
      let text = (0..<number % 9).map { "\($0 * number)" }.joined(separator: ",")
      _ = try log.append([
        NewRecord(
          at: .now(), stream: "fuzz/\(number % 5)", id: number % 3 == 0 ? "id-\(number)" : nil, type: "fuzz.seed",
          cause: number > 0 ? .position(0) : nil, data: Array("{\"list\":[\(text)],\"text\":\"a\\n\u{fc}\"}".utf8))
      ])
      try log.flush()
      if number == 4 { _ = try log.checkpoint(with: key) }
    }
    let note = try log.checkpoint(with: key)
    try log.close()

    var seeds: [FuzzEntry: [[UInt8]]] = [:]
    let witness = try SigningKey(name: "fuzz", as: .cosignature)
    let cosigned = try note.cosigned(note.cosignature(by: witness, at: 1), by: witness.verifier)
    let request = WitnessRequest(oldSize: 1, proof: [note.root, note.root], note: note)
    seeds[.note] = [note.text, cosigned.text, request.text, key.verifier.description, witness.verifier.description].map
    {
      Array($0.utf8)
    }
    var cursor = try LogReader(directory: folder).cursor()
    var leaves: [TreeHash] = []
    while let record = try cursor.next() {
      leaves.append(MerkleTree.leaf(record.line))
      if leaves.count % 8 == 1 { seeds[.record, default: []].append(record.line) }
    }
    seeds[.record, default: []] += ["2026-11-21T12:00:00.000001Z", "{\"a\":[1,-2.5e3,true,null,\"\\u00fc\"]}"]
      .map { Array($0.utf8) }
    seeds[.proof] = proofs(over: leaves)
    for first in try layout.segmentList(on: disk) {
      let bytes = try disk.contents(of: layout.segment(first), limit: 1 << 20)
      if first == 0 { seeds[.segment, default: []].append(bytes) }
      let file = MemoryFile(bytes, path: "seed")
      let head = try FileHead(of: file)
      seeds[.frame, default: []] += [head.frame.body, Array(head.frame.encoded.dropFirst(SkippableFrame.headLength))]
      if let directory = try DirectoryChain.last(of: file, headEnd: head.end).directory {
        seeds[.frame, default: []].append(directory.encoded)
      }
      let body = SegmentIndex.encode(try SegmentContents(directoriesOf: file, limit: nil))
      seeds[.index, default: []] += [body, SkippableFrame(kind: .footer, body: body).encoded]
    }
    try addClosed(to: &seeds, in: folder, signedWith: key)
    let reader = try LogReader(directory: folder)
    for stream in ["fuzz/1", "log"] {
      let records = try reader.keptRecords(of: stream)
      seeds[.recording, default: []].append(try SliceFile.encode(records: records, source: reader.identity))
    }
    seeds[.identity] = [Array(storeJSON.utf8), try disk.contents(of: layout.identity, limit: 1 << 20)]
    let retired = RetiredKey(key: key.verifier.description, until: 9)
    var restored = StoreIdentity(id: "fedcba9876543210fedcba9876543210", origin: "again", retiredKeys: [retired])
    restored.restoredFrom = [
      StoreOrigin(
        store: "0123456789abcdef0123456789abcdef", origin: "fuzz", size: note.size, root: note.root.description,
        publicKey: key.verifier.description, checkpoint: note.text)
    ]
    restored.backup = BackupMark(at: "2026-11-21T12:00:00.000000Z", size: note.size, root: note.root.description)
    try restored.save(to: StoreLayout(folder), on: disk)
    seeds[.identity, default: []].append(try disk.contents(of: layout.identity, limit: 1 << 20))
    return seeds
  }

  /// The first segment in its three forms, and the ends of them.
  private static func addClosed(to seeds: inout [FuzzEntry: [[UInt8]]], in folder: String, signedWith key: SigningKey)
    throws
  {
    let (layout, disk) = (StoreLayout(folder), SystemDisk())
    func take() throws {
      let bytes = try disk.contents(of: layout.segment(0), limit: 1 << 20)
      seeds[.closed, default: []].append(bytes)
      seeds[.tail, default: []].append(Array(bytes.suffix(1_500)))
    }
    try take()
    let log = try EventLog.open(at: folder)
    _ = try log.seal()
    try take()
    _ = try log.prune(before: .position(log.size), signingWith: key)
    try take()
    try log.close()
  }

  private static func proofs(over leaves: [TreeHash]) -> [[UInt8]] {
    var all: [[UInt8]] = []
    for (first, second) in [(0, 1), (3, 7), (8, 16), (20, leaves.count)] {
      let ranges = ConsistencyProof.ranges(first: UInt64(max(first, 1)), second: UInt64(second))
      var bytes: [UInt8] = []
      bytes.appendUInt64(UInt64(first))
      bytes.appendUInt64(UInt64(second))
      for range in ranges {
        MerkleTree.root(of: leaves[Int(range.lowerBound)..<Int(range.upperBound)]).append(to: &bytes)
      }
      for size in [second, max(first, 1)] { MerkleTree.root(of: leaves[..<size]).append(to: &bytes) }
      all.append(bytes)
    }
    return all
  }

  private static let tellingBytes: [UInt8] = [0, 0x7F, 0x80, 0xFF, 0x22, 0x7B]
  private static let largeNumbers: [UInt64] = [.max, 1 << 63, 1 << 32, (1 << 32) - 1, 1 << 31]

  /// Changes some bytes: what a seeded fuzzer does without looking.
  static func mutated(_ seed: [UInt8], with other: [UInt8], using random: inout some RandomNumberGenerator) -> [UInt8] {
    var bytes = seed
    let changes = Int.random(in: 1...4, using: &random)
    for _ in 0..<changes {
      guard !bytes.isEmpty else { return other }
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let length = Int.random(in: 0...min(16, bytes.count - place), using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[place] = Self.tellingBytes.randomElement(using: &random) ?? 0
      case 2: bytes.removeSubrange(place..<place + length)
      case 3: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
      case 4: bytes.removeSubrange(place...)
      case 5:
        let from = other.isEmpty ? 0 : Int.random(in: 0..<other.count, using: &random)
        bytes.replaceSubrange(place..<place + length, with: other[from..<min(from + length, other.count)])
      case 6:
        // A number that is much too large, as they stand in headers: little-endian.
        let number = Self.largeNumbers.randomElement(using: &random) ?? 0
        for index in 0..<min(8, bytes.count - place) {
          bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
        }
      default: bytes.append(contentsOf: other.prefix(length))
      }
    }
    return bytes
  }

  /// A segment whose frames say anything at all and whose checksums are good: what damage cannot make, and someone can.
  static func forged(from seed: [UInt8], using random: inout some RandomNumberGenerator) throws -> [UInt8] {
    let file = MemoryFile(seed, path: "seed")
    let head = try FileHead(of: file)
    let walker = try SegmentWalker(file, from: head.end)
    var out = Array(seed[..<Int(head.end)])
    let compressor = try BlockCompressor()
    func changed(_ bytes: [UInt8]) -> [UInt8] {
      Int.random(in: 0..<6, using: &random) == 0 ? mutated(bytes, with: seed, using: &random) : bytes
    }
    while true {
      switch try walker.next() {
      case .frameStart:
        var bytes: [UInt8] = []
        try compressor.begin(into: &bytes)
        out += bytes
      case .commit:
        let commit = changed(walker.withCommit { CommitLines.array($0) })
        var bytes: [UInt8] = []
        if !commit.isEmpty { try compressor.add(commit.span, into: &bytes) }
        out += bytes
      case .frameEnd: out += FrameFormat.endMark
      case .skippable(let frame, _): out += SkippableFrame(kind: frame.kind, body: changed(frame.body)).encoded
      case .end: return out
      }
    }
  }
}
