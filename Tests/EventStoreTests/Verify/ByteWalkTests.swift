import Foundation
import Testing

@testable import EventStore

/// `verify` covers what any reader believes: whatever is changed in a store, it has a finding, or no reader answers otherwise and the next
/// writer gives the right revisions.
@Suite struct ByteWalkTests {
  /// Every how manyth byte is changed: 97, or what `FLOWRECORDER_WALK` says; 1 is each, and each bit of it.
  private static let step = max(Effort.number("WALK", short: 97), 1)

  /// What a store answers while nothing is wrong with it.
  private struct Walk {
    let store: WalkStore
    let answers: [String]
    let revisions: [String]
    let verdict: VerifyReport.Verdict

    init(_ kind: WalkStore.Kind) throws {
      store = try WalkStore(kind)
      answers = store.answers()
      #expect(answers.count > 10)
      let report = try #require(store.verdict())
      verdict = report.verdict
      let expected: VerifyReport.Verdict = kind == .plain ? .unanchored : kind == .pruned ? .pruned : .ok
      #expect(
        verdict == expected && report.findings.allSatisfy { [.unanchored, .pruned].contains($0.kind) }, "\(report)")
      let written = try #require(try store.written())
      revisions = written.revisions
      #expect(written.report.verdict == expected)
    }

    /// True if `verify` has a finding.
    func isFound(on disk: any Disk = SystemDisk()) -> Bool {
      guard let report = store.verdict(on: disk) else { return true }
      let usual: Set<VerifyReport.Verdict> =
        verdict == .pruned ? [.pruned] : verdict == .unanchored ? [.unanchored] : []
      return !report.findings.allSatisfy { usual.contains($0.kind) } || report.verdict != verdict
    }

    /// What readers answer otherwise; nil if none does.
    func fault(on disk: any Disk = SystemDisk()) -> String? {
      let now = store.answers(on: disk)
      if let other = zip(now, answers).first(where: { $0 != $1 }) { return "a reader answers \(other.0)" }
      return now.count == answers.count ? nil : "readers answer \(now.count) questions"
    }

