// Keeps secrets of this process out of crash output, core dumps and key logs.

import CProcess
import Glibc

/// What a process does before it takes a password.
enum CrashSilence {
  /// No core dump, no debugger of the same user, no registers in a crash report, no TLS keys in a file that the
  /// environment names.
  static func begin() {
    _ = cprocess_hide_memory()
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    unsetenv("SSLKEYLOGFILE")
  }
}
