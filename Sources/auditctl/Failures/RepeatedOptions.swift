// Repeated options, of which the parser would use the last and ignore the others.

import ArgumentParser
import AuditReports
import EventStore

/// Finds options that are repeated but accept one value.
enum RepeatedOptions {
  /// Refuses a command line that repeats an option with a single value: the first value must not be ignored silently.
  ///
  /// - Parameters:
  ///   - arguments: of the whole command line.
  ///   - command: the type of the command that they are for.
  /// - Throws: exit 64.
  static func check(
    _ arguments: some Sequence<String>, of command: any ParsableCommand.Type
  ) throws(CommandFailure) {
    var counts: [String: Int] = [:]
    for argument in arguments.prefix(while: { $0 != "--" }) {
      let name = String(argument.prefix { $0 != "=" })
      if name == "-o" || name.hasPrefix("--") { counts[name, default: 0] += 1 }
    }
    // An option may have two names: -o, --output.
    guard counts.contains(where: { $0.value > 1 }) || counts["-o"] != nil else { return }
    for names in singleOptions(of: command) {
      let count = names.reduce(0) { $0 + counts[$1, default: 0] }
      guard count > 1, let name = names.first(where: { counts[$0] != nil }) else { continue }
      throw CommandFailure(.usage, "\(name.printable) is given \(count) times; give it once (--help says more)")
    }
  }

  /// The names of each option of a command that has a value and counts once, as its help as JSON says.
  private static func singleOptions(of command: any ParsableCommand.Type) -> [[String]] {
    let help = try? JSON(parsing: Array(command._dumpHelp().utf8))
    var options: [[String]] = []
    for argument in help?["command"]?["arguments"]?.array ?? [] {
      guard argument["kind"] == "option", argument["isRepeating"] == false else { continue }
      options.append(
        (argument["names"]?.array ?? []).compactMap { name in
          name["name"]?.string.map { (name["kind"] == "long" ? "--" : "-") + $0 }
        })
    }
    return options
  }
}
