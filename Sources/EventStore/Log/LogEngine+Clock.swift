// Steps of the wall clock: noticed by the thread that writes, recorded from the log's own thread, or at the latest when
// it closes.

extension LogEngine {
  /// Looks at the clock. Called with the lock.
  func noteClockStep() {
    guard let step = clockWatch?.look() else { return }
    // A clock that keeps jumping must not fill the memory of a log that cannot write.
    if clockSteps.count < 64 { clockSteps.append(step) }
    monitor.tell(.work)
  }

  /// Appends what was noticed. Called without the lock. Returns once no other thread is appending steps either, so that
  /// a thread that closes the log afterwards leaves none out.
  func recordClockSteps() {
    monitor.lock()
    while recordsClockSteps { monitor.wait(for: .writeRight) }
    let steps = clockSteps
    clockSteps = []
    recordsClockSteps = !steps.isEmpty
    monitor.unlock()
    guard !steps.isEmpty else { return }
    _ = try? append(steps.map(\.record), expecting: .any)
    monitor.lock()
    recordsClockSteps = false
    monitor.tell(.writeRight)
    monitor.unlock()
  }
}
