import Foundation
import Testing

/// Every name of the seed stands in the sources and in the table of `docs/IDX.md`, and each row names a test that exists.
@Suite struct IDXSeedMembersTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../..").standardizedFileURL

  private static func text(_ folder: String) throws -> String {
    let base = root.appendingPathComponent(folder)
    let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") }.sorted()
      .map { try String(contentsOf: base.appendingPathComponent($0), encoding: .utf8) }.joined(separator: "\n")
  }

  @Test("docs/IDX.md has a row for every name of the seed, and each row names a test that exists")
  func table() throws {
    let page = try String(contentsOf: Self.root.appendingPathComponent("docs/IDX.md"), encoding: .utf8)
    let tests = try Self.text("Tests/IDXTests")
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    let told = rows.map { $0[0].trimmingCharacters(in: ["`"]) }
    #expect(told == IDXSeedNames.all)
    for row in rows {
      #expect(row.count == 3, "\(row)")
      let suite = row.last?.trimmingCharacters(in: ["`"]) ?? ""
      #expect(tests.contains("struct \(suite)"), "\(row[0]): no test \(suite)")
    }
  }

  @Test("every name of the seed stands in the sources, in its type, with its labels", arguments: IDXSeedNames.all)
  func sources(name: String) throws {
    let sources = try Self.text("Sources/Flows/IDX") + Self.text("Sources/Flows/OIDC")
    let open = name.firstIndex(of: "(") ?? name.endIndex
    let path = name[..<open].split(separator: ".").map(String.init)
    let member = try #require(path.last)
    if let owner = path.dropLast().last ?? path.first {
      let kinds = ["class ", "struct ", "enum ", "protocol "]
      #expect(kinds.contains { sources.contains("\($0)\(owner)") }, "\(owner) is missing")
    }
    guard path.count > 1 else { return }
    guard open != name.endIndex else {
      let kinds = ["let ", "var ", "case ", "enum ", "struct ", "class ", "typealias ", "static var "]
      #expect(kinds.contains { sources.contains("public \($0)\(member)") }, "\(name) is missing")
      return
    }
    let labels = name[name.index(after: open)...].dropLast().split(separator: ":").map(String.init)
    let heads = sources.components(separatedBy: member == "init" ? "init(" : "func \(member)").dropFirst()
    let isThere = heads.contains { head in
      let parameters = head.prefix(1200).components(separatedBy: "{").first ?? ""
      var rest = labels[...]
      for parameter in parameters.split(whereSeparator: { "(,\n".contains($0) }) {
        let word = parameter.trimmingCharacters(in: .whitespaces).split(whereSeparator: { " :".contains($0) }).first
        if let word, String(word) == rest.first { rest = rest.dropFirst() }
      }
      return rest.isEmpty
    }
    #expect(isThere, "\(name) is missing")
  }
}
