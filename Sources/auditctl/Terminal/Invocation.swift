// How this program was called, so that commands it proposes can be typed as they stand.

import Foundation

/// The call of this program.
enum Invocation {
  /// A line that makes `auditctl` mean this program, if the shell would not find it; indented by two.
  static var alias: [String] {
    let path = CommandLine.arguments.first ?? "auditctl"
    guard path.contains("/") else { return [] }
    let here = FileManager.default.currentDirectoryPath + "/"
    let short = path.hasPrefix(here) ? "./" + path.dropFirst(here.count) : path
    return ["  alias auditctl=\(quoted(short))"]
  }

  /// A path as a shell takes it for one word.
  static func quoted(_ path: String) -> String {
    let plain = path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+@%:,".contains($0)) }
    guard path.isEmpty || !plain else { return path }
    return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
