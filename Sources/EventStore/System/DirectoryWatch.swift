// Waiting until something in a directory changes: inotify(7), and a periodic wake-up if it reports nothing, as on a
// network file system.
import Glibc

/// A watch over the files of some directories, for one thread at a time; `wake` may come from any.
final class DirectoryWatch: Sendable {
  private let notifier: Int32
  /// Both ends of a pipe; a byte in it, which is never taken out, ends every wait.
  private let waker: (read: Int32, write: Int32)
  /// How long a wait lasts at most, in milliseconds.
  private let longest: Int32

  /// A watch that begins now. If the system provides none, or a directory is not on a disk of this machine, waits end
  /// after 100 ms.
  init(of directories: [String], isReal: Bool) {
    var ends: [Int32] = [-1, -1]
    // SAFETY: the array has the two elements that pipe(2) writes.
    if unsafe pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
    waker = (ends[0], ends[1])
    var descriptor: Int32 = -1
    if isReal {
      descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      let changes = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE)
      for directory in directories where descriptor >= 0 {
        // SAFETY: the path outlives the call, which only reads it.
        if unsafe inotify_add_watch(descriptor, directory, changes) < 0 {
          _ = close(descriptor)
          descriptor = -1
        }
      }
    }
    notifier = descriptor
    longest = descriptor >= 0 ? 1_000 : 100
  }

  deinit {
    if notifier >= 0 { _ = close(notifier) }
    for end in [waker.read, waker.write] where end >= 0 { _ = close(end) }
  }

  /// Waits until a file has changed since the last wait, until `wake`, or for a while.
  func wait() {
    var waited = [
      pollfd(fd: waker.read, events: Int16(POLLIN), revents: 0),
      pollfd(fd: notifier, events: Int16(POLLIN), revents: 0),
    ]
    // SAFETY: the array has two elements and outlives the call. A descriptor under 0 is left out by poll(2).
    _ = unsafe poll(&waited, 2, longest)
    var space = [UInt8](repeating: 0, count: 4_096)
    // The content of the events does not matter. They are read so that the next wait blocks.
    while notifier >= 0, unsafe read(notifier, &space, space.count) > 0 {}
  }

  /// Ends the current wait, and all later ones.
  func wake() {
    var one: UInt8 = 1
    // SAFETY: the byte outlives the call, which only reads it.
    unsafe _ = write(waker.write, &one, 1)
  }
}
