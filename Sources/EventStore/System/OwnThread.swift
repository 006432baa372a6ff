// Starts the store's own threads. Foundation's `Thread.start` does not report if the system starts no thread, and
// callers waiting for such a thread would wait forever.
import Glibc

/// Whether the system starts threads. A test can make it refuse.
enum ThreadLimit {
  /// True if every thread is refused, as by a system that has too many.
  @TaskLocal static var isReached = false
}

/// What a thread runs.
private final class ThreadBody: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  func run() {
    nameThisThread(name)
    body()
  }
}

/// The beginning of each thread.
private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context = unsafe context else { return nil }
  // SAFETY: the context is the body that `startThread` retained for this thread alone.
  unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
  return nil
}

/// Starts a thread that runs `body` and ends with it. `name` is its name for debuggers and `top`, 15 bytes at most.
///
/// - Throws: `io` if the system starts none; nothing of `body` runs then.
func startThread(
  _ name: String, stackSize: Int, _ body: @escaping @Sendable () -> Void
) throws(StoreError) {
  let status = ThreadLimit.isReached ? EAGAIN : create(ThreadBody(name: name, body: body), stackSize: stackSize)
  guard status != 0 else { return }
  throw StoreError(
    .io, "the system starts no thread for \(name): error \(status)",
    advice: "raise the limit on threads (ulimit -u, pids.max of the container) or end other processes, then try again")
}

/// Starts a thread that runs `body`, detached. Returns 0, or the error number if no thread was started.
private func create(_ body: ThreadBody, stackSize: Int) -> Int32 {
  unsafe withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { room in
    guard let attributes = room.baseAddress else { return EINVAL }
    unsafe _ = pthread_attr_init(attributes)
    defer { unsafe _ = pthread_attr_destroy(attributes) }
    unsafe _ = pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
    unsafe _ = pthread_attr_setstacksize(attributes, stackSize)
    // SAFETY: the new thread releases it, or the line below does if there is no new thread.
    let context = unsafe Unmanaged.passRetained(body).toOpaque()
    var thread = pthread_t()
    let status = unsafe pthread_create(&thread, attributes, runThread, context)
    if status != 0 { unsafe Unmanaged<ThreadBody>.fromOpaque(context).release() }
    return status
  }
}
