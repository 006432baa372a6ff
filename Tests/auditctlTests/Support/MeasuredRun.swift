import Foundation
import Glibc
import Testing

/// A run of the program that says what it cost, whatever else the machine did meanwhile.
struct MeasuredRun {
  var code: Int32
  /// The most memory that it had at once, in bytes.
  var memory: Int
  /// The processor's time that it took, in seconds.
  var seconds: Double

  /// Runs to the end; what is printed is thrown away.
  init(_ arguments: [String], in folder: Folder) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for descriptor in [1, 2] as [Int32] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var words = ([Program.binary] + arguments).map { strdup($0) } + [nil]
    var environment = Program.environment(home: folder.path).map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + environment { free(text) } }
    var process = pid_t()
    try #require(posix_spawn(&process, Program.binary, &actions, nil, &words, &environment) == 0)
    var (status, usage) = (Int32(0), rusage())
    while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
    code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    memory = usage.ru_maxrss << 10
    seconds = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
  }
}
