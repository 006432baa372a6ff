// Gives the terminal back as it was if a signal comes during a question, as readpassphrase(3) of OpenBSD does.

import Glibc

/// The settings to restore, and what signals did before. One question at a time uses it.
enum TerminalGuard {
  private static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2]
  private static let capacity = 65

  // SAFETY of the statics: `arm` and `disarm` are called in turn by the one thread that asks. A handler runs only between
  // them, reads what `arm` wrote before it installed the handler, and calls functions of signal-safety(7) alone.
  nonisolated(unsafe) private static var descriptor: Int32 = -1
  nonisolated(unsafe) private static var wakeup: Int32 = -1
  nonisolated(unsafe) private static let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  nonisolated(unsafe) private static let before = UnsafeMutablePointer<sigaction>.allocate(capacity: capacity)

  /// From now on a signal that would end the process restores the terminal first. Signals that the program ignores stay
  /// ignored; its own handlers are called, and the question ends.
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

  /// Restores terminal and signals.
  static func disarm() {
    for signal in signals { _ = unsafe sigaction(signal, &before[Int(signal)], nil) }
    // What was typed ahead belongs to the question, not to the shell.
    _ = unsafe tcsetattr(descriptor, TCSAFLUSH, saved)
    unsafe descriptor = -1
  }

  /// The handler: restores, and lets the signal do what it did before.
  private static func restore(after signal: Int32) {
    let number = errno
    if unsafe descriptor >= 0 { _ = unsafe tcsetattr(descriptor, TCSANOW, saved) }
    _ = unsafe sigaction(signal, &before[Int(signal)], nil)
    // SIG_DFL is the address 0: then the signal ends the program, which a question that is woken could make end by itself first.
    let isHandled = unsafe unsafeBitCast(before[Int(signal)].__sigaction_handler.sa_handler, to: Int.self) != 0
    if isHandled { unsafe Wakeup.signal(wakeup) }
    _ = raise(signal)
    errno = number
  }
}
