import DeviceAuthenticator
import EventStore
import FlowRecording
import Testing

/// Asking again and again.
@Suite struct PullLoopTests {
  private let time = VirtualTime(start: Timestamp(microseconds: 1_700_000_000_000_000))

  /// The pauses, in milliseconds, after pulls that end so.
  private func pauses(
    after outcomes: [PullOutcome], interval: Double = 10, jitter: Double = 0, seed: UInt64 = 1
  ) async -> [Int] {
    let left = Locked(outcomes)
    let loop = PullLoop(interval: interval, jitter: jitter, timers: time, entropy: SeededEntropy(seed: seed))
    let task = Task { await loop.run { left.withLock { $0.isEmpty ? .answered : $0.removeFirst() } } }
    var pauses: [Int] = []
    for _ in outcomes {
      await time.waitForTimers()
      let pause = time.untilNextTimer ?? -1
      pauses.append(pause)
      time.advance(milliseconds: pause)
    }
    task.cancel()
    await task.value
    #expect(time.pending == 0)
    return pauses
  }

  @Test func `a pull that was answered is followed by one an interval later`() async {
    #expect(await pauses(after: [.answered, .answered]) == [10_000, 10_000])
    #expect(await pauses(after: [.answered], interval: 0) == [1_000])
    #expect(await pauses(after: [.answered], interval: .nan, jitter: .nan) == [1_000])
    #expect(await pauses(after: [.answered], interval: .infinity) == [3_600_000])
  }

  @Test func `chance makes it longer or shorter, by no more than is allowed`() async {
    let pauses = await pauses(after: Array(repeating: .answered, count: 200), jitter: 0.2)
    #expect(pauses.allSatisfy { (8_000...12_000).contains($0) })
    #expect(pauses.contains { $0 < 9_000 } && pauses.contains { $0 > 11_000 } && Set(pauses).count > 100)
  }

  @Test func `after failures the pause doubles up to a limit, and an answer sets it back`() async {
    let outcomes: [PullOutcome] = Array(repeating: .failed, count: 7) + [.answered, .failed]
    #expect(
      await pauses(after: outcomes) == [
        20_000, 40_000, 80_000, 160_000, 320_000, 320_000, 320_000, 10_000, 20_000,
      ])
  }

  @Test func `a rate limit is waited out, never shorter than the interval, at most an hour`() async {
    let outcomes: [PullOutcome] = [
      .rateLimited(seconds: 60), .rateLimited(seconds: 1), .rateLimited(seconds: 100_000), .rateLimited(seconds: nil),
    ]
    #expect(await pauses(after: outcomes) == [60_000, 10_000, 3_600_000, 160_000])
    let chanced = await pauses(after: Array(repeating: .rateLimited(seconds: 60), count: 50), jitter: 0.5)
    #expect(chanced.allSatisfy { $0 >= 60_000 })
  }

  @Test func `a loop ends with its task, also while it pauses`() async {
    let loop = PullLoop(timers: time)
    let count = Locked(0)
    let task = Task {
      await loop.run {
        count.withLock { $0 += 1 }; return .answered
      }
    }
    await time.waitForTimers()
    task.cancel()
    await task.value
    #expect(count.withLock { $0 } == 1 && time.pending == 0)
  }

  struct Answer: Sendable {
    var status = 429
    var headers: [String: String] = [:]
    var outcome: PullOutcome
  }

  static let date = "Tue, 14 Nov 2023 22:13:20 GMT"
  static let answers = [
    Answer(status: 200, outcome: .answered), Answer(status: 500, outcome: .failed),
    Answer(status: 401, outcome: .failed), Answer(outcome: .rateLimited(seconds: nil)),
    Answer(headers: ["retry-after": "17"], outcome: .rateLimited(seconds: 17)),
    Answer(headers: ["retry-after": "-1"], outcome: .rateLimited(seconds: nil)),
    Answer(
      headers: ["retry-after": "Tue, 14 Nov 2023 22:13:50 GMT", "date": date], outcome: .rateLimited(seconds: 30)),
    Answer(headers: ["x-rate-limit-reset": "1700000042", "date": date], outcome: .rateLimited(seconds: 42)),
    Answer(headers: ["x-rate-limit-reset": "1700000042"], outcome: .rateLimited(seconds: nil)),
    Answer(headers: ["x-rate-limit-reset": "1", "date": date], outcome: .rateLimited(seconds: 0)),
    Answer(headers: ["retry-after": "99999999999999999999"], outcome: .rateLimited(seconds: nil)),
  ]

  @Test(arguments: answers)
  func `an answer says how long to wait, by the server's clock`(answer: Answer) {
    #expect(PullOutcome(status: answer.status) { answer.headers[$0] } == answer.outcome)
  }
}
