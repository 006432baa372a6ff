import Foundation

/// The processor's time of this thread alone: other tests run beside it.
enum ThreadTime {
  /// The seconds so far.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
