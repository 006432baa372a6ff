import Foundation
import Testing

@testable import EventStore

/// A sealed or pruned segment whose footer cannot be read: `verify` reports the damage, not what is whole before it.
@Suite struct BrokenFooterTests {
  @Test(arguments: [false, true]) func `the first finding is at the damage, and the records before it count`(
    _ isPruned: Bool
  ) throws {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    try makeSegments(in: store, signedBy: key)
    let log = try EventLog.open(at: store.path, options: smallSegments())
    // A checkpoint in the middle of a segment stands before the records of the sealed one.
    for number in 0..<40 {
      pass(log, try log.append([record("s/\(number % 3)", "\(number) and some more text")]))
      if number % 7 == 3 { _ = try log.checkpoint(with: key) }
    }
    _ = try log.seal()
    if isPruned { _ = try log.prune(before: .position(log.size - 5), signingWith: key) }
    try log.close()
    let layout = StoreLayout(store.path)
    let firsts = try layout.segmentList(on: SystemDisk())
    var damaged = 0
    for (first, next) in zip(firsts, firsts.dropFirst()) {
      let path = layout.segment(first)
      let good = try bytes(of: path)
      let body = try #require(try FooterPlace.body(in: MemoryFile(good, path: path)))
      // The magic, the size and the kind stand before it.
      let place = Int(body.offset) - 12
      for bad in [good + [0x78], Array(good.dropLast()), Array(good[..<place]), Array(good[..<(place + 9)])] {
        try write(bad, to: path)
        let report = try Verifier(directory: store.path, pinnedKey: key.verifier).run()
        let found = try #require(report.findings.first { $0.kind != .pruned })
        let what = "segment \(first), \(bad.count) of \(good.count) bytes: \(found)"
        #expect(found.kind == .altered && found.segment == SegmentName.name(first: first), "\(what)")
        #expect(found.offset ?? 0 >= UInt64(place) && report.records == next, "\(what)")
        damaged += 1
      }
      try write(good, to: path)
    }
    #expect(damaged > 20)
  }
}
