import Foundation
import Testing

/// The documents agree with the tree.
@Suite struct DocumentTests {
  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL
  private let pages = [
    "README.md", "CHANGELOG.md", "Recordings/README.md", "docs/ARCHITECTURE.md", "docs/AUTHN.md", "docs/BENCHMARKS.md",
    "docs/EVENTS.md", "docs/FORMAT.md", "docs/IDX.md", "docs/SECURITY.md", "docs/TESTING.md",
  ]

  @Test("every event type has a section in docs/EVENTS.md")
  func events() throws {
    let list = try text("Sources/Flows/Recording/Events/FlowEvent.swift")
    let types = list.matches(of: /\/\/\/ `([a-z]+\.[a-z]+)`/).map { String($0.output.1) }
    #expect(types.count >= 14)
    let page = try text("docs/EVENTS.md")
    let own = ["log.opened", "log.recovered", "log.rekeyed", "log.restored", "log.pruned", "log.gap"]
    for type in types + ["body.part"] + own {
      #expect(page.contains("\n### `\(type)`\n"), "docs/EVENTS.md has no section on \(type)")
    }
  }

  @Test("every make target that the documents name is in the Makefile")
  func targets() throws {
    let makefile = try text("Makefile")
    var seen = 0
    for page in pages {
      for match in try text(page).matches(of: /(?:^|`)make ([a-z]+)\b/.anchorsMatchLineEndings()) {
        seen += 1
        #expect(makefile.contains("\n\(match.output.1):"), "\(page) names make \(match.output.1)")
      }
    }
    #expect(seen >= 5)
  }

  @Test("every command that the documents name is a command of auditctl")
  func commands() throws {
    let folder = root.appendingPathComponent("Sources/auditctl/Commands").path
    let sources = try FileManager.default.contentsOfDirectory(atPath: folder).map {
      try text("Sources/auditctl/Commands/\($0)")
    }
    let names = sources.flatMap { $0.matches(of: /commandName: "([a-z-]+)"/).map { String($0.output.1) } }
    #expect(names.count >= 13)
    var seen = 0
    for page in pages {
      for match in try text(page).matches(of: /(?:`|\$ |^ *|\| )auditctl ([a-z][a-z-]*)/.anchorsMatchLineEndings()) {
        seen += 1
        #expect((names + ["help"]).contains(String(match.output.1)), "\(page) names auditctl \(match.output.1)")
      }
    }
    #expect(seen >= 10)
  }

  @Test("the Swift code of README.md stands in files of the package")
  func code() throws {
    let files = ["Tests/ReadmeSwift5/ReadmeCode.swift", "Sources/ReplayTesting/ExpectReplays.swift"]
    let compiled = try files.map { try lines(text($0)) }.joined(separator: "\n")
    let blocks = try text("README.md").matches(of: /```swift\n((?:.*\n)*?)```/).map { String($0.output.1) }
    #expect(blocks.count >= 4)
    for block in blocks where !block.contains(".package(") {
      #expect(compiled.contains(lines(block)), "not compiled as it stands in README.md:\n\(block)")
    }
  }

  /// The code alone: no imports, no indentation, no empty lines.
  private func lines(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingPrefix("/// ").trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }.joined(separator: "\n")
  }

  @Test("every golden recording has a line in Recordings/README.md, and every line a recording")
  func recordings() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("Recordings").path)
      .filter { $0.hasSuffix(".ndjson.lz4") }.map { String($0.dropLast(".ndjson.lz4".count)) }
    let listed = try text("Recordings/README.md").matches(of: /^\| `([a-z-]+)` \|/.anchorsMatchLineEndings())
      .map { String($0.output.1) }
    #expect(listed.sorted() == files.sorted())
  }

  @Test("relative links resolve, and so do their anchors", arguments: [false, true])
  func links(anchors: Bool) throws {
    var seen = 0
    for page in pages {
      for match in try text(page).matches(of: /\]\(([^)\s]+)\)/) {
        let link = String(match.output.1)
        if link.contains("://") { continue }
        seen += 1
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let folder = root.appendingPathComponent(page).deletingLastPathComponent()
        let target = parts[0].isEmpty ? root.appendingPathComponent(page) : folder.appendingPathComponent(parts[0])
        if !anchors {
          #expect(FileManager.default.fileExists(atPath: target.standardizedFileURL.path), "\(page) links to \(link)")
        } else if parts.count == 2 {
          let headings = try String(contentsOf: target.standardizedFileURL, encoding: .utf8)
            .matches(of: /^#+ (.*)$/.anchorsMatchLineEndings()).map { anchor(String($0.output.1)) }
          #expect(headings.contains(parts[1]), "\(page) links to \(link)")
        }
      }
    }
    #expect(seen >= 10)
  }

  /// A heading's anchor: lower case, spaces as hyphens, no punctuation.
  private func anchor(_ heading: String) -> String {
    heading.lowercased().replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}
