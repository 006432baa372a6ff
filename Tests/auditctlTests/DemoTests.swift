import EventStore
import Foundation
import Testing

@Suite struct DemoTests {
  @Test("the demo succeeds, says what it found, and fits 80 columns")
  func text() throws {
    let recorded = try Recorded.once()
    #expect(recorded.code == 0, "\(recorded.errors)")
    #expect(recorded.errors.isEmpty)
    let lines = recorded.demo.split(separator: "\n", omittingEmptySubsequences: false)
    // Commands with the path of this test's own directory may be longer; a shell line is not broken.
    let long = lines.filter { $0.count > 80 && !$0.contains(recorded.folder.path) && !$0.contains("alias") }
    #expect(long.isEmpty, "\(long)")
    for part in [
      "6 of 6 flows", "6 recordings, 0 divergences", "Both sides agree.", "none is there", "lz4 -dc", "auditctl replay",
    ] {
      #expect(recorded.demo.split(separator: "\n").joined(separator: " ").contains(part), "\(part)")
    }
    #expect(recorded.demo.contains("\nok  "))
  }

  @Test("demo --json is one document with the same facts, and nothing else")
  func json() throws {
    let folder = try Folder()
    let run = try Program.run(["demo", "--json"], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.lines.count == 1)
    let document = try JSON(parsing: Array(run.output.utf8))
    #expect(document["good"]?.bool == true)
    #expect(document["flows"]?.array?.count == 6)
    #expect(document["verify"]?["verdict"]?.string == "ok")
    #expect(document["replay"]?["diverged"]?.int == 0)
    #expect(document["canaries"]?["found"]?.int == 0)
    #expect(document["fold"]?["equal"]?.int == 6)
    let pushes = document["pushes"]?.array ?? []
    #expect(pushes.compactMap { $0["answer"]?.string }.sorted() == ["approved", "denied"])
    #expect(pushes.allSatisfy { $0["contradictions"]?.array?.isEmpty == true })
    #expect(document["deviceReplay"]?["diverged"]?.int == 0)
    let store = try #require(document["store"]?.string)
    let key = try #require(document["publicKeyFile"]?.string)
    #expect(try Program.run(["verify", "--store", store, "--public-key", key], in: folder).code == 0)
    let device = try #require(document["deviceStore"]?.string)
    #expect(try Program.run(["correlate", "--store", store, "--store", device], in: folder).code == 0)
  }
}
