// A terminal that the tests are behind.

import Foundation
import Glibc
import Testing

/// A pseudo-terminal of a width.
final class PseudoTerminal {
  /// The end that the tests read and write.
  let control: Int32
  /// The end that a program has.
  let program: FileHandle

  init(columns: Int) throws {
    control = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    // As unlockpt and ptsname do, which the C library keeps from strict programs.
    var (locked, number): (Int32, Int32) = (0, 0)
    try #require(control >= 0 && ioctl(control, 0x4004_5431, &locked) == 0 && ioctl(control, 0x8004_5430, &number) == 0)
    let name = "/dev/pts/\(number)"
    let descriptor = open(name, O_RDWR | O_NOCTTY)
    try #require(descriptor >= 0)
    program = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(control, UInt(TIOCSWINSZ), &size) == 0)
  }

  deinit { close(control) }

  /// Whether what is typed is shown.
  var echoes: Bool {
    var settings = termios()
    return tcgetattr(control, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// What a command prints on a terminal of a width.
  ///
  /// - Parameters:
  ///   - keys: what is typed there, before the command begins; nil if its input is no terminal.
  ///   - text: the text at which the command gets SIGINT.
  static func output(
    of arguments: [String], columns: Int, typing keys: String? = nil, interruptingAt text: String? = nil,
    environment: [String: String] = [:], in folder: Folder
  ) throws -> Run {
    let terminal = try PseudoTerminal(columns: columns)
    if let keys {
      let bytes = Array(keys.utf8)
      try #require(write(terminal.control, bytes, bytes.count) == bytes.count)
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments = arguments
    process.environment = Program.environment(home: folder.path).merging(environment) { $1 }
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.standardInput = keys == nil ? FileHandle.nullDevice : terminal.program
    process.standardOutput = terminal.program
    process.standardError = FileHandle.nullDevice
    try process.run()
    try terminal.program.close()
    // One that does not end fails the test, and does not hang it.
    let pid = process.processIdentifier
    let limit = DispatchWorkItem { kill(pid, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 300, execute: limit)
    defer { limit.cancel() }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    var awaited = text
    // The end is an error: no program has the other side any more.
    while true {
      let count = read(terminal.control, &piece, piece.count)
      guard count > 0 else { break }
      bytes += piece[..<count]
      if let text = awaited, String(decoding: bytes, as: UTF8.self).contains(text) {
        kill(process.processIdentifier, SIGINT)
        awaited = nil
      }
    }
    process.waitUntilExit()
    let output = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
    return Run(code: process.terminationStatus, output: output, errors: "")
  }
}
