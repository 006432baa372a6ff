// Restores the terminal if a signal arrives while a question is open, as OpenBSD's readpassphrase(3) does.

import Glibc

/// The settings to restore and the previous signal handlers, for one question at a time.
enum TerminalGuard {
  private static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2]
  private static let capacity = 65

  // SAFETY of the statics: only the thread that asks calls `arm` and `disarm`, in turn. A handler runs only between the
  // two, reads only what `arm` wrote before installing it, and calls only functions listed in signal-safety(7).
  nonisolated(unsafe) private static var descriptor: Int32 = -1
  nonisolated(unsafe) private static var wakeup: Int32 = -1
  nonisolated(unsafe) private static let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  nonisolated(unsafe) private static let before = UnsafeMutablePointer<sigaction>.allocate(capacity: capacity)

  /// Makes signals that would end the process restore the terminal first. Signals that the program ignores stay
  /// ignored; its own handlers are still called, and the question ends.
  static func arm(descriptor: Int32, settings: termios, wakeup: Int32) {
    unsafe saved.initialize(to: settings)
    unsafe Self.wakeup = wakeup
    unsafe Self.descriptor = descriptor
    for signal in signals {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { TerminalGuard.restore(after: $0) }
      var old = sigaction()
      guard unsafe sigaction(signal, nil, &old) == 0 else { continue }
      unsafe before[Int(signal)] = old
      // SIG_IGN is the address 1.
      guard unsafe unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) != 1 else { continue }
      _ = unsafe sigaction(signal, &action, nil)
    }
  }

  /// Restores the terminal and the signal handlers.
  static func disarm() {
    for signal in signals { _ = unsafe sigaction(signal, &before[Int(signal)], nil) }
    // Discards input typed ahead: it was meant for the question, not for the shell.
    _ = unsafe tcsetattr(descriptor, TCSAFLUSH, saved)
    unsafe descriptor = -1
  }

  /// The signal handler: restores the terminal, then lets the signal have its previous effect.
  private static func restore(after signal: Int32) {
    let number = errno
    if unsafe descriptor >= 0 { _ = unsafe tcsetattr(descriptor, TCSANOW, saved) }
    _ = unsafe sigaction(signal, &before[Int(signal)], nil)
    // SIG_DFL is the address 0. In that case the signal ends the program; waking the question could make the program
    // exit on its own first.
    let isHandled = unsafe unsafeBitCast(before[Int(signal)].__sigaction_handler.sa_handler, to: Int.self) != 0
    if isHandled { unsafe Wakeup.signal(wakeup) }
    _ = raise(signal)
    errno = number
  }
}
