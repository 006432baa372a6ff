import Foundation
import Testing

/// What the documents show is what the commands print.
@Suite struct ReadmeTourTests {
  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  @Test("every command of README.md prints what stands there", .enabled(if: Self.hasTools, "needs python3, lz4 and jq"))
  func tour() throws {
    let run = try readme(root.appendingPathComponent("README.md").path)
    #expect(run.code == 0, "\(run.output)\nto write it anew: scripts/readme.py --auditctl .build/debug/auditctl")
    #expect(run.output.contains(/^[0-9]{2,} commands of README.md were run, 0 lines differ\n$/))
  }

  @Test("a line of README.md that nothing prints is found", .enabled(if: Self.hasTools, "needs python3, lz4 and jq"))
  func wrongLine() throws {
    let folder = try Folder()
    let text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let changed = text.replacing("1 recording, 1 flow replayed, 0 divergences", with: "1 recording, all is well")
      .replacing("8 success", with: "9 success")
    #expect(changed != text)
    let run = try readme(try folder.write(changed, to: "README.md"))
    #expect(run.code == 1)
    #expect(run.output.contains("allis"))
    #expect(run.output.contains("9success"))
  }

  @Test(
    "the recipes of docs/SECURITY.md check root and signature", .enabled(if: Self.hasTools && Program.has("openssl")))
  func recipes() throws {
    let folder = try Folder()
    let page = try String(contentsOf: root.appendingPathComponent("docs/SECURITY.md"), encoding: .utf8)
    let recipes = page.matches(of: /```sh\n((?:.*\n)*?)```/).map { String($0.output.1) }
    #expect(recipes.count == 2)
    let prepare = """
      set -e
      auditctl() { '\(Program.binary)' "$@"; }
      auditctl demo --store audit >demo.txt
      auditctl checkpoint --store audit >noted.txt
      cp .local/state/flowrecorder/$(jq -r .origin audit/store.json).pub audit.pub

      """
    let run = try Program.shell(prepare + recipes.joined(separator: "\n"), in: folder)
    let note = try String(contentsOfFile: folder("noted.txt"), encoding: .utf8).split(separator: "\n")
    #expect(run.output == "\(note[2])\nSignature Verified Successfully\n")
    // A record that says something else has another root.
    let forged = recipes.map { $0.replacing("lz4 -dc", with: "lz4 -dc | sed 's/SUCCESS/FAILURE/'") }
    let second = try Program.shell(forged[0], in: folder)
    #expect(second.code == 0)
    #expect(!second.output.contains(note[2]))
  }

  private static let hasTools = ["python3", "lz4", "jq"].allSatisfy(Program.has)

  private func readme(_ path: String) throws -> Run {
    let script = root.appendingPathComponent("scripts/readme.py").path
    return try Program.shell(
      "python3 '\(script)' --check --auditctl '\(Program.binary)' --readme '\(path)'", in: Folder())
  }
}
