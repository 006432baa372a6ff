import Foundation
import Testing

@testable import EventStore

/// What can be read of a damaged store, and what is said to be lost.
@Suite struct SalvageTests {
  /// A store of several segments and frames, and what its records were.
  private func make(sealed: Bool = false) throws -> (store: TemporaryStore, lines: [UInt64: [UInt8]]) {
    let store = try TemporaryStore()
    let options = repeatableOptions(segmentBytes: 4_000, frameBytes: 400)
    let log = try EventLog.open(at: store.path, options: options)
    var random = SeededRandom(11)
    for number in 0..<300 {
      // Hardly to be compressed, so that there are several segments.
      let text = (0..<8).map { _ in String(random.next(), radix: 36) }.joined()
      _ = try log.append([record("s/\(number % 7)", text)])
      // A segment ends between two commits.
      if number % 5 == 4 { try log.flush() }
    }
    // Some stand in the last segment.
    for number in 0..<6 {
      _ = try log.append([record("s/\(number % 2)", "the end \(number)")])
      try log.flush()
    }
    try log.close()
    if sealed {
      let log = try EventLog.open(at: store.path, options: options)
      _ = try log.seal()
      try log.close()
    }
    return (store, try lines(of: store.path))
  }

  private func lines(of path: String) throws -> [UInt64: [UInt8]] {
    var lines: [UInt64: [UInt8]] = [:]
    var cursor = try LogReader(directory: path).cursor()
    while let record = try cursor.next() { lines[record.position] = record.line }
    return lines
  }

  private func salvage(_ path: String, on disk: any Disk = SystemDisk()) throws -> ([UInt64: [UInt8]], [LogGap]) {
    var found: [UInt64: [UInt8]] = [:]
    var last: UInt64?
    let gaps = try LogReader(directory: path, disk: disk).salvage { record throws(StoreError) in
      if let last, record.position <= last { throw StoreError(.invalid, "record \(record.position) after \(last)") }
      last = record.position
      found[record.position] = record.line
    }
    return (found, gaps)
  }

  @Test(arguments: [false, true])
  func `of a whole store nothing is lost`(sealed: Bool) throws {
    let made = try make(sealed: sealed)
    let (found, gaps) = try salvage(made.store.path)
    #expect(found == made.lines && gaps.isEmpty && found.count > 300)
  }

  @Test(arguments: [false, true])
  func `whatever byte is damaged, each record is read as it was, or is said to be lost`(sealed: Bool) throws {
    let made = try make(sealed: sealed)
    let names = try FileManager.default.contentsOfDirectory(atPath: made.store.path + "/segments").sorted()
    #expect(names.count > 4)
    let firsts = names.compactMap { SegmentName.first(of: $0) } + [UInt64(made.lines.count)]
    let largest = zip(firsts, firsts.dropFirst()).map { $1 - $0 }.max() ?? 0
    var (lossless, lossy, most) = (0, 0, 0)
    for name in names {
      let path = made.store.path + "/segments/" + name
      let good = try bytes(of: path)
      for place in stride(from: 0, to: good.count, by: 97) {
        var bad = good
        bad[place] ^= 0x10
        let disk = OverlaidDisk(base: SystemDisk(), path: path, bytes: bad)
        let (found, gaps) = try salvage(made.store.path, on: disk)
        for (position, line) in found { #expect(line == made.lines[position], "\(name), byte \(place)") }
        let lost = Set(made.lines.keys).subtracting(found.keys)
        let said = gaps.flatMap { gap in made.lines.keys.filter { $0 >= gap.first && $0 < gap.end ?? .max } }
        #expect(lost == Set(said), "\(name), byte \(place): \(lost.sorted()) are lost, \(said.sorted()) are said")
        #expect(gaps.allSatisfy { $0.error.file != nil })
        most = max(most, lost.count)
        if lost.isEmpty { lossless += 1 } else { lossy += 1 }
      }
    }
    // A frame, or what follows the last directory; of a sealed segment perhaps all of it, and never the rest of the log.
    #expect(lossy > 20 && lossless > 0 && most <= largest, "\(lossy) \(lossless) \(most) \(largest)")
    #expect(sealed || most < largest)
  }

  @Test func `no damaged bit of the last segment ends the log unseen`() throws {
    let made = try make()
    let path = try #require(try made.store.segments().last)
    let good = try bytes(of: path)
    let first = SegmentName.first(of: path.split(separator: "/").last.map(String.init) ?? "") ?? 0
    #expect(UInt64(made.lines.count) - first > 3)
    for place in 0..<good.count {
      for bit in [0, 3, 4, 6, 7] {
        var bad = good
        bad[place] ^= 1 << bit
        let disk = OverlaidDisk(base: SystemDisk(), path: path, bytes: bad)
        let (found, gaps) = try salvage(made.store.path, on: disk)
        let lost = made.lines.keys.filter { found[$0] == nil }
        let said = gaps.flatMap { gap in made.lines.keys.filter { $0 >= gap.first && $0 < gap.end ?? .max } }
        guard Set(lost) != Set(said) || found.contains(where: { made.lines[$0.key] != $0.value }) else { continue }
        Issue.record("byte \(place), bit \(bit): \(lost.sorted()) are lost, \(said.sorted()) are said")
        return
      }
    }
  }

  @Test func `segments that are gone are a gap between those that are there`() throws {
    let made = try make()
    let names = try FileManager.default.contentsOfDirectory(atPath: made.store.path + "/segments").sorted()
    try FileManager.default.removeItem(atPath: made.store.path + "/segments/" + names[1])
    let (found, gaps) = try salvage(made.store.path)
    let (first, end) = try (
      #require(SegmentName.first(of: names[1])), #require(SegmentName.first(of: names[2]))
    )
    #expect(gaps.map(\.first) == [first] && gaps.map(\.end) == [end] && gaps[0].error.code == .missingSegment)
    #expect(found.count == made.lines.count - Int(end - first))
  }

  @Test func `two damages are two gaps, and what is between them is read`() throws {
    let made = try make()
    let names = try FileManager.default.contentsOfDirectory(atPath: made.store.path + "/segments").sorted()
    for name in [names[0], names[2]] {
      let path = made.store.path + "/segments/" + name
      var bad = try bytes(of: path)
      bad[bad.count / 3] ^= 0x40
      try write(bad, to: path)
    }
    let (found, gaps) = try salvage(made.store.path)
    #expect(gaps.count == 2 && found.count > made.lines.count * 2 / 3)
    // Readers stop at the first.
    #expect(throws: StoreError.self) { _ = try lines(of: made.store.path) }
  }
}
