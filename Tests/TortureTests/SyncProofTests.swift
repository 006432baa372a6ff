import Foundation
import Testing

@testable import EventStore

/// What mode `each` promises, shown from outside of the program.
@Suite(.serialized) struct SyncProofTests {
  @Test(
    "every append acknowledged in mode each is preceded by an fdatasync that covers its bytes",
    .enabled(if: Trace.isThere, "needs strace"), arguments: [1, 16])
  func each(appenders: Int) async throws {
    try await Effort.onThread { try Self.check(appenders: appenders) }
  }

  private static func check(appenders: Int) throws {
    let wanted = Effort.number("TRACED", short: 400)
    let folder = try Folder()
    let log = folder.path + "/trace"
    let subject = try Subject(
      [
        "write", folder.store, "mode=each", "appenders=\(appenders)", "batches=\((wanted + appenders - 1) / appenders)",
        "segment=50000", "limit=3000",
      ], before: Trace.command(log, calls: ["write", "pwrite64", "fdatasync", "ftruncate"]))
    #expect(subject.end().end == .exit(0))
    let places = try commits(of: folder.store)
    var disk = TracedDisk()
    var acknowledged = 0
    for call in try Trace(log).calls {
      guard call.name == "write" else {
        disk.see(call)
        continue
      }
      // A promise: "d FIRST END BY NUMBER\n", on standard output.
      guard let words = call.text.firstMatch(of: #/"d (\d+) (\d+) \d+ \d+\\n"/#), let first = UInt64(words.1),
        let end = UInt64(words.2)
      else { continue }
      for position in first..<end {
        let place = try #require(places[position], "record \(position) is in no commit")
        let isCovered = disk.isDurable(place.bytes, of: place.file, before: call.began)
        try #require(isCovered, "record \(position), \(place), was acknowledged before it was synced: \(call.text)")
      }
      acknowledged += 1
    }
    #expect(acknowledged >= wanted)
    Effort.report(
      "trace: \(acknowledged) appends of \(appenders) appenders, each synced before it was acknowledged; "
        + "\(disk.syncs) fdatasync calls")
  }

  /// Where the commit of each record stands: the file, and its bytes from the beginning of its frame.
  private static func commits(of store: String) throws -> [UInt64: (file: String, bytes: Range<Int>)] {
    let layout = StoreLayout(store)
    let disk = SystemDisk()
    var places: [UInt64: (file: String, bytes: Range<Int>)] = [:]
    for first in try layout.segmentList(on: disk) {
      let file = try disk.open(layout.segment(first), .read)
      let walker = try SegmentWalker(file, from: try FileHead(of: file).end)
      var start = 0
      var position = first
      reading: while true {
        switch try walker.next() {
        case .frameStart(let offset): start = Int(offset)
        case .commit:
          let count = walker.withCommit { commit in (0..<commit.count).count { commit[$0] == 0x0A } }
          for record in position..<position + UInt64(count) {
            places[record] = (layout.segment(first), start..<Int(walker.offset))
          }
          position += UInt64(count)
        case .frameEnd, .skippable: break
        case .end: break reading
        }
      }
    }
    return places
  }
}

/// Which bytes of which file are durable, by the calls that were seen.
private struct TracedDisk {
  /// A write that was seen, and when the sync that covered it ended.
  private struct Write {
    var bytes: Range<Int>
    var ended: Int
    var synced: Int?
  }

  private var writes: [String: [Write]] = [:]
  private(set) var syncs = 0

  mutating func see(_ call: Trace.Call) {
    guard call.result >= 0, let file = call.text.firstMatch(of: #/\(\d+<([^>]*)>/#).map({ String($0.1) }) else {
      return
    }
    switch call.name {
    case "pwrite64":
      guard let offset = call.text.firstMatch(of: #/, (\d+)\)\s* = /#).flatMap({ Int($0.1) }) else { return }
      writes[file, default: []].append(.init(bytes: offset..<offset + call.result, ended: call.ended))
    case "fdatasync":
      syncs += 1
      // It covers what had been written when it began.
      for index in (writes[file] ?? []).indices.reversed() {
        guard let write = writes[file]?[index] else { break }
        if write.synced != nil { break }
        if write.ended < call.began { writes[file]?[index].synced = call.ended }
      }
    default: writes[file] = nil  // cut: what is written after it counts
    }
  }

  /// True where all the bytes had been synced when something began.
  func isDurable(_ bytes: Range<Int>, of file: String, before moment: Int) -> Bool {
    var reached = bytes.lowerBound
    for write in writes[file] ?? [] where write.bytes.upperBound > bytes.lowerBound {
      guard write.bytes.lowerBound <= reached else { return false }
      guard let synced = write.synced, synced < moment else { break }
      reached = max(reached, write.bytes.upperBound)
      if reached >= bytes.upperBound { return true }
    }
    return reached >= bytes.upperBound
  }
}
