import Foundation
import Testing

/// The documents agree with the tree.
@Suite struct DocumentTests {
  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL
  private let pages = [
    "README.md", "CHANGELOG.md", "Recordings/README.md", "docs/ARCHITECTURE.md", "docs/BENCHMARKS.md", "docs/EVENTS.md",
    "docs/FORMAT.md", "docs/SECURITY.md",
  ]

  @Test("every event type has a section in docs/EVENTS.md")
  func events() throws {
    let list = try text("Sources/Flows/Recording/Events/FlowEvent.swift")
    let types = list.matches(of: /\/\/\/ `([a-z]+\.[a-z]+)`/).map { String($0.output.1) }
    #expect(types.count >= 14)
    let page = try text("docs/EVENTS.md")
    for type in types + ["body.part", "log.opened", "log.recovered", "log.gap"] {
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
