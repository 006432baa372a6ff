// Keys of a terminal.

import Foundation
import Testing

@testable import auditctl

@Suite struct KeyInputTests {
  /// The keys that some bytes are, up to their end.
  private func keys(_ bytes: [UInt8]) throws -> [String] {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
    try pipe.fileHandleForWriting.close()
    let input = KeyInput(descriptor: pipe.fileHandleForReading.fileDescriptor)
    // The pipe closes its descriptor when it goes.
    return withExtendedLifetime(pipe) {
      var keys: [String] = []
      while let key = input.key() { keys.append(key) }
      return keys
    }
  }

  @Test("a character of several bytes is one key", arguments: ["n/q", "Zoë", "日本", "a🔑b", "e\u{301}"])
  func characters(text: String) throws {
    #expect(try keys(Array(text.utf8)) == text.unicodeScalars.map { String($0) })
  }

  @Test("arrows have names, in both modes of terminals; Esc swallows no key, and other sequences are no characters")
  func sequences() throws {
    #expect(try keys(Array("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}ODn".utf8)) == ["up", "down", "right", "left", "n"])
    #expect(try keys(Array("\u{1B}q\u{1B}\u{1B}[Aë\u{1B}".utf8)) == ["escape", "q", "escape", "up", "ë", "escape"])
    #expect(try keys(Array("\u{1B}[3~n\u{1B}[1;5Cp".utf8)) == ["escape", "n", "escape", "p"])
  }

  @Test("a byte that is no UTF-8 is one key, and the key behind it stays")
  func invalid() throws {
    #expect(try keys([0xE9, 0x71, 0xFF, 0x80, 0x71]) == ["\u{FFFD}", "q", "\u{FFFD}", "\u{FFFD}", "q"])
    #expect(try keys([0xC3]) == ["\u{FFFD}"])
  }
}
