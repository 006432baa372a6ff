import EventStore
import FlowRecording
import Testing

/// A recording may say anything of a timer; sums of what it says must not overflow.
@Suite struct TimerBoundsTests {
  @Test(
    "a timer of a recording runs for a day at most, and never for less than nothing",
    arguments: [(Int.max, 86_400_000), (Int.min, 0), (-1, 0), (4000, 4000)])
  func bounds(written: Int, read: Int) throws {
    #expect(try TimerSet(data: ["ms": .int(written), "for": "poll"]).milliseconds == read)
  }
}
