// A mutex with two conditions. `NSCondition` has one condition a lock, so that each finished commit would wake the
// timer thread too; and its timeouts follow the wall clock, which may step.
import Glibc

/// A lock with two conditions to wait for. ThreadSanitizer understands it, unlike `Mutex` on Linux.
@safe final class Monitor: @unchecked Sendable {  // the pointers never change; what they point at is pthread's
  /// What can be waited for.
  enum Condition: Int {
    /// The right to write became free.
    case writeRight = 0
    /// There may be work for the log's own thread.
    case work = 1
  }

  // SAFETY: both are allocated and initialized here, used only through pthread, and freed in `deinit`.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let conditions = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 2)

  init() {
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe _ = pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe _ = pthread_condattr_init(&attributes)
    unsafe _ = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    for index in 0..<2 {
      unsafe (conditions + index).initialize(to: pthread_cond_t())
      unsafe _ = pthread_cond_init(conditions + index, &attributes)
    }
    unsafe _ = pthread_condattr_destroy(&attributes)
  }

  deinit {
    for index in 0..<2 { unsafe _ = pthread_cond_destroy(conditions + index) }
    unsafe _ = pthread_mutex_destroy(mutex)
    unsafe conditions.deallocate()
    unsafe mutex.deallocate()
  }

  /// Takes the lock. Not reentrant.
  func lock() { unsafe _ = pthread_mutex_lock(mutex) }

  /// Gives the lock back.
  func unlock() { unsafe _ = pthread_mutex_unlock(mutex) }

  /// Gives the lock back, waits until the condition is signaled, and takes the lock again. May return early; check the
  /// condition again.
  func wait(for condition: Condition) { unsafe _ = pthread_cond_wait(conditions + condition.rawValue, mutex) }

  /// The same, but not for longer than `milliseconds`.
  func wait(for condition: Condition, milliseconds: Int) { wait(for: condition, microseconds: milliseconds * 1_000) }

  /// The same, but not for longer than `microseconds`.
  func wait(for condition: Condition, microseconds: Int) {
    var deadline = timespec()
    unsafe _ = clock_gettime(CLOCK_MONOTONIC, &deadline)
    let nanoseconds = deadline.tv_nsec + (microseconds % 1_000_000) * 1_000
    deadline.tv_sec += microseconds / 1_000_000 + nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    unsafe _ = pthread_cond_timedwait(conditions + condition.rawValue, mutex, &deadline)
  }

  /// Wakes all threads that wait for the condition.
  func tell(_ condition: Condition) { unsafe _ = pthread_cond_broadcast(conditions + condition.rawValue) }
}
