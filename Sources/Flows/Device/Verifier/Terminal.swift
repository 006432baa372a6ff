// Reads a secret from a terminal without echo, and restores the terminal's settings afterward.

import FlowRecording
import Glibc

/// The result of reading a line.
enum TerminalLine: Hashable {
  /// The person entered a line.
  case entered(String)
  /// The person cancelled, or the terminal was closed.
  case cancelled
  /// `Wakeup` ended the wait.
  case woken
}

/// An open terminal. Only one is used at a time in a process, because terminal settings and signal handlers are shared.
struct Terminal {
  private static let longestLine = 256
  private let descriptor: Descriptor
  private let path: String

  /// Opens a terminal; `nil` if the path is not a terminal, or if it controls processes and this one is not in its
  /// foreground.
  init?(path: String) {
    guard let descriptor = try? Descriptor.open(path, named: path, flags: O_RDWR), isatty(descriptor.number) == 1 else {
      return nil
    }
    let group = tcgetpgrp(descriptor.number)
    // Reading from the background would stop the process.
    guard group == -1 || group == getpgrp() else { return nil }
    self.descriptor = descriptor
    self.path = path
  }

  /// Shows text. Characters that control a terminal are shown as `?`.
  func show(_ text: String) { _ = try? descriptor.writeAll(Array(Self.printable(text).utf8), shown: path) }

  /// Ends a line.
  func endLine() { _ = try? descriptor.writeAll([0x0A], shown: path) }

  /// Runs a body during which the terminal does not echo and no key sends a signal. The settings are then restored,
  /// even if a signal ends the process: its handler runs after that.
  ///
  /// - Returns: `nil` if the terminal's settings cannot be changed.
  func silently<Value>(_ wakeup: Wakeup, _ body: () -> Value) -> Value? {
    var settings = termios()
    // SAFETY: `settings` outlives the call, which only writes into it.
    guard unsafe tcgetattr(descriptor.number, &settings) == 0 else { return nil }
    TerminalGuard.arm(descriptor: descriptor.number, settings: settings, wakeup: wakeup.signalled)
    defer { TerminalGuard.disarm() }
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG)
    // SAFETY: `silent` outlives the call, which only reads it; VMIN and VTIME are indices of its control characters.
    unsafe withUnsafeMutableBytes(of: &silent.c_cc) { characters in
      unsafe characters[Int(VMIN)] = 1
      unsafe characters[Int(VTIME)] = 0
    }
    guard unsafe tcsetattr(descriptor.number, TCSAFLUSH, &silent) == 0 else { return nil }
    return body()
  }

  /// Reads input up to Return. Backspace and Ctrl-U work; Ctrl-C, Ctrl-\ and Ctrl-D cancel.
  func line(_ wakeup: Wakeup) -> TerminalLine {
    var line: [UInt8] = []
    while true {
      guard wakeup.waits(for: descriptor.number) else { return .woken }
      guard let piece = try? descriptor.readSome(shown: path), !piece.isEmpty else { return .cancelled }
      for byte in piece {
        switch byte {
        case 0x0D, 0x0A: return .entered(String(decoding: line, as: UTF8.self))
        case 0x03, 0x04, 0x1C: return .cancelled
        case 0x15: line = []
        case 0x08, 0x7F:
          // Removes the last character, including its continuation bytes.
          while let last = line.popLast(), last & 0xC0 == 0x80 {}
        case 0x00..<0x20: break
        default: if line.count <= Self.longestLine { line.append(byte) }
        }
      }
    }
  }

  /// Returns the text without characters that could move the cursor, hide text, or change its direction.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: "?"
          default: scalar
          }
        }))
  }
}
