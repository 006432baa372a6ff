// Long text on a terminal goes through the pager that its owner has chosen, and through none otherwise.

import Foundation
import Glibc

/// A command whose text is for reading, and may be longer than a screen.
protocol PagedCommand {}

/// The pager of a command, while it runs.
///
/// It begins only where stdout is a terminal and `PAGER` names a program other than `cat`: who has not set it has all
/// of the text in the terminal, as programs expect.
struct Pager {
  /// Where text goes that a person reads page by page; nil without a pager.
  ///
  /// `nonisolated(unsafe)`: set by the main thread before a command runs, and after it has ended.
  nonisolated(unsafe) private(set) static var descriptor: Int32?

  private let process: pid_t
  private let end: Int32

  /// Starts a pager, if one is wanted.
  static func begin() -> Pager? {
    guard isatty(STDOUT_FILENO) == 1, let name = getenv("PAGER").map({ String(cString: $0) }), !name.isEmpty,
      name != "cat", getenv("TERM").map({ String(cString: $0) }) != "dumb"
    else { return nil }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    // Colors stay, and what fits on a screen needs no key; what the person has set counts more.
    let variables = ["LESS": "FRX"].merging(ProcessInfo.processInfo.environment) { $1 }
    let words: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(name), nil]
    let settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + settings { free(text) } }
    var process: pid_t = 0
    // In the group of this process: only that one may read from the terminal.
    let code = posix_spawn(&process, "/bin/sh", &actions, nil, words, settings)
    close(ends[0])
    guard code == 0 else {
      close(ends[1])
      return nil
    }
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    // Ctrl-C is for the pager; the command ends when the pager reads no more.
    signal(SIGINT, SIG_IGN)
    descriptor = ends[1]
    return Pager(process: process, end: ends[1])
  }

  /// Waits until the person has read all of it, or enough.
  func finish() {
    Self.descriptor = nil
    close(end)
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
  }
}
