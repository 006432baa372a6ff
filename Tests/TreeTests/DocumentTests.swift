import Foundation
import Testing

/// The documents agree with the tree.
@Suite struct DocumentTests {
  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL
  private let pages = [
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Recordings/README.md", "docs/ARCHITECTURE.md",
    "docs/AUTHN.md", "docs/BENCHMARKS.md", "docs/DEVICE.md", "docs/EVENTS.md", "docs/FAQ.md", "docs/FLEET.md",
    "docs/FORMAT.md", "docs/GLOSSARY.md", "docs/IDX.md", "docs/INTEGRATION.md", "docs/OIDC.md", "docs/PORTING.md",
    "docs/QUESTIONS.md", "docs/REPORTS.md", "docs/SECURITY.md", "docs/TESTING.md", "Examples/CustomFlow/README.md",
    "Examples/HummingbirdLogin/README.md", "Tests/Mutants/README.md",
  ]

  @Test("every event type has a section in docs/EVENTS.md")
  func events() throws {
    let folder = root.appendingPathComponent("Sources/Flows")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
    let types = try files.filter { $0.hasSuffix(".swift") }.sorted().flatMap { file in
      try text("Sources/Flows/\(file)").matches(of: /public static var type: String \{ "([a-z]+\.[a-z]+)" \}/)
        .map { String($0.output.1) }
    }
    #expect(types.count >= 17)
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
    for file in [".github/workflows/ci.yml", "Containerfile"] {
      let steps = try text(file).matches(of: /(?:run:|RUN) make ([a-z]+)/)
      #expect(steps.count >= 2)
      for step in steps { #expect(makefile.contains("\n\(step.output.1):"), "\(file) runs make \(step.output.1)") }
    }
  }

  @Test("every module that make docs builds has a page, and its guides are in the index and in README.md")
  func guides() throws {
    let script = try text("scripts/docs.sh")
    let modules = try #require(script.firstMatch(of: /modules=\((.*)\)/)).output.1.split(separator: " ").map(
      String.init)
    #expect(modules.count >= 7)
    let index = try Shell.run("scripts/docs-index.sh \(modules.joined(separator: " "))", in: root)
    #expect(index.code == 0)
    let readme = try text("README.md")
    let folders = try #require(FileManager.default.enumerator(atPath: root.appendingPathComponent("Sources").path))
    for path in folders.compactMap({ $0 as? String }) where path.hasSuffix(".md") && path.contains(".docc/") {
      let name = String(path.split(separator: "/").last?.dropLast(3) ?? "")
      let folder = String(path.split(separator: "/").dropLast().last?.dropLast(5) ?? "")
      #expect(modules.contains(folder), "make docs does not build \(folder)")
      let page = name == folder ? "" : "\(name.lowercased())/"
      let address = "href=\"/\(folder)/documentation/\(folder.lowercased())/\(page)\""
      #expect(index.output.contains(address), "the index does not link to \(path)")
      if name != folder { #expect(readme.contains("Sources/\(path)"), "README.md does not link to \(path)") }
    }
    #expect(!index.output.contains("</a></h2>\n<p></p>"))
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

  @Test("the manifest of README.md names the package, a product of it and the version of the command")
  func manifest() throws {
    let manifest = try text("Package.swift")
    let readme = try text("README.md")
    let product = try #require(readme.firstMatch(of: /\.product\(name: "(\w+)", package: "(\w+)"\)/))
    #expect(manifest.contains(".library(name: \"\(product.output.1)\""))
    #expect(manifest.contains("name: \"\(product.output.2)\",\n  products: ["))
    #expect(readme.contains(".package(name: \"\(product.output.2)\", path:"))
    let version = try #require(readme.firstMatch(of: /from: "([0-9]+\.[0-9]+\.[0-9]+)"/))
    #expect(
      try text("CHANGELOG.md").contains("## \(version.output.1)")
        || text("CHANGELOG.md").contains("Unreleased: \(version.output.1)"))
    #expect(try text("Sources/auditctl/Auditctl.swift").contains("\"\(version.output.1)\""))
  }

  @Test(
    "the documents say what checks the ID tokens of the Identity Engine",
    arguments: ["README.md", "SECURITY.md", "docs/SECURITY.md", "docs/IDX.md", "docs/PORTING.md"])
  func tokens(page: String) throws {
    let text = try text(page)
    #expect(text.contains("`exchangeCode`") && text.contains("ID token"))
    #expect(!text.contains("not validated"))
  }

  @Test("the Swift code of README.md stands in files of the package")
  func code() throws {
    let files = ["Tests/ReadmeSwift5/ReadmeCode.swift", "Sources/ReplayTesting/ExpectReplays.swift"]
    let compiled = try files.map { try lines(text($0)) }.joined(separator: "\n")
    let blocks = try text("README.md").matches(of: /```swift\n((?:.*\n)*?)```/).map { String($0.output.1) }
    #expect(blocks.count >= 4)
    for block in blocks {
      if block.hasPrefix(".package(") || block.hasPrefix(".product(") { continue }
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
