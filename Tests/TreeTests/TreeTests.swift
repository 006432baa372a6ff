import Foundation
import Testing

/// Facts about the tree that no compiler checks.
@Suite struct TreeTests {
  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  @Test("nothing in the flows reads a clock, draws or sleeps outside the seams (DESIGN §2 rule 2)")
  func noBareEffects() throws {
    let words = [
      #"\bDate\(\)"#, #"\bUUID\(\)"#, #"\.random\("#, #"\.randomElement\("#, #"\.shuffled\("#, #"Task\.sleep"#,
      #"\bContinuousClock\b"#, #"\bSuspendingClock\b"#, #"\bTimestamp\.now\("#, #"\barc4random"#, #"\bgettimeofday"#,
      #"SystemRandomNumberGenerator"#, #"\.asyncAfter\("#,
    ]
    // The seams themselves, and the transport, whose deadlines are about sockets and never reach a core.
    let allowed = ["Flows/Recording/Seams/", "Flows/Recording/Transport/"]
    for (path, text) in try sources("Sources/Flows") where !allowed.contains(where: path.contains) {
      for word in words {
        #expect(try !Regex(word).firstMatch(in: code(text)).isFound, "\(path) uses \(word)")
      }
    }
  }

  @Test("the scan finds what it looks for")
  func scanWorks() throws {
    #expect(try Regex(#"\bDate\(\)"#).firstMatch(in: code("let now = Date() // why")).isFound)
    #expect(try !Regex(#"\bDate\(\)"#).firstMatch(in: code("// never Date()\n")).isFound)
  }

  @Test("files of cores do not import Foundation, Dispatch or Glibc")
  func coresArePure() throws {
    let files = try sources("Sources/Flows").filter { $0.path.contains("/Core/") || $0.path.contains("/Wire/") }
    #expect(files.count >= 8)
    for (path, text) in files {
      for module in ["Foundation", "Dispatch", "Glibc", "Synchronization"] {
        #expect(!text.contains("import \(module)"), "\(path) imports \(module)")
      }
    }
  }

  @Test("only the transport imports libcurl, only the store liblz4, only FleetNats libnats")
  func cLibrariesStayAtTheEdge() throws {
    for (path, text) in try sources("Sources") {
      if text.contains("import CCurl") { #expect(path.contains("Flows/Recording/Transport/"), "\(path)") }
      if text.contains("import CLZ4") { #expect(path.contains("EventStore/"), "\(path)") }
      if text.contains("import CNats") { #expect(path.contains("FleetNats/"), "\(path)") }
    }
  }

  @Test("the simulated org imports none of our modules")
  func orgIsIndependent() throws {
    for (path, text) in try sources("Sources/SimulatedOrg") {
      for module in ["EventStore", "FlowRecording", "Authn", "IDX", "OIDC", "Replay"] {
        #expect(!text.contains("import \(module)"), "\(path) imports \(module)")
      }
    }
  }

  @Test("names of logs and of keys are compared by their bytes: == takes two names for one (FORMAT.md §1)")
  func namesAreBytes() throws {
    let name = #"(?:\.origin|\b(?:key|verifier|next|pinned|named|own|trusted)\.name|dentity\.publicKey)\b"#
    // For Unicode, `key.name` is one word.
    let word = try Regex("\(name)(?:\\?\\.\\w+)* [!=]= (?!nil)|[!=]= [\\w.$?]*\(name)").wordBoundaryKind(.simple)
    #expect(try word.firstMatch(in: "guard note.origin == name").isFound)
    #expect(try word.firstMatch(in: "if name != key.verifier.name").isFound)
    #expect(try !word.firstMatch(in: "identity.publicKey == nil").isFound)
    for folder in ["EventStore", "Fleet", "FleetNats", "AuditReports/Evidence", "auditctl/Fleet", "auditctl/Witness"] {
      for (path, text) in try sources("Sources/\(folder)") {
        for line in code(text).split(separator: "\n") where try word.firstMatch(in: line).isFound {
          Issue.record("\(path) compares a name by ==, not by isSame(as:): \(line)")
        }
      }
    }
  }

  @Test("no switch over events, calls or phases has a default: the compiler asks what a new case means")
  func exhaustive() throws {
    let subject =
      /^( *)switch (?:.*\.event|event|phase|kind|(?:Authn|IDX)(?:Call|Event)\(.*\)) \{$/
    var seen = 0
    for file in try sources("Sources") {
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        guard let match = try subject.wholeMatch(in: line) else { continue }
        seen += 1
        let end = lines[(index + 1)...].firstIndex { $0 == match.output.1 + "}" } ?? lines.endIndex
        let hasDefault = lines[index..<end].contains { $0.hasPrefix(match.output.1 + "default:") }
        #expect(!hasDefault, "\(file.path):\(index + 1) has a default")
      }
    }
    #expect(seen >= 15)
  }

  private func sources(_ folder: String) throws -> [(path: String, text: String)] {
    let base = root.appendingPathComponent(folder)
    let paths = try #require(FileManager.default.enumerator(atPath: base.path)).compactMap { $0 as? String }
    let files = paths.filter { $0.hasSuffix(".swift") }.sorted()
    #expect(!files.isEmpty)
    return try files.map { file in
      ("\(folder)/\(file)", try String(contentsOf: base.appendingPathComponent(file), encoding: .utf8))
    }
  }

  /// The text without line comments.
  private func code(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in line.range(of: "//").map { String(line[..<$0.lowerBound]) } ?? String(line) }
      .joined(separator: "\n")
  }
}

extension Optional {
  fileprivate var isFound: Bool { self != nil }
}
