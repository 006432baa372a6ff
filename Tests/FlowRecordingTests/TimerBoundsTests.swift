import EventStore
import FlowRecording
import Testing

/// A recording may say anything of a timer; sums of what it says must not overflow.
@Suite struct TimerBoundsTests {
  @Test(
    "a timer of a recording stays as it is written, and runs for a day at most, and never for less than nothing",
    arguments: [(Int.max, 86_400_000), (Int.min, 0), (-1, 0), (86_400_001, 86_400_000), (4000, 4000)])
  func bounds(written: Int, runs: Int) throws {
    let data: JSON = ["ms": .int(written), "for": "poll"]
    let timer = try TimerSet(data: data)
    #expect(timer.milliseconds == written && timer.data == data)
    #expect(timer.duration == runs)
  }
}
