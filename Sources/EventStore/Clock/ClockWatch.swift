// Notices that the wall clock was set, by comparing it with a clock that cannot be set. Two readings per commit.
import Glibc

/// A step of the wall clock.
struct ClockStep: Sendable, Hashable {
  /// What the clock should have said.
  var from: Timestamp
  /// What it said.
  var to: Timestamp

  /// The size of the step in milliseconds; negative if the clock went back.
  var milliseconds: Int64 {
    let (difference, overflowed) = to.microseconds.subtractingReportingOverflow(from.microseconds)
    return (overflowed ? (to > from ? Int64.max : Int64.min) : difference) / 1_000
  }

  /// The record of the step.
  var record: NewRecord {
    let data = "{\"from\":\"\(from)\",\"to\":\"\(to)\",\"by\":\(milliseconds)}"
    return NewRecord(at: to, stream: Envelope.ownStream, type: OwnRecords.clockStep, data: Array(data.utf8))
  }
}

/// Compares two clocks at each look.
struct ClockWatch {
  private let wall: @Sendable () -> Timestamp
  private let steady: @Sendable () -> Duration
  private var last: (wall: Timestamp, steady: Int64)
  /// How far the clocks have moved apart in small steps that are not reported yet, in microseconds; negative if the
  /// wall clock went back. Each look subtracts the allowed drift. At most a millisecond over `tolerance`.
  private var gone: Int64 = 0

  /// How far the clocks may move apart without a report, in microseconds, and the fraction of the elapsed time that
  /// they may drift in addition. A clock that is being slewed gains or loses at most one part in 2,000 (adjtimex(2)); a
  /// crystal far less.
  private static let tolerance: Int64 = 2_000_000
  private static let drift: Int64 = 1_000

  /// A watch that begins now.
  init(wall: @escaping @Sendable () -> Timestamp, steady: @escaping @Sendable () -> Duration) {
    self.wall = wall
    self.steady = steady
    last = (wall(), Self.microseconds(steady()))
  }

  /// The step since the last look, with the small ones before it that were not reported, or nil.
  mutating func look() -> ClockStep? {
    let now = (wall: wall(), steady: Self.microseconds(steady()))
    let passed = max(now.steady &- last.steady, 0)
    let due = last.wall.microseconds.addingReportingOverflow(passed)
    last = now
    guard !due.overflow else { return nil }
    let from = due.partialValue.subtractingReportingOverflow(gone)
    let step = ClockStep(
      from: Timestamp(microseconds: from.overflow ? due.partialValue : from.partialValue), to: now.wall)
    let allowed = passed / Self.drift
    if step.milliseconds.magnitude > UInt64(Self.tolerance + allowed) / 1_000 {
      gone = 0
      return step
    }
    // Neither conversion overflows: the step does not exceed the value it was compared with.
    let apart = now.wall.microseconds &- step.from.microseconds
    gone = apart < 0 ? min(apart + allowed, 0) : max(apart - allowed, 0)
    return nil
  }

  private static func microseconds(_ duration: Duration) -> Int64 {
    let parts = duration.components
    return parts.seconds &* 1_000_000 &+ parts.attoseconds / 1_000_000_000_000
  }

  /// The time since the machine began to run, sleep included; no user can set it.
  static func uptime() -> Duration {
    var time = timespec()
    // SAFETY: `time` outlives the call, which only writes into it.
    guard unsafe clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return .zero }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
