import Foundation
import Testing

/// The bugs of `make mutants` can be put in. Nothing is built here.
@Suite struct MutantTests {
  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  private struct Entry: Decodable {
    var id: String
    var file: String
    var original: String
    var why: String
  }

  private struct Page: Decodable {
    var mutants: [Entry]?
  }

  @Test("the original text of each bug stands once in its file, and no two have one name")
  func originals() throws {
    let folder = root.appendingPathComponent("Tests/Mutants")
    let pages = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { page in
      page.hasSuffix(".json") && !page.hasPrefix("Generator/")
    }
    var names: Set<String> = []
    var texts: [String: String] = [:]
    for page in pages.sorted() {
      let data = try Data(contentsOf: folder.appendingPathComponent(page))
      for entry in try JSONDecoder().decode(Page.self, from: data).mutants ?? [] {
        #expect(names.insert(entry.id).inserted, "\(page): \(entry.id) stands twice")
        let text =
          try texts[entry.file] ?? String(contentsOf: root.appendingPathComponent(entry.file), encoding: .utf8)
        texts[entry.file] = text
        let count = text.components(separatedBy: entry.original).count - 1
        #expect(
          count == 1,
          "\(page): the original text of \(entry.id) stands \(count) times in \(entry.file); change the entry with the code"
        )
      }
    }
    #expect(names.count >= 728 + 118)
  }
}
