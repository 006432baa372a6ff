import Foundation
import Testing

@testable import EventStore

/// A writer goes on to another segment, and the one before is sealed or pruned, in the middle of a look-up: at each call of the
/// disk that the look-up makes.
@Suite struct InterleavedReadingTests {
  typealias Event = RollingStage.Event

  /// Runs a look-up with the event before each of its calls in turn, one a run, on a reader that knows the log and on one that
  /// does not. `check` is given what it found, the records before, and those after. It may throw `pruned` where that happened.
  private func interleave<Answer>(
    _ event: Event, _ look: (LogReader) throws -> Answer, check: (Answer, [StoredRecord], [StoredRecord]) throws -> Bool
  ) throws {
    for isWarm in [false, true] {
      // The short form tries every third call; what it looks for lasts for some.
      let step = Effort.number("INTERLEAVED", short: 3)
      for call in stride(from: isWarm ? min(1, step - 1) : 0, to: .max, by: max(step, 1)) {
        let stage = try RollingStage()
        let before = try stage.records()
        try #require(before.count > 18 && stage.log.size == before.count)
        let disk = WatchedDisk(stage.disk)
        let reader = try LogReader(directory: RollingStage.path, disk: disk)
        if isWarm { _ = try look(reader) }
        let start = disk.calls
        var failure: (any Error)?
        var happened = false
        disk.before = { number in
          guard number == start + call else { return }
          happened = true
          do { try stage.play(event) } catch { failure = error }
        }
        let what = "\(event) at call \(call)\(isWarm ? ", warm" : "")"
        do {
          let answer = try look(reader)
          disk.before = { _ in }
          guard happened else { break }
          try #require(failure == nil, "\(what): \(String(describing: failure))")
          let after = event == .pruned ? before : try stage.records()
          #expect(try check(answer, before, after), "\(what)")
        } catch let error as StoreError {
          #expect(error.code == .pruned && event == .pruned, "\(what): \(error)")
        }
        #expect(call < 2_000)
      }
    }
  }

  /// True where `found` has all that was there before, and nothing but what there was after.
  private func isBetween(_ found: [StoredRecord], _ before: [StoredRecord], _ after: [StoredRecord]) -> Bool {
    found.starts(with: before) && after.starts(with: found)
  }

  @Test(arguments: Event.allCases) func `a stream is read whole`(_ event: Event) throws {
    try interleave(event) {
      try $0.records(of: "s/1")
    } check: { found, before, after in
      let after = event == .pruned ? found : after.filter { $0.stream == "s/1" }
      return isBetween(found, before.filter { $0.stream == "s/1" }, after)
    }
  }

  @Test(arguments: Event.allCases) func `of a stream there is no gap, whatever is kept of it`(_ event: Event) throws {
    try interleave(event) {
      try $0.keptRecords(of: "s/2")
    } check: { found, before, _ in
      let before = before.filter { $0.stream == "s/2" }
      guard let first = found.first else { return event == .pruned }
      let hasGap = zip(found, found.dropFirst()).contains { $0.revision + 1 != $1.revision }
      return !hasGap && (event == .pruned || first.revision == 0)
        && found.starts(with: before.dropFirst(first.revision))
    }
  }

  @Test(arguments: Event.allCases) func `a reader without a position passes by what is pruned meanwhile`(_ event: Event)
    throws
  {
    try interleave(event) { reader in
      var positions: [UInt64] = []
      do {
        try reader.forEachRecord { record, _ in
          positions.append(record.position)
          return true
        }
      } catch let error as StoreError where error.code == .pruned {
        // The look-up that is tried again finds no event then, and says so.
        return [UInt64.max]
      }
      return positions
    } check: { found, before, _ in
      let isRising = zip(found, found.dropFirst()).allSatisfy { $0 < $1 }
      return isRising && found.last.map { $0 >= UInt64(before.count) - 1 && $0 != .max } ?? false
    }
  }

  @Test(arguments: Event.allCases) func `records are counted, and none twice`(_ event: Event) throws {
    try interleave(event) {
      try $0.statistics()
    } check: { counted, before, after in
      counted.records >= before.count && (event == .pruned || counted.records <= after.count) && counted.streams >= 4
    }
  }

  @Test(arguments: Event.allCases) func `proofs and roots are those of the records`(_ event: Event) throws {
    for size in [7, 18] as [UInt64] {
      try interleave(event) { reader in
        (
          try reader.inclusionProof(of: 4, size: size), try reader.consistencyProof(first: 3, second: size),
          try reader.root(at: size)
        )
      } check: { answer, before, _ in
        let leaves = before.map { MerkleTree.leaf($0.line) }
        let root = MerkleTree.root(of: leaves[..<Int(size)])
        return answer.0.isValid && answer.0.root == root && answer.0.leafHash == leaves[4] && answer.1.isValid
          && answer.1.secondRoot == root && answer.1.firstRoot == MerkleTree.root(of: leaves[..<3]) && answer.2 == root
      }
    }
  }

  @Test(arguments: Event.allCases) func `the log is read from any place, from either end`(_ event: Event) throws {
    try interleave(event) { reader in
      var cursor = try reader.cursor(from: 9)
      var found: [StoredRecord] = []
      while let record = try cursor.next() { found.append(record) }
      return found
    } check: { found, before, after in
      isBetween(found, Array(before.dropFirst(9)), event == .pruned ? found : Array(after.dropFirst(9)))
    }
    try interleave(event) {
      try $0.last(9)
    } check: { found, before, after in
      // All that was there when it was asked for may have gone meanwhile.
      guard let last = found.last else { return event == .pruned }
      let end = last.position + 1
      let count = UInt64(found.count)
      guard found.map(\.position) == Array(end - count..<end), end >= before.count else { return false }
      return event == .pruned || (count == 9 && after[Int(end - count)..<Int(end)].elementsEqual(found))
    }
  }
}
