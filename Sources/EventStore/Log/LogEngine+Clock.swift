// Steps of the wall clock: noticed by who writes, recorded from the log's own thread, or at the latest when it closes.

extension LogEngine {
  /// Looks at the clock. Called with the lock.
  func noteClockStep() {
    guard let step = clockWatch?.look() else { return }
    // A clock that jumps about all the time must not fill the memory of a log that cannot write.
    if clockSteps.count < 64 { clockSteps.append(step) }
    monitor.tell(.work)
  }

  /// Appends what was noticed. Called without the lock.
  func recordClockSteps() {
    let steps = withMonitor {
      defer { clockSteps = [] }
      return clockSteps
    }
    guard !steps.isEmpty else { return }
    _ = try? append(steps.map(\.record), expecting: .any)
  }
}
