import Foundation
import Glibc
import Testing

@testable import EventStore

/// Stores that a forger who has all but the key has changed and made good again: `verify` has a finding, or all readers answer alike,
/// and the records that the key has signed are those that it signed.
@Suite struct ForgedStoreTests {
  /// How many stores of each kind.
  private static let rounds = Effort.number("FORGED", short: 20)
  /// The processor time that a forged store of some kilobytes may take, in seconds.
  private static let limit = 10.0

  /// A store before anyone has changed it.
  private struct Original {
    let store: WalkStore
    let files: HeldStore
    let report: VerifyReport
    /// The lines that are kept, by position.
    let lines: [UInt64: [UInt8]]
    let firstKept: UInt64
    let note: SignedNote?
    /// The key of the forger, under the name of the store's own.
    let forger: SigningKey

    init(_ kind: WalkStore.Kind) throws {
      store = try WalkStore(kind)
      files = try HeldStore(of: store)
      report = try #require(store.verdict(on: files))
      let reader = try LogReader(directory: files.root, disk: files)
      var cursor = try reader.cursor()
      var lines: [UInt64: [UInt8]] = [:]
      while let record = try cursor.next() { lines[record.position] = record.line }
      self.lines = lines
      firstKept = try reader.firstKept()
      note = try reader.statistics().lastCheckpoint
      forger = try SigningKey(name: "damage")
      #expect(lines.count > 9 && UInt64(lines.count) + firstKept == report.records)
    }

    /// What `verify` says of changed files with the store's key pinned, and perhaps its last checkpoint.
    func verdict(of files: HeldStore, pinning note: SignedNote?) -> VerifyReport? {
      let check = Verifier(
        directory: files.root, pinnedKey: store.key.verifier, pinnedCheckpoint: note, disk: files)
      return try? check.run(threads: 1)
    }

    /// True if a report is one of a store in which nothing is wrong.
    func isClean(_ said: VerifyReport) -> Bool {
      said.verdict == report.verdict && said.findings.allSatisfy { $0.kind == .ok || $0.kind == report.verdict }
    }

    /// What readers answer that `verify` has not seen, or nil.
    func fault(in files: HeldStore, said: VerifyReport, pinning note: SignedNote?) throws -> String? {
      let reader = try LogReader(directory: files.root, disk: files)
      let signed = said.anchoredSize ?? 0
      guard signed <= report.anchoredSize ?? 0, signed >= note?.size ?? 0 else {
        return "\(signed) records are anchored"
      }
      let kept = try reader.firstKept()
      guard kept == firstKept else { return "the first record is \(kept)" }
      var found: [StoredRecord] = []
      var cursor = try reader.cursor()
      while let record = try cursor.next() {
        guard record.position == kept + UInt64(found.count) else { return "record \(record.position) is out of order" }
        guard record.position >= signed || record.line == lines[record.position] else {
          return "record \(record.position), which is signed, is another one"
        }
        found.append(record)
      }
      guard kept + UInt64(found.count) == said.records else { return "\(found.count) records of \(said.records)" }
      let streams = Set(found.map(\.stream)).union(store.streams)
      for stream in streams where try reader.keptRecords(of: stream) != found.filter({ $0.stream == stream }) {
        return "the stream \(stream) is read otherwise"
      }
      let counts = try reader.statistics()
      if counts.records != said.records { return "\(counts.records) are counted of \(said.records)" }
      if kept == 0, counts.streams != Set(found.map(\.stream)).count { return "\(counts.streams) streams are counted" }
      if let last = counts.lastCheckpoint, try reader.root(at: last.size) != last.root { return "the last checkpoint" }
      return try proofFault(of: found, from: reader, said: said) ?? writerFault(files, found, said: said)
    }

    private func proofFault(of found: [StoredRecord], from reader: LogReader, said: VerifyReport) throws -> String? {
      let root = try reader.root(at: said.records)
      if root.description != said.root { return "readers have another root" }
      let leaves = found.map { MerkleTree.leaf($0.line) }
      if firstKept == 0, MerkleTree.root(of: leaves[...]) != root { return "the root is not that of the records" }
      for (index, record) in found.enumerated() where index % 7 == 0 || index == found.count - 1 {
        let proof = try reader.inclusionProof(of: record.position, size: said.records)
        if !proof.isValid || proof.root != root || proof.leafHash != leaves[index] { return "proof \(record.position)" }
      }
      let grown = try reader.consistencyProof(first: said.records / 2, second: said.records)
      return grown.isValid && grown.secondRoot == root ? nil : "the proof of growth"
    }

    private func writerFault(_ files: HeldStore, _ found: [StoredRecord], said: VerifyReport) throws -> String? {
      guard let written = try store.written(files) else { return nil }
      for stream in store.streams where stream != "log" {
        let last = found.last { $0.stream == stream }
        // Of a stream that was pruned as a whole nothing can prove what its next revision is.
        if last == nil, firstKept > 0 { continue }
        let expected = "\(stream) \((last?.revision ?? -1) + 1)"
        guard written.revisions.contains(expected) else { return "the writer gives \(written.revisions)" }
      }
      let report = written.report
      return report.verdict == said.verdict ? nil : "the writer makes it \(report.verdict): \(report.findings)"
    }

