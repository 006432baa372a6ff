import Foundation
import Glibc
import Testing

/// A terminal that a test is behind.
final class PseudoTerminal: Sendable {
  /// The path that a program opens.
  let path: String
  private let control: Int32
  private let program: Int32

  init() throws {
    control = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    // As unlockpt and ptsname do, which the C library keeps from strict programs.
    var (locked, number): (Int32, Int32) = (0, 0)
    try #require(control >= 0 && ioctl(control, 0x4004_5431, &locked) == 0 && ioctl(control, 0x8004_5430, &number) == 0)
    path = "/dev/pts/\(number)"
    // Held open, so that the settings stay while no other process has it.
    program = open(path, O_RDWR | O_NOCTTY)
    try #require(program >= 0)
  }

  deinit {
    close(program)
    close(control)
  }

  /// Whether what is typed is shown, and keys send signals.
  var isNormal: Bool {
    var settings = termios()
    return tcgetattr(control, &settings) == 0
      && settings.c_lflag & tcflag_t(ECHO | ICANON | ISIG) == tcflag_t(ECHO | ICANON | ISIG)
  }

  /// Types something.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(control, $0.baseAddress, $0.count) }
  }

  /// Reads what is shown until a text is in it. It waits on a thread of its own: those of tasks are few, and the question
  /// that it waits for needs one. A text that does not come within ten minutes is an issue: how long it takes says how busy
  /// the machine is, and nothing about the question.
  @discardableResult
  func shown(until text: String, sourceLocation: SourceLocation = #_sourceLocation) async -> String {
    let shown = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: self.read(until: text)) }
    }
    if !shown.contains(text) { Issue.record("shown: \(shown)", sourceLocation: sourceLocation) }
    return shown
  }

  private func read(until text: String) -> String {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 256)
    while !String(decoding: bytes, as: UTF8.self).contains(text) {
      var descriptor = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 600_000) > 0 else { break }
      let count = Glibc.read(control, &piece, piece.count)
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
