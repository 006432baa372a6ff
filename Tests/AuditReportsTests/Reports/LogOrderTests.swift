import EventStore
import Testing

@testable import AuditReports

/// The order of what is recorded while clocks are put back.
@Suite struct LogOrderTests {
  private struct Entry {
    var store: String
    var second: Int
    var position: UInt64
  }

  private static func order(_ entries: [Entry]) -> [String] {
    LogOrder.sorted(entries) { entry in
      LogOrder.Place(
        store: entry.store, at: Timestamp(microseconds: Int64(entry.second) * 1_000_000), position: entry.position)
    }.map { "\($0.store)\($0.position)" }
  }

  @Test("in one store the log decides, whatever the clock says")
  func oneStore() {
    let entries = [
      Entry(store: "a", second: 60, position: 7), Entry(store: "a", second: 100, position: 4),
      Entry(store: "a", second: 50, position: 5),
    ]
    #expect(Self.order(entries) == ["a4", "a5", "a7"])
    #expect(Self.order(entries.reversed()) == ["a4", "a5", "a7"])
  }

  @Test("between stores the times decide, and what follows a later time is no earlier")
  func severalStores() {
    let entries = [
      Entry(store: "a", second: 100, position: 4), Entry(store: "b", second: 70, position: 1),
      Entry(store: "a", second: 50, position: 5), Entry(store: "b", second: 120, position: 2),
      Entry(store: "a", second: 110, position: 6),
    ]
    #expect(Self.order(entries) == ["b1", "a4", "a5", "a6", "b2"])
    // At the same time the store that comes first in the array, and the whole of it.
    let same = [
      Entry(store: "b", second: 5, position: 9), Entry(store: "a", second: 5, position: 2),
      Entry(store: "b", second: 4, position: 10),
    ]
    #expect(Self.order(same) == ["b9", "b10", "a2"])
    #expect(Self.order([]).isEmpty)
  }
}