    /// Asks readers, and now and then the writer, about a store in which something is wrong: an answer or an error.
    func ask(_ files: HeldStore, writing: Bool) {
      _ = try? Verifier(directory: files.root, disk: files).run(threads: 1)
      guard let reader = try? LogReader(directory: files.root, disk: files) else { return }
      _ = try? reader.statistics()
      if var cursor = try? reader.cursor() {
        var count = 0
        while count < 1_000, let record = try? cursor.next(), record.position < .max { count += 1 }
      }
      for stream in store.streams { _ = try? reader.keptRecords(of: stream) }
      for position: UInt64 in [0, 7, 23] {
        _ = try? reader.inclusionProof(of: position)
        _ = try? reader.root(at: position)
      }
      _ = try? reader.consistencyProof(first: 5, second: 20)
      let copy = store.store.folder + "/written"
      guard writing, (try? files.write(to: copy)) != nil else { return }
      guard let log = try? EventLog.open(at: copy, options: repeatableOptions(frameBytes: 400)) else { return }
      if let ticket = try? log.append([record("s/1", "next")]) { _ = log.barrier(ticket) { _ in } }
      try? log.close()
    }
  }

  @Test(arguments: WalkStore.Kind.allCases)
  func `what a forger makes good again is found, or has what the key signed`(_ kind: WalkStore.Kind) throws {
    let original = try Original(kind)
    var (clean, other, longest) = (0, 0, 0.0)
    for number in 0..<Self.rounds {
      var random = SeededRandom(Effort.seed &+ UInt64(number) &* 0x9E37_79B9)
      let files = try Self.forged(original, using: &random)
      let note = number % 2 == 0 ? original.note : nil
      let begun = ThreadTime.seconds
      var fault: String?
      if let said = original.verdict(of: files, pinning: note), original.isClean(said) {
        clean += 1
        if said.root != original.report.root { other += 1 }
        do { fault = try original.fault(in: files, said: said, pinning: note) } catch { fault = "\(error)" }
      } else {
        original.ask(files, writing: number % 16 == 0)
      }
      let time = ThreadTime.seconds - begun
      longest = max(longest, time)
      if time > Self.limit { fault = "\(time) s of processor time" }
      #expect(fault == nil, "\(kind): store \(number) of seed \(Effort.seed): \(fault ?? "")")
      guard number % 5_000 == 4_999 else { continue }
      print("\(kind): \(number + 1) forged stores, \(clean) without a finding")
      fflush(nil)
    }
    Effort.report(
      "forged: \(kind): \(Self.rounds) stores, seed \(Effort.seed), \(clean) without a finding and rightly so, "
        + "\(other) of them with other records than before, none that is signed; \(Int(longest * 1_000)) ms for the longest"
    )
    // Some have to come through: else readers were never compared.
    #expect(clean > 0)
  }

  @Test(arguments: WalkStore.Kind.allCases)
  func `a forger who changes nothing is not noticed`(_ kind: WalkStore.Kind) throws {
    let original = try Original(kind)
    var files = original.files
    var forger = try StoreForger(files, key: original.forger)
    files.files = try forger.files(StoreForger.Repairs())
    let said = try #require(original.verdict(of: files, pinning: original.note))
    #expect(original.isClean(said) && said.root == original.report.root, "\(said)")
    #expect(try original.fault(in: files, said: said, pinning: original.note) == nil)
  }

  /// A store that was changed in one to three places.
  private static func forged(_ original: Original, using random: inout SeededRandom) throws -> HeldStore {
    var files = original.files
    let changes = 1 + random.next() % 3
    if random.next() % 6 > 0 {
      var forger = try StoreForger(files, key: original.forger)
      for _ in 0..<changes { forger.change(using: &random) }
      files.files = try forger.files(StoreForger.Repairs.drawn(using: &random))
      if random.next() % 4 > 0 { return files }
    }
    // And bytes and names, which are not made good.
    for _ in 0..<changes {
      let names = files.files.keys.sorted()
      guard let name = names.randomElement(using: &random), let other = names.randomElement(using: &random),
        let bytes = files.files[name]
      else { continue }
      switch random.next() % 8 {
      case 0: files.files[name] = nil
      case 1: files.files[other] = bytes
      case 2:
        files.files["segments/" + SegmentName.name(first: random.next() % 50)] = bytes
      case 3: files.files[name + [".bak", ".tmp", "x"][Int(random.next() % 3)]] = bytes
      default: files.files[name] = FuzzEntry.mutated(bytes, with: files.files[other] ?? [], using: &random)
      }
    }
    return files
  }
}
