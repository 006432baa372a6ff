// Where awaited draws run.

import Dispatch

/// Runs the tasks that answer awaited draws on threads of their own. A call may wait on its thread for such a draw: on
/// the cooperative pool, which has a thread for each core, as many of them as there are cores would wait for each
/// other.
final class DrawExecutor: TaskExecutor {
  static let shared = DrawExecutor()

  private let queue = DispatchQueue(label: "flowrecorder.draws", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    // SAFETY: the executor owns the job from here on, and runs it once.
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
