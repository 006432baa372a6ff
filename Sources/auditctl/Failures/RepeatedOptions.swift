// An option that is given twice: the parser would take the last one and drop the others.

import ArgumentParser
import AuditReports
import EventStore

/// Looks for options that are given more often than they count.
enum RepeatedOptions {
  /// Refuses a command line that names an option twice which counts once: what was asked for first must not be left out in silence.
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
    let repeated = counts.filter { $0.value > 1 }.sorted { $0.key < $1.key }
    guard !repeated.isEmpty else { return }
    let single = singleOptions(of: command)
    for (name, count) in repeated where single.contains(name) {
      throw CommandFailure(.usage, "\(name.printable) is given \(count) times; give it once (--help says more)")
    }
  }

  /// The names of the options of a command that have a value and count once, as its help as JSON says.
  private static func singleOptions(of command: any ParsableCommand.Type) -> Set<String> {
    let help = try? JSON(parsing: Array(command._dumpHelp().utf8))
    var names: Set<String> = []
    for argument in help?["command"]?["arguments"]?.array ?? [] {
      guard argument["kind"] == "option", argument["isRepeating"] == false else { continue }
      for name in argument["names"]?.array ?? [] {
        guard let text = name["name"]?.string else { continue }
        names.insert((name["kind"] == "long" ? "--" : "-") + text)
      }
    }
    return names
  }
}
