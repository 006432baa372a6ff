// Where awaited draws run.

import Dispatch

/// Runs the tasks that answer awaited draws on separate threads. A call may block its thread while it waits for such a
/// draw. On the cooperative pool, which has one thread per core, as many such calls as there are cores would wait for
/// each other.
final class DrawExecutor: TaskExecutor {
  static let shared = DrawExecutor()

  private let queue = DispatchQueue(label: "flowrecorder.draws", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    // SAFETY: the executor owns the job from here on, and runs it once.
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
