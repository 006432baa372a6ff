// A line on a terminal that says how far a long work is; nothing anywhere else.

import Glibc

/// The progress of a work in parts.
struct Progress {
  private let verb: String
  private let isShown = isatty(STDERR_FILENO) == 1

  /// A work that the line names with this verb: `sealing`.
  init(_ verb: String) { self.verb = verb }

  /// Says that `done` of `count` parts are done.
  func show(_ done: Int, of count: Int) {
    guard isShown, count > 0 else { return }
    let width = 24
    let full = width * done / count
    let bar = String(repeating: "#", count: full) + String(repeating: ".", count: width - full)
    Messages.ask("\r\(verb) [\(bar)] \(done) of \(count) ")
  }

  /// Says that `done` parts are done of a work whose length is not known.
  func show(_ done: Int) {
    guard isShown, done % 16 == 0 else { return }
    Messages.ask("\r\(verb): \(done) ")
  }

  /// Takes the line away.
  func end() {
    guard isShown else { return }
    Messages.ask("\r" + String(repeating: " ", count: verb.count + 56) + "\r")
  }
}
