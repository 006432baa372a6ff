// Waits for something that happens once.

import Dispatch

/// Blocks a thread until it is raised.
struct Signal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  /// Lets the thread continue.
  func raise() { semaphore.signal() }
  /// Waits.
  func wait() { semaphore.wait() }
}
