// Keys of a terminal.

import Glibc

/// Reads keys one at a time. The bytes of a character, or of an arrow, may arrive one by one.
final class KeyInput {
  private let descriptor: Int32
  /// A byte that was read and belongs to the next key.
  private var pending: UInt8?
  /// How long the next byte of an escape sequence may take, in milliseconds. The key Esc sends the first byte alone.
  private static let pause: Int32 = 100

  /// Keys of a descriptor; those of standard input if none is given.
  init(descriptor: Int32 = STDIN_FILENO) { self.descriptor = descriptor }

  /// The next key: a character, the name of an arrow, or `escape` for Esc and every other key that sends an escape
  /// sequence; `nil` at the end of the input. A byte that is no UTF-8 is U+FFFD.
  func key() -> String? {
    guard let first = byte() else { return nil }
    guard first != 0x1B else { return sequence() }
    let length =
      switch first {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    var bytes = [first]
    while bytes.count < length, let next = byte() {
      guard next & 0xC0 == 0x80 else {
        pending = next
        break
      }
      bytes.append(next)
    }
    return String(validating: bytes, as: UTF8.self) ?? "\u{FFFD}"
  }

  /// The key of a sequence whose first byte, an escape, was read.
  private func sequence() -> String {
    guard let start = nextOfSequence() else { return "escape" }
    guard start == UInt8(ascii: "[") || start == UInt8(ascii: "O") else {
      pending = start
      return "escape"
    }
    var bytes: [UInt8] = []
    while let next = nextOfSequence() {
      bytes.append(next)
      // What ends a sequence (ECMA-48 §5.4).
      if (0x40...0x7E).contains(next) { break }
    }
    switch bytes {
    case [UInt8(ascii: "A")]: return "up"
    case [UInt8(ascii: "B")]: return "down"
    case [UInt8(ascii: "C")]: return "right"
    case [UInt8(ascii: "D")]: return "left"
    default: return "escape"
    }
  }

  private func nextOfSequence() -> UInt8? {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, Self.pause) > 0 ? byte() : nil
  }

  private func byte() -> UInt8? {
    if let byte = pending {
      pending = nil
      return byte
    }
    var byte: UInt8 = 0
    while true {
      guard (try? Interruption.waitToRead(descriptor)) != nil else { return nil }
      let count = read(descriptor, &byte, 1)
      if count == 1 { return byte }
      guard count < 0, errno == EINTR else { return nil }
    }
  }
}
