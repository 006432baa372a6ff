import EventStore
import Foundation
import Testing

@Suite struct ExportToolsTests {
  @Test(
    "a store is exported for each tool, a line an event, whole or filtered", arguments: ["ocsf", "cef", "ecs", "otlp"])
  func forms(form: String) throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let all = try recorded.run("export", "--as", form, "-o", "-")
    #expect(all.code == 0 && all.lines.count >= 3, "\(all.errors)")
    if form != "cef" { for line in all.lines { _ = try JSON(parsing: Array(line.utf8)) } }
    let some = try recorded.run("export", "--as", form, "--user", "ann@acme.example", "-o", folder("some"))
    #expect(some.code == 0)
    let lines = try String(contentsOfFile: folder("some"), encoding: .utf8).split(separator: "\n")
    #expect(!lines.isEmpty && lines.count < all.lines.count && lines.allSatisfy { $0.contains("ann@acme.example") })
    let flow = try recorded.flow(of: "ann@acme.example")
    let one = try recorded.run("export", flow, "--as", form, "-o", "-")
    #expect(one.code == 0 && !one.lines.isEmpty && one.lines.allSatisfy { $0.contains(flow) })
    #expect(try recorded.run("export", "--as", form, "--user", "nobody", "-o", "-").code == 1)
    #expect(try recorded.run("export", "--as", form).code == 64)
  }

  @Test(
    "a file that is there is replaced whole, or stays as it is",
    arguments: ["ocsf", "cef", "ecs", "otlp", "har", "ndjson"])
  func whole(form: String) throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let flow = try recorded.flow(of: "ann@acme.example")
    let before = "what was there"
    try before.write(toFile: folder("out"), atomically: false, encoding: .utf8)
    // The disk takes no more than a block of 1,024 bytes.
    let command = "ulimit -f 1; auditctl export \(flow) --store \(recorded.store) --as \(form) -o out"
    let cut = try Program.shell(command, in: folder)
    #expect(cut.code != 0)
    #expect(try String(contentsOfFile: folder("out"), encoding: .utf8) == before)
    if ["har", "ndjson"].contains(form) { return }
    #expect(try recorded.run("export", "--as", form, "--user", "nobody", "-o", folder("out")).code == 1)
    #expect(try String(contentsOfFile: folder("out"), encoding: .utf8) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(".out") }.count <= 1)
    #expect(try recorded.run("export", flow, "--as", form, "-o", folder("out")).code == 0)
    #expect(try String(contentsOfFile: folder("out"), encoding: .utf8) != before)
  }

  @Test("a flow that is named twice is exported once")
  func twice() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let flow = try recorded.flow(of: "ann@acme.example")
    for form in ["ndjson", "ocsf"] {
      let once = try recorded.run("export", flow, "--as", form, "-o", "-")
      let twice = try recorded.run("export", flow, flow, "--as", form, "-o", "-")
      #expect(twice.lines == once.lines && !once.lines.isEmpty)
    }
    #expect(try recorded.run("export", flow, flow, "--as", "recording", "-o", folder("r.ndjson.lz4")).code == 0)
  }

  @Test("filters belong to the forms of other tools")
  func usage() throws {
    let recorded = try Recorded.once()
    for arguments in [["--as", "ndjson", "-o", "-"], ["x", "--as", "ndjson", "--user", "u", "-o", "-"]] {
      let run = try Program.run(["export", "--store", recorded.store] + arguments, in: recorded.folder)
      #expect(run.code == 64 && run.errors.split(separator: "\n").count == 1)
    }
  }
}
