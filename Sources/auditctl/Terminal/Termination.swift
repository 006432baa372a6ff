import Dispatch
import Glibc

/// How a command ends that runs until it is stopped.
enum Termination {
  /// A pipe that the signal is written to; -1 before `wait`.
  ///
  /// `nonisolated(unsafe)`: set before the handler that reads it is installed.
  nonisolated(unsafe) private static var writeEnd: Int32 = -1

  /// Waits for SIGTERM; SIGINT ends the process by itself, with 130.
  ///
  /// A signal that comes before anything listens to the pipe stays in it. One that comes before the handler is there
  /// ends the process.
  static func wait() async {
    var ends: [Int32] = [-1, -1]
    // Without a pipe SIGTERM ends the process.
    while pipe(&ends) != 0 { try? await Task.sleep(for: .seconds(1)) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // However many signals come, the handler does not block.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    writeEnd = ends[1]
    signal(SIGTERM) { _ in
      var byte: UInt8 = 1
      _ = write(Termination.writeEnd, &byte, 1)
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: .global())
    await withCheckedContinuation { continuation in
      source.setEventHandler {
        source.cancel()
        continuation.resume()
      }
      source.resume()
    }
  }
}
