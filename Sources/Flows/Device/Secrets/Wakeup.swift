// Wakes a thread that waits for a terminal, because of a timer, a cancelled task, or a signal.

import FlowRecording
import Glibc

/// A descriptor that becomes readable when an event occurs.
final class Wakeup: Sendable {
  /// Why the thread was woken. The first reason counts.
  enum Reason: Sendable {
    /// The task was cancelled.
    case cancelled
    /// The time limit expired.
    case timedOut
  }

  /// Becomes readable at the first `wake` or signal.
  let descriptor: Int32
  /// The end of the pipe that a signal handler writes to.
  let signalled: Int32
  private let cause = Locked<Reason?>(nil)

  /// Creates a wakeup, or returns `nil` if the process has no descriptors left.
  init?() {
    var ends: [Int32] = [-1, -1]
    // SAFETY: the call writes the two elements.
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (descriptor, signalled) = (ends[0], ends[1])
  }

  deinit {
    _ = close(descriptor)
    _ = close(signalled)
  }

  /// Why the thread was woken; `nil` after a signal.
  var reason: Reason? { cause.withLock { $0 } }

  /// Wakes the thread.
  func wake(_ reason: Reason) {
    cause.withLock { $0 = $0 ?? reason }
    Self.signal(signalled)
  }

  /// Writes a byte to a pipe. If the pipe is full, it is already readable. Signal handlers may call this.
  static func signal(_ descriptor: Int32) {
    var one: UInt8 = 1
    // SAFETY: the call reads the byte of `one`.
    _ = unsafe write(descriptor, &one, 1)
  }

  /// Waits until a descriptor is readable.
  ///
  /// - Returns: `false` if the thread was woken first.
  func waits(for other: Int32) -> Bool {
    var both = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: other, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      // SAFETY: the call reads and writes the two elements.
      let count = unsafe poll(&both, 2, -1)
      if count < 0, errno == EINTR { continue }
      return count > 0 && both[0].revents == 0
    }
  }
}
