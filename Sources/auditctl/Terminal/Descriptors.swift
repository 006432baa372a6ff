// Standard input, output and error, where whoever started this program has closed them.

import Glibc

/// The descriptors 0 to 2.
enum Descriptors {
  /// Takes those that are closed, before a file of a store gets their number and what is printed goes into it. Each is
  /// open the wrong way round, so that reading or writing fails as it does on a closed one.
  static func reserve() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      // The lowest free number is given: this one, since those below are taken by now.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
