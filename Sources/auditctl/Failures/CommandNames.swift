// Suggests names for an unknown command. Runs before the arguments are parsed, whose first option would be reported as
// unknown instead.

import ArgumentParser

/// Looks at the words that name commands.
enum CommandNames {
  /// Checks the names of commands at the beginning of a command line.
  ///
  /// - Throws: exit 64 with the nearest names if there is no command of that name.
  static func check(_ arguments: some Sequence<String>, of root: any ParsableCommand.Type) throws(CommandFailure) {
    var command = root
    var path = ""
    var isHelp = false
    for argument in arguments {
      let subcommands = command.configuration.subcommands
      guard !subcommands.isEmpty, !argument.hasPrefix("-") else { return }
      if argument == "help", path.isEmpty {
        isHelp = true
        continue
      }
      guard let next = subcommands.first(where: { $0._commandName == argument }) else {
        let near = nearest(to: argument, in: subcommands.map { $0._commandName })
        // A word that is not a name is the first argument of the default command.
        if near.isEmpty, command.configuration.defaultSubcommand != nil { return }
        let question = near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
        throw CommandFailure(.usage, "there is no command '\(path)\(argument)'\(question) (--help lists them)")
      }
      command = next
      path += argument + " "
    }
    let names = command.configuration.subcommands.map { $0._commandName }
    guard !isHelp, !path.isEmpty, !names.isEmpty, command.configuration.defaultSubcommand == nil else { return }
    throw CommandFailure(.usage, "\(path)needs one of \(names.joined(separator: ", ")) after it (--help says more)")
  }

  /// The names that differ by a few typing errors or a missing end.
  static func nearest(to word: String, in names: [String]) -> [String] {
    let begun = names.filter { word.count > 1 && $0.hasPrefix(word) }
    guard begun.isEmpty else { return Array(begun.prefix(3)) }
    let near = names.map { (name: $0, distance: distance(word, $0)) }.filter {
      $0.distance <= max(1, $0.name.count / 3)
    }
    guard let least = near.map(\.distance).min() else { return [] }
    return near.filter { $0.distance == least }.prefix(3).map(\.name)
  }

  /// How many letters must be put in, taken out, changed or swapped with the next.
  private static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one.lowercased()), Array(other))
    var rows = [Array(0...other.count)]
    for i in one.indices {
      var row = [i + 1]
      for j in other.indices {
        var cost = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (one[i] == other[j] ? 0 : 1))
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] { cost = min(cost, rows[i - 1][j - 1] + 1) }
        row.append(cost)
      }
      rows.append(row)
    }
    return rows[one.count][other.count]
  }
}
