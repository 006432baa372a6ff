// The threads that orgs answer on. Those of asynchronous code are as few as the machine has processors, and tests block
// them: an org that needed one of them would keep its client waiting until all of those tests are over.

import Dispatch
import Synchronization

/// Runs the tasks of orgs on separate queues.
package final class OrgThreads: TaskExecutor {
  /// Shared by all orgs of the process.
  package static let shared = OrgThreads()

  private let queues = (0..<4).map { DispatchQueue(label: "SimulatedOrg.\($0)") }
  private let turn = Atomic(0)

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let number = turn.wrappingAdd(1, ordering: .relaxed).oldValue
    queues[abs(number % queues.count)].async { [self] in
      unsafe job.runSynchronously(on: unsafe asUnownedTaskExecutor())
    }
  }
}
