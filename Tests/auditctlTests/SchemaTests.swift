// Programs can see which form of a document they read.

import EventStore
import Testing

@Suite struct SchemaTests {
  @Test(
    "every JSON document begins with its schema",
    arguments: [
      ["flows", "--json"], ["info", "--json"], ["verify", "--json"], ["keys", "--json"], ["replay", "--json"],
      ["report", "summary", "--format", "json"], ["prove", "inclusion", "1"], ["prove", "consistency", "1", "2"],
      ["prune", "--before", "0", "--dry-run", "--json"], ["seal", "--json"],
    ])
  func documents(command: [String]) throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let run = try Program.run(command + ["--store", recorded.copy(into: folder)], in: folder)
    #expect(!run.lines.isEmpty, "\(run.errors)")
    for line in run.lines {
      let document = try JSON(parsing: Array(line.utf8))
      #expect(document.keys.first == "schema" && document["schema"]?.int == 1, "\(line)")
    }
  }

  @Test("show, copies and the demo too")
  func others() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let flow = try recorded.flow(of: "ann@acme.example")
    for run in [
      try recorded.run("show", flow, "--json"), try recorded.run("show", flow, "--at", "3", "--json"),
      try Program.run(["demo", "--json"], in: folder),
      try Program.run(["restore", recorded.store, "--store", folder("again"), "--json"], in: folder),
      try Program.run(["backup", "--store", recorded.store, "-o", folder("copy"), "--json"], in: folder),
    ] {
      #expect(try JSON(parsing: Array(run.output.utf8)).keys.first == "schema", "\(run.output)\(run.errors)")
    }
  }

  @Test("records of cat stay as they were hashed")
  func records() throws {
    let recorded = try Recorded.once()
    for line in try recorded.run("cat").lines {
      #expect(line.hasPrefix(#"{"n":"#))
      _ = try StoredRecord(line: Array(line.utf8))
    }
  }
}
