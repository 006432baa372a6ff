// A terminal that is asked for a secret, without echo, and given back as it was.

import FlowRecording
import Glibc

/// How reading a line ended.
enum TerminalLine: Hashable {
  /// It was entered.
  case entered(String)
  /// The person ended the question, or the terminal went away.
  case cancelled
  /// `Wakeup` said so.
  case woken
}

/// An open terminal. One is asked at a time in a process, since its settings and the handlers of signals are shared.
struct Terminal {
  private static let longestLine = 256
  private let descriptor: Descriptor
  private let path: String

  /// Opens a terminal that may be read: it is one, and this process is in its foreground, or it controls no processes.
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

  /// Shows a text. Characters that control a terminal are shown as `?`.
  func show(_ text: String) { _ = try? descriptor.writeAll(Array(Self.printable(text).utf8), shown: path) }

  /// Ends a line.
  func endLine() { _ = try? descriptor.writeAll([0x0A], shown: path) }

  /// Runs a question during which the terminal shows nothing that is typed, and no key sends a signal. Afterwards it is as
  /// it was, also if a signal ends the process: its handler is called after.
  ///
  /// - Returns: nil if the terminal's settings cannot be changed.
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

  /// Reads what is typed until Return. Backspace and Ctrl-U work; Ctrl-C, Ctrl-\ and Ctrl-D end the question.
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
          // The last character, with the bytes that continue it.
          while let last = line.popLast(), last & 0xC0 == 0x80 {}
        case 0x00..<0x20: break
        default: if line.count <= Self.longestLine { line.append(byte) }
        }
      }
    }
  }

  /// A text without what could move the cursor, hide characters or turn the line around.
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
