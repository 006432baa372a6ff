import EventStore
import Testing

@testable import FlowRecording

@Suite struct VirtualTimeTests {
  @Test("time moved to the next timer fires it and stands at its instant")
  func nextTimer() {
    let start = Timestamp(microseconds: 1_000_500)
    let time = VirtualTime(start: start)
    #expect(time.untilNextTimer == nil)
    let fired = Locked<[Int]>([])
    for milliseconds in [4000, 1000] {
      _ = time.schedule(milliseconds: milliseconds) { fired.withLock { $0.append(milliseconds) } }
    }
    #expect(time.untilNextTimer == 1000)
    time.advance(milliseconds: 1000)
    #expect(fired.withLock { $0 } == [1000])
    #expect(time.now() == Timestamp(microseconds: start.microseconds + 1_000_000))
    #expect(time.untilNextTimer == 3000)
    time.schedule(milliseconds: 0) {}.cancel()
    #expect(time.untilNextTimer == 3000)
  }
}
