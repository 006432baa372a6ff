import Foundation
import Testing

/// `docs/QUESTIONS.md`: what it shows is what the commands print.
@Suite struct QuestionTests {
  private struct Question {
    var command: String
    var lines: [String] = []
  }

  private static func page() throws -> (prepared: [String], questions: [Question]) {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent("docs/QUESTIONS.md"), encoding: .utf8)
    var (prepared, questions): ([String], [Question]) = ([], [])
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        isInside.toggle()
      } else if isInside, line.hasPrefix("$ ") {
        questions.append(Question(command: String(line.dropFirst(2))))
      } else if isInside, line.hasPrefix("auditctl ") {
        prepared.append(line)
      } else if isInside, line != "..." {
        questions[questions.count - 1].lines.append(line)
      }
    }
    return (prepared, questions)
  }

  /// A line without the spaces that fill a table's last column.
  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop(while: \.isWhitespace).reversed())
  }

  @Test("each question of an auditor is answered by one command, as its page shows")
  func answers() throws {
    let (prepared, questions) = try Self.page()
    #expect(questions.count >= 30)
    let folder = try Folder()
    func run(_ command: String) throws -> Run {
      try Program.shell("'\(Program.binary)' \(command.dropFirst("auditctl ".count))", in: folder)
    }
    for command in prepared { #expect(try run(command).code == 0, "\(command)") }
    for question in questions {
      let answer = try run(question.command)
      #expect(answer.code == 0 && !question.lines.isEmpty, "\(question.command): \(answer)")
      var rest = answer.lines[...]
      for line in question.lines {
        let place = rest.firstIndex { Self.trimmed($0) == line }
        #expect(place != nil, "\(question.command) does not print: \(line)")
        if let place { rest = rest[rest.index(after: place)...] }
      }
    }
  }
}
