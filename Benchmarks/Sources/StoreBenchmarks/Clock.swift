// The clocks of the benchmarks. Each line of the report says which of them it uses.
import Glibc

enum Clock {
  /// Seconds of a clock that does not step.
  static func wall() -> Double { read(CLOCK_MONOTONIC) }
  /// Seconds that this thread has run on a core.
  static func thread() -> Double { read(CLOCK_THREAD_CPUTIME_ID) }
  /// Seconds that all threads of this process have run on cores.
  static func process() -> Double { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// How many seconds of a clock `body` takes.
  static func seconds(_ clock: () -> Double, _ body: () throws -> Void) rethrows -> Double {
    let start = clock()
    try body()
    return clock() - start
  }

  private static func read(_ id: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(id, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// The resident memory of this process, in bytes.
func residentMemory() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var pages = [0, 0]
  let found = withUnsafeMutablePointer(to: &pages[0]) { first in
    withVaList([first, first + 1]) { vfscanf(file, "%ld %ld", $0) }
  }
  return found == 2 ? pages[1] * Int(getpagesize()) : 0
}
