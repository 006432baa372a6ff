// A shell script that lives as long as its test. Foundation's `Process` waits for grandchildren too, which is for ever
// where the script starts a server.

import Foundation
import Glibc

/// A running `/bin/bash`, whose standard input ends with this object, or with the whole test process.
final class Shell: Sendable {
  private let process: pid_t
  private let input: CInt
  private let output: CInt

  /// What other tests have open must close when they close it: the script keeps its input and output alone.
  private static let letGo = """
    for file in /proc/self/fd/*; do if [ "${file##*/}" -gt 2 ]; then eval "exec ${file##*/}>&-"; fi; done

    """

  /// Starts a script, with its arguments from `$1` on.
  init(script: String, arguments: [String]) throws {
    var (toShell, fromShell): ([CInt], [CInt]) = ([-1, -1], [-1, -1])
    guard pipe(&toShell) == 0, pipe(&fromShell) == 0 else { throw ShellFailure() }
    (input, output) = (toShell[1], fromShell[0])
    defer {
      close(toShell[0])
      close(fromShell[1])
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toShell[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromShell[1], 1)
    var words = (["bash", "-euc", Self.letGo + script, "bash"] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let environment = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for variable in environment { free(variable) } }
    guard posix_spawn(&process, "/bin/bash", &actions, nil, &words, environment) == 0 else { throw ShellFailure() }
    self.process = process
  }

  deinit {
    close(input)
    close(output)
    waitpid(process, nil, 0)
  }

  /// The next line that the script prints; throws when it has ended. Blocks.
  func readLine() throws -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    throw ShellFailure()
  }
}

/// A shell script could not be started, or ended too early.
struct ShellFailure: Error {}
