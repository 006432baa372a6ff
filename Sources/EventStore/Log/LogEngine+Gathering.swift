// Natural group commit: callers that one sync released are back soon. The next sync waits a moment for half of them;
// while these are compressed and written the others come, and the sync covers all.
import Dispatch

/// The callers that the next sync waits for.
struct Gathering {
  /// How many wait for a sync before it is begun ahead of the deadline.
  private(set) var group = 1
  /// Until when they are waited for, in nanoseconds of a clock that does not step.
  private var deadline: UInt64 = 0
  /// How many callers must be waiting for the log's own thread to be woken.
  var wakeCount = 0

  /// The longest wait, in nanoseconds.
  private static let longest: UInt64 = 1_000_000

  /// The sync that was begun at `start` has ended, and `count` callers are waiting, including those that it releases.
  /// Half of them are a group; if there are fewer than 8, all of them are. No caller is waited for longer than a sync
  /// takes: a single caller waits for no other.
  mutating func end(waiting count: Int, begun start: UInt64) {
    let now = DispatchTime.now().uptimeNanoseconds
    group = count < 8 ? max(count, 1) : count / 2
    deadline = now + min(now - min(start, now), Self.longest)
  }

  /// How many microseconds are left to wait for the others if `count` are there; nil if it is time to go on.
  func remaining(with count: Int) -> Int? {
    guard count > 0, count < group else { return nil }
    let now = DispatchTime.now().uptimeNanoseconds
    return now < deadline ? Int((deadline - now) / 1_000) + 1 : nil
  }
}

extension LogEngine {
  /// True if the next sync waits for more to come. Called with the lock.
  var isGathering: Bool { durability == .each && gathering.remaining(with: waiters.count) != nil }

  /// Waits for the callers that are expected. Called with the lock; releases it meanwhile.
  func gather() {
    guard let remaining = gathering.remaining(with: waiters.count) else { return }
    gathering.wakeCount = gathering.group
    monitor.wait(for: .work, microseconds: remaining)
    gathering.wakeCount = 0
  }
}
