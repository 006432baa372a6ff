// The tasks and callbacks of a replayed application. They run on the thread that drives the replay, when it decides, so
// that a replay knows that a task has progressed as far as it can, and that a callback was called.

/// Runs the tasks and callbacks of a replayed application.
package final class PlayedTasks: TaskExecutor {
  /// Work waiting for the replay.
  private enum Work {
    case job(UnownedJob)
    case callback(@Sendable () -> Void)
  }

  private struct State {
    var work: [Work] = []
    /// The waiting tasks, by the revision of the call.
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  private let state = Locked(State())

  package init() {}

  /// The result of async code that does not suspend, run on this thread; `nil` if it does suspend.
  package static func outcome<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value? {
    let (tasks, outcome) = (PlayedTasks(), Locked<Value?>(nil))
    tasks.run(0) {
      let value = await body()
      outcome.withLock { $0 = value }
    }
    tasks.runReady()
    return outcome.withLock { $0 }
  }

  /// Keeps a job until the replay runs it.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.work.append(.job(job)) }
  }

  /// Keeps a callback until the replay runs it.
  func enqueue(callback: @escaping @Sendable () -> Void) {
    state.withLock { $0.work.append(.callback(callback)) }
  }

  /// Starts a task that makes a call.
  ///
  /// - Parameters:
  ///   - call: the revision of the recorded call.
  ///   - body: makes the call, and waits for it.
  package func run(_ call: Int, _ body: @escaping @Sendable () async -> Void) {
    let task = Task(executorPreference: self) { [state] in
      await body()
      state.withLock { _ = $0.tasks.removeValue(forKey: call) }
    }
    state.withLock { $0.tasks[call] = task }
  }

  /// Runs everything that is ready, including what becomes ready in the process.
  package func runReady() {
    while true {
      let work = state.withLock { state in
        defer { state.work = [] }
        return state.work
      }
      guard !work.isEmpty else { return }
      for next in work {
        switch next {
        case .callback(let callback): callback()
        // SAFETY: each job was enqueued here, and is run once.
        case .job(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
      }
    }
  }

  /// Cancels the task that waits for a call.
  ///
  /// - Returns: whether there is one.
  package func cancel(_ call: Int) -> Bool {
    let task = state.withLock { $0.tasks[call] }
    task?.cancel()
    return task != nil
  }

  /// Cancels all waiting tasks.
  package func cancelAll() {
    for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
  }

  /// Whether a task is waiting.
  package var isWaiting: Bool { state.withLock { !$0.tasks.isEmpty } }
}
