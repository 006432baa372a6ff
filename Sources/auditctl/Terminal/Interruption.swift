// Ctrl-C ends a command with 130 and a terminal that echoes again; a command that has something to finish does that
// before.

import Foundation
import Glibc

/// A signal that ends the command has come while it was reading.
struct Interrupted: Error {}

/// What happens at SIGINT, SIGTERM, SIGHUP, SIGPIPE and SIGXFSZ.
enum Interruption {
  /// The terminal's settings before echo was switched off; read by the handler.
  ///
  /// `nonisolated(unsafe)`: set by the one thread that asks for a secret, before and after it does.
  nonisolated(unsafe) static var savedTerminal: termios?

  /// A pipe that the first signal is written to, and that is never emptied; -1 while signals end the program at once.
  ///
  /// `nonisolated(unsafe)`: set once, before the handlers that read them are installed.
  nonisolated(unsafe) private static var (readEnd, writeEnd): (Int32, Int32) = (-1, -1)
  /// Whether a signal was written there. `nonisolated(unsafe)`: the handler alone uses it.
  nonisolated(unsafe) private static var isNoted = false

  /// Installs the handlers. A write to a closed pipe then fails with EPIPE, which `Output` understands, and one past
  /// the limit on the size of files with EFBIG, which is reported with what to do.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGINT) { Interruption.received($0) }
    // The program that runs this one may have blocked them, as it does on the threads of a pool.
    var ends = sigset_t()
    sigemptyset(&ends)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&ends, number) }
    sigprocmask(SIG_UNBLOCK, &ends, nil)
  }

  /// From now on the first signal calls `action`, ends a wait for input with `Interrupted`, and leaves it to the
  /// command to end. The second one ends the program at once.
  static func atFirst(_ action: @escaping @Sendable () -> Void) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = signal(number) { Interruption.received($0) }
      // What `nohup` or a shell has had ignored stays ignored: SIG_IGN is 1.
      if unsafeBitCast(before, to: Int.self) == 1 { signal(number, SIG_IGN) }
    }
    Thread.detachNewThread {
      while !Interruption.hasCome(waiting: -1) {}
      action()
    }
  }

  /// Whether a signal has come since `atFirst`.
  static var hasCome: Bool { hasCome(waiting: 0) }

  /// Ends a piece of work if a signal has come since `atFirst`.
  ///
  /// - Throws: `ExitCodes.interrupted`.
  static func check() throws {
    if hasCome { throw ExitCodes.interrupted }
  }

  /// Waits until a descriptor can be read, or is at its end.
  ///
  /// - Throws: `Interrupted` if a signal comes before.
  static func waitToRead(_ descriptor: Int32) throws {
    while true {
      var requests = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        // A descriptor of -1 is ignored.
        pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&requests, 2, -1)
      if requests[1].revents != 0 { throw Interrupted() }
      if count > 0 || errno != EINTR { return }
    }
  }

  private static func hasCome(waiting milliseconds: Int32) -> Bool {
    guard readEnd >= 0 else { return false }
    var request = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, milliseconds) == 1
  }

  /// The handler: it calls what a handler may call, and nothing else.
  private static func received(_ number: Int32) {
    // A terminal that goes away sends SIGHUP more than once.
    if isNoted, number == SIGHUP { return }
    if writeEnd >= 0, !isNoted {
      isNoted = true
      var byte: UInt8 = 1
      _ = write(writeEnd, &byte, 1)
      return
    }
    if var saved = savedTerminal { tcsetattr(STDIN_FILENO, TCSANOW, &saved) }
    _exit(ExitStatus.interrupted.rawValue)
  }
}
