// Ctrl-C ends a command with 130 and a terminal that echoes again.

import Glibc

/// What happens at SIGINT and SIGPIPE.
enum Interruption {
  /// The terminal's settings before echo was switched off; read by the handler.
  ///
  /// `nonisolated(unsafe)`: set by the one thread that asks for a secret, before and after it does.
  nonisolated(unsafe) static var savedTerminal: termios?

  /// Installs the handlers. A write to a closed pipe then fails with EPIPE, which `Output` understands.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT) { _ in
      if var saved = Interruption.savedTerminal { tcsetattr(STDIN_FILENO, TCSANOW, &saved) }
      _exit(ExitStatus.interrupted.rawValue)
    }
  }
}
