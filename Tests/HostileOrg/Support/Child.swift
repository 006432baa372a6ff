// Starts programs, and knows when they end. Foundation's `Process` learns it from a descriptor that other children
// started meanwhile have too: it waits for those as well.
import Foundation
import Glibc

/// A program that runs.
final class Child: Sendable {
  let identifier: pid_t

  /// Starts a program. It has standard input and output, errors going to the output, and nothing else that is open here.
  init(_ path: String, _ arguments: [String], environment: [String: String], input: String, output: String) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // What other tests have open must close when they close it.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      if let number = CInt(name), number > 2 { posix_spawn_file_actions_addclose(&actions, number) }
    }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var identifier: pid_t = 0
    guard posix_spawn(&identifier, path, &actions, nil, &words, &variables) == 0 else { throw NotStarted(path: path) }
    self.identifier = identifier
  }

  /// How a program ended.
  enum End {
    case code(Int32)
    case signal(Int32)
  }

  /// How it ended; nil if it runs. To be asked until it has ended, and not after.
  func end() -> End? {
    var status: CInt = 0
    guard waitpid(identifier, &status, WNOHANG) == identifier else { return nil }
    return status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }

  /// Ends it at once.
  func kill() { Glibc.kill(identifier, SIGKILL) }

  /// Ends it at once, and returns when it has ended. To be called instead of `end()`.
  func killAndWait() {
    kill()
    var status: CInt = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
  }
}

/// A program could not be started.
struct NotStarted: Error {
  var path: String
}
