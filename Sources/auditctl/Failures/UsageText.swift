// Converts the argument parser's texts to the form of the other messages: one sentence, and lines of 80 columns.

/// Texts of the argument parser.
enum UsageText {
  private static let width = 80

  /// A message in one line. The values that may be given, which the parser prints below each other, follow it.
  static func sentence(_ message: String) -> String {
    let lines = message.split(separator: "\n")
    guard let first = lines.first else { return message }
    // A line that ends inside of quotes was ended by what someone typed.
    guard first.count(where: { $0 == "'" }) % 2 == 0 else { return message.replacing("\n", with: "\\n") }
    let values = lines.dropFirst().map { $0.drop { $0 == " " } }.prefix { $0.hasPrefix("- ") }.map { $0.dropFirst(2) }
    return values.isEmpty ? String(first) : "\(first) \(values.joined(separator: ", "))"
  }

  /// Help whose line of usage continues in the next one if it is too long. Nothing that belongs together is cut:
  /// `[--store <DIR>]`.
  static func wrapped(_ help: String) -> String {
    let given = help.split(separator: "\n", omittingEmptySubsequences: false)
    // Scripts for completion and help as JSON come this way too.
    guard given.contains(where: { $0.hasPrefix("USAGE: ") }) else { return help }
    return given.map { line in
      let isUsage = line.hasPrefix("USAGE: ") || line.hasPrefix("       auditctl ")
      return isUsage && line.utf8.count > width ? lines(of: line).joined(separator: "\n") : String(line)
    }.joined(separator: "\n")
  }

  private static func lines(of usage: Substring) -> [String] {
    var out: [String] = []
    var line = ""
    for part in parts(of: usage) {
      if !line.isEmpty, line.utf8.count + 1 + part.utf8.count > width {
        out.append(line)
        line = String(repeating: " ", count: 9) + part
      } else {
        line += (line.isEmpty ? "" : " ") + part
      }
    }
    return out + [line]
  }

  /// The words of a line of usage; what is in brackets is one, and an option stays with its value.
  private static func parts(of usage: Substring) -> [String] {
    var out: [String] = []
    var depth = 0
    for word in usage.split(separator: " ") {
      let isValue = word.hasPrefix("<") && out.last?.hasPrefix("--") == true && out.last?.contains(" ") == false
      if depth > 0 || isValue { out[out.count - 1] += " " + word } else { out.append(String(word)) }
      depth += word.count { $0 == "[" || $0 == "(" } - word.count { $0 == "]" || $0 == ")" }
    }
    return out
  }
}
