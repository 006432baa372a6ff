// Times such as `-1h30`: the parser of arguments takes a word that begins with a hyphen for options, and an `h` in it
// for a call for help as soon as anything is wrong with the command line.

/// Finds times that count back from now.
enum RelativeTimes {
  private static let options: Set<String> = ["--since", "--until", "--as-of", "--against"]

  /// A command line in which such a time is joined to its option: `--since=-1h30`.
  ///
  /// - Parameter arguments: the command line, without the program.
  static func joined(_ arguments: [String]) -> [String] {
    var joined: [String] = []
    var hasEnded = false
    for argument in arguments {
      if argument == "--" { hasEnded = true }
      if !hasEnded, let option = joined.last, options.contains(option), isTime(argument) {
        joined[joined.count - 1] = "\(option)=\(argument)"
      } else {
        joined.append(argument)
      }
    }
    return joined
  }

  private static func isTime(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
    return second == "." || ("0"..."9").contains(second)
  }
}