    /// The same of the writer, on the files as they stand.
    func writerFault() throws -> String? {
      guard let written = try store.written() else { return nil }
      if written.revisions != revisions { return "the writer gives \(written.revisions)" }
      return written.report.verdict == verdict
        ? nil : "the writer makes it \(String(describing: written.report.verdict))"
    }
  }

  @Test(arguments: WalkStore.Kind.allCases) func `each byte counts, or is never read`(_ kind: WalkStore.Kind) throws {
    let walk = try Walk(kind)
    var (tried, unseen) = (0, [String: Int]())
    for name in try walk.store.files() {
      let path = walk.store.path + "/" + name
      let good = try bytes(of: path)
      for place in stride(from: good.count % Self.step, to: good.count, by: Self.step) {
        for bit in Self.step == 1 ? Array(0..<8) : [(place / Self.step) % 8] {
          var bad = good
          bad[place] ^= 1 << bit
          let disk = OverlaidDisk(base: SystemDisk(), path: path, bytes: bad)
          tried += 1
          if walk.isFound(on: disk) { continue }
          let fault = walk.fault(on: disk)
          #expect(fault == nil, "\(kind): \(name), byte \(place), bit \(bit): \(fault ?? "")")
          unseen[String(name.prefix { $0 != "/" }), default: 0] += 1
          guard unseen[String(name.prefix { $0 != "/" })] ?? 0 < 4 else { continue }
          try write(bad, to: path)
          let written = try walk.writerFault()
          #expect(written == nil, "\(kind): \(name), byte \(place), bit \(bit): \(written ?? "")")
          try write(good, to: path)
        }
      }
    }
    Effort.report("\(kind): \(tried) bits changed; not noticed, and not read: \(unseen.sorted { $0.key < $1.key })")
    #expect(tried > 20)
  }

  @Test func `a segment may be torn from where on another supersedes it`() throws {
    let walk = try Walk(.superseded)
    let step = Effort.number("WALK", short: 97) == 1 ? 1 : 3
    var (tried, unseen) = (0, 0)
    // The end of the last one is that of the log.
    for name in try walk.store.files().filter({ $0.hasPrefix("segments/") }).sorted().dropLast() {
      let path = walk.store.path + "/" + name
      let good = try bytes(of: path)
      var changes = stride(from: good.count * 2 / 3, to: good.count, by: step).map { Array(good.prefix($0)) }
      // Each length that a skippable frame may claim: its magic is 0x184D2A50 to 0x184D2A5F.
      for place in good.indices.dropLast(8) where good[(place + 1)..<(place + 4)].elementsEqual([0x2A, 0x4D, 0x18]) {
        for byte in 4..<8 {
          var bad = good
          bad[place + byte] ^= 0x90
          changes.append(bad)
        }
      }
      for bad in changes {
        let disk = OverlaidDisk(base: SystemDisk(), path: path, bytes: bad)
        tried += 1
        if walk.isFound(on: disk) { continue }
        unseen += 1
        // How many bytes a store takes is another figure of a shorter file.
        let isOther = bad.count < good.count ? { !$0.hasPrefix("counts") } : { (_: String) in true }
        let answers = walk.store.answers(on: disk).filter(isOther)
        let fault = zip(answers, walk.answers.filter(isOther)).first { $0 != $1 }?.0
        #expect(fault == nil, "\(name), \(bad.count) of \(good.count) bytes: \(fault ?? "")")
        #expect(answers.count == walk.answers.filter(isOther).count)
      }
    }
    #expect(tried > (step == 1 ? 500 : 200) && unseen > 0)
  }

  @Test(arguments: WalkStore.Kind.allCases)
  func `each file counts, under its name, or is never read`(_ kind: WalkStore.Kind) throws {
    let walk = try Walk(kind)
    let files = FileManager.default
    for name in try walk.store.files() {
      let path = walk.store.path + "/" + name
      let away = walk.store.store.folder + "/away"
      let others = [away, path + ".bak", path + ".tmp", walk.store.path + "/segments/x.ndjson.lz4"]
      for other in others {
        try files.moveItem(atPath: path, toPath: other)
        let fault = walk.isFound() ? nil : try walk.fault() ?? walk.writerFault()
        #expect(fault == nil, "\(kind): \(name) is \(other): \(fault ?? "")")
        try files.moveItem(atPath: other, toPath: path)
      }
    }
    #expect(!walk.isFound() && walk.fault() == nil)
  }

  @Test(arguments: WalkStore.Kind.allCases) func `a strange name is a finding`(_ kind: WalkStore.Kind) throws {
    let walk = try Walk(kind)
    let files = FileManager.default
    let segment = try bytes(of: try #require(try walk.store.store.segments(in: walk.store.path).first))
    let printed = [
      "x.ndjson.lz4", "0.ndjson.lz4", "00000000000000000000 .ndjson.lz4", "99999999999999999999.ndjson.lz4",
    ]
    let names =
      printed.map { "segments/" + $0 } + [
        "x", "segments/.x.ndjson.lz4", "segments/x", "checkpoints/x", "checkpoints/+7", "checkpoints/007",
        "quarantine/x",
        "quarantine/00000000000000000000-1.bin.x", "index/x", "index/snapshots/x", "store.json.bak",
      ]
    for folder in ["quarantine", "index/snapshots"] {
      try files.createDirectory(atPath: walk.store.path + "/" + folder, withIntermediateDirectories: true)
    }
    for name in names {
      let path = walk.store.path + "/" + name
      try write(segment, to: path)
      let report = try #require(walk.store.verdict())
      let finding = report.findings.first { $0.segment == name }
      let isPrinted = printed.contains { "segments/" + $0 == name }
      #expect(finding?.kind == (isPrinted ? .altered : .ok), "\(name): \(report.findings)")
      #expect(report.verdict == (isPrinted ? .altered : walk.verdict), "\(name): \(report.verdict)")
      #expect(walk.store.answers() == walk.answers, "\(name)")
      try files.removeItem(atPath: path)
    }
    try files.createDirectory(
      atPath: walk.store.path + "/segments/00000000000000009999.ndjson.lz4", withIntermediateDirectories: true)
    #expect(walk.store.verdict()?.verdict == .altered)
  }
}
