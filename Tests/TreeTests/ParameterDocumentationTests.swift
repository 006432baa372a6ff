import Foundation
import Testing

/// A doc comment that describes one parameter describes all: `make docs` takes no other, and is not part of `make test`.
@Suite struct ParameterDocumentationTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  /// The libraries that have documentation of their own.
  private static let libraries = ["EventStore", "Flows", "Replay", "SimulatedOrg"]

  @Test("a public declaration describes all of its parameters or none", arguments: libraries)
  func parameters(library: String) throws {
    let folder = Self.root.appendingPathComponent("Sources/\(library)")
    var declarations = 0
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where name.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      for (number, comment, signature) in Self.declarations(in: text.components(separatedBy: "\n")) {
        let described = Self.described(in: comment)
        guard !described.isEmpty else { continue }
        declarations += 1
        let missing = Self.parameters(of: signature).filter { !described.contains($0) }
        #expect(missing == [], "\(library)/\(name):\(number) does not describe these")
      }
    }
    #expect(declarations > 5, "\(library) has hardly any")
  }

  /// The public functions and initializers below a doc comment: the line, the comment, and what stands up to the body.
  private static func declarations(in lines: [String]) -> [(line: Int, comment: [String], signature: String)] {
    var found: [(Int, [String], String)] = []
    var comment: [String] = []
    for (index, line) in lines.enumerated() {
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.hasPrefix("///") {
        comment.append(String(text.dropFirst(3)))
        continue
      }
      if text.hasPrefix("@") { continue }
      defer { comment = [] }
      let words = text.split { !$0.isLetter }.map(String.init)
      guard !comment.isEmpty, words.contains("public") || words.contains("open"),
        text.contains("func ") || text.contains("init")
      else { continue }
      let end = lines[index...].firstIndex { $0.contains("{") } ?? index
      found.append((index + 1, comment, lines[index...min(end, index + 14)].joined(separator: " ")))
    }
    return found
  }

  private static func described(in comment: [String]) -> Set<String> {
    var names: Set<String> = []
    var isList = false
    for line in comment {
      let text = line.trimmingCharacters(in: .whitespaces)
      if text == "- Parameters:" {
        isList = true
      } else if text.hasPrefix("- Parameter "), let name = text.dropFirst(12).split(separator: ":").first {
        names.insert(String(name))
      } else if isList, line.hasPrefix("   - "), let name = text.dropFirst(2).split(separator: ":").first {
        names.insert(String(name))
      } else if text.hasPrefix("- ") {
        isList = false
      }
    }
    return names
  }

  /// The names that the body of a declaration has for its parameters.
  private static func parameters(of signature: String) -> [String] {
    var (depth, current, parts) = (0, "", [String]())
    for character in signature.drop(while: { $0 != "(" }) {
      if "([<".contains(character) { depth += 1 }
      if depth == 1, character == "," || character == ")" {
        parts.append(current)
        current = ""
      } else if depth > 1 || character != "(" {
        current.append(character)
      }
      // An arrow is no bracket.
      if ")]".contains(character) || character == ">" && !current.hasSuffix("->") { depth -= 1 }
      if depth == 0 { break }
    }
    return parts.compactMap { part in
      guard let colon = part.firstIndex(of: ":") else { return nil }
      return part[..<colon].split(separator: " ").last.map(String.init)
    }
  }
}
