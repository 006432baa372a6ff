import Glibc

/// What this thread alone has computed: other tests run beside it.
enum ThreadTime {
  /// Seconds of the processor's time.
  static var seconds: Double {
    // Seconds and nanoseconds. Not the members of `timespec`: in an optimized build another module is said to define them.
    var words = (0, 0)
    unsafe withUnsafeMutableBytes(of: &words) { bytes in
      guard let time = unsafe bytes.assumingMemoryBound(to: timespec.self).baseAddress else { return }
      // SAFETY: the call writes the two words and keeps no pointer to them.
      _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, time)
    }
    return Double(words.0) + Double(words.1) / 1e9
  }
}
