import EventStore
import Foundation
import Testing

@Suite struct FlowCommandTests {
  @Test("flows --json has exactly the keys of the contract")
  func flowKeys() throws {
    let flows = try Recorded.once().flows()
    #expect(flows.count == 6)
    for flow in flows {
      #expect(flow.keys == ["schema", "flow", "kind", "user", "started", "durationMs", "status", "events", "outcome"])
      #expect(flow["kind"]?.string == "authn")
      #expect(Timestamp(flow["started"]?.string ?? "") != nil)
    }
    let outcomes = Dictionary(
      uniqueKeysWithValues: flows.map { ($0["user"]?.string ?? "", $0["outcome"]?.string ?? "") })
    #expect(outcomes["ann@acme.example"] == "success" && outcomes["bob@acme.example"] == "success")
    #expect(outcomes["eve@acme.example"] == "failed" && outcomes["fay@acme.example"] == "lockedOut")
  }

  @Test("text of flows and show fits 80 columns")
  func columns() throws {
    let recorded = try Recorded.once()
    func lines(_ arguments: String...) throws -> [String] {
      let run = try PseudoTerminal.output(
        of: arguments + ["--store", recorded.store], columns: 80, environment: ["NO_COLOR": "1"], in: recorded.folder)
      #expect(run.code == 0 && run.lines.count > 5, "\(arguments)")
      return run.lines
    }
    #expect(try lines("flows").allSatisfy { $0.count <= 80 })
    for flow in try recorded.flows().compactMap({ $0["flow"]?.string }) {
      #expect(try lines("show", flow).allSatisfy { $0.count <= 80 })
      #expect(try lines("show", flow, "--at", "3").allSatisfy { $0.count <= 80 })
    }
  }

  @Test("a flow is found by stream, id, and the beginning of either")
  func names() throws {
    let recorded = try Recorded.once()
    let flow = try recorded.flow(of: "dan@acme.example")
    let whole = try recorded.run("show", flow).output
    let id = String(flow.dropFirst("authn/".count))
    for name in [id, id.lowercased(), String(id.prefix(20)), "authn/" + id.prefix(20)] {
      #expect(try recorded.run("show", name).output == whole)
    }
  }

  @Test("a name that several flows begin with is refused with their names")
  func several() throws {
    let folder = try Folder()
    let lines = ["app/1", "authn/1", "app/12"].map {
      #"{"stream":"\#($0)","type":"flow.started","data":{"kind":"authn","sdk":"s","settings":{}}}"#
    }
    let append = try Program.run(["append", "--store", "s"], input: lines.joined(separator: "\n"), in: folder)
    #expect(append.code == 0, "\(append)")
    let show = try Program.run(["show", "1", "--store", "s"], in: folder)
    #expect(show.code == 64 && show.errors.contains("of 3 flows: app/1, app/12, authn/1; give one"), "\(show)")
    #expect(try Program.run(["show", "app/1", "--store", "s"], in: folder).code == 0)
  }

  @Test("a name of nothing is no flow: 66")
  func emptyName() throws {
    let shown = try Recorded.once().run("show", "")
    #expect(shown.code == 66 && shown.output.isEmpty && shown.errors.contains("there is no flow ''"))
  }

  @Test("the ids of the table are enough to find a flow")
  func shortIDs() throws {
    let recorded = try Recorded.once()
    let rows = try recorded.run("flows").lines.dropFirst().filter { $0.contains("authn") }
    #expect(rows.count == 6)
    for row in rows {
      let id = String(row.prefix { $0 != " " })
      #expect(try recorded.run("show", id).code == 0)
    }
  }

  @Test("filters choose flows; where none passes the exit code is 1")
  func filters() throws {
    let recorded = try Recorded.once()
    #expect(try recorded.run("flows", "--json", "--user", "ANN@acme.example").lines.count == 1)
    #expect(try recorded.run("flows", "--json", "--status", "lockedout").lines.count == 1)
    #expect(try recorded.run("flows", "--json", "--status", "SUCCESS").lines.count == 3)
    #expect(try recorded.run("flows", "--json", "--kind", "authn", "--since", "-1h", "--until", "now").lines.count == 6)
    let none = try recorded.run("flows", "--json", "--until", "-1h")
    #expect(none.code == 1 && none.output.isEmpty)
  }

  @Test("show --json has the events with data; show --at folds")
  func showJSON() throws {
    let recorded = try Recorded.once()
    let flow = try recorded.flow(of: "bob@acme.example")
    let document = try JSON(parsing: Array(recorded.run("show", flow, "--json").output.utf8))
    let events = try #require(document["events"]?.array)
    #expect(events.count == 28)
    #expect(events.first?["type"]?.string == "flow.started")
    #expect(events.last?["words"]?.string == "success")
    let words = events.compactMap { $0["words"]?.string }
    #expect(words.contains("MFA_REQUIRED -> MFA_CHALLENGE, factor WAITING, OKTA push"))
    #expect(words.contains("factor WAITING") && words.contains("1 s until the next poll"))
    let state = try JSON(parsing: Array(recorded.run("show", flow, "--at", "10", "--json").output.utf8))
    #expect(state.keys == ["schema", "flow", "revision", "state"])
    #expect(state["state"]?["status"]?.string == "MFA_CHALLENGE")
    #expect(state["state"]?["transaction"]?["stateToken"]?.string == "$secret.stateToken.1$")
  }

  @Test("info and report summary count the same flows")
  func counts() throws {
    let recorded = try Recorded.once()
    let info = try JSON(parsing: Array(recorded.run("info", "--json").output.utf8))
    for key in ["records", "flows", "segments", "bytesOnDisk", "bytesRaw", "lastCheckpoint"] {
      #expect(info.keys.contains(key))
    }
    #expect(info["flows"]?.int == 6)
    #expect(info["lastCheckpoint"]?["size"] == info["records"])
    let report = try JSON(parsing: Array(recorded.run("report", "summary", "--format", "json").output.utf8))
    #expect(report["flows"]?.int == 6)
    #expect(report["outcomes"]?["success"]?.int == 3)
    #expect(report["errors"]?["E0000068"]?.int == 1)
    let html = try recorded.run("report", "summary", "--format", "html").output
    #expect(html.hasPrefix("<!DOCTYPE html>") && !html.contains("<script") && html.contains("ann@acme.example"))
    #expect(try recorded.run("report", "summary", "--format", "csv").lines.first == "section,name,value")
    #expect(try recorded.run("report", "summary").lines.allSatisfy { $0.count <= 80 })
    #expect(try Program.run(["report", "--list"], in: recorded.folder).output.hasPrefix("summary"))
  }

  @Test("exports replay, and JSON Lines are the records")
  func exports() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    for (index, flow) in try recorded.flows().compactMap({ $0["flow"]?.string }).enumerated() {
      let file = folder("\(index).ndjson.lz4")
      #expect(try recorded.run("export", flow, "--as", "recording", "-o", file).code == 0)
      let lines = try recorded.run("export", flow, "--as", "ndjson", "-o", "-").lines
      #expect(try lines == recorded.run("cat", "--stream", flow).lines)
    }
    let files = (0..<6).map { folder("\($0).ndjson.lz4") }
    let replay = try Program.run(["replay", "--json"] + files, in: folder)
    #expect(replay.code == 0)
    let report = try JSON(parsing: Array(replay.output.utf8))
    #expect(report.keys == ["schema", "recordings", "replayed", "diverged", "divergences", "causes", "later"])
    #expect(report["recordings"]?.int == 6 && report["replayed"]?.int == 6 && report["diverged"]?.int == 0)
    #expect(try recorded.run("replay", "--json").output == replay.output)
  }

  @Test("a recording that was changed diverges: 1, with revision and path")
  func divergence() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let flow = try recorded.flow(of: "ann@acme.example")
    // The same events in a store of their own, one response with another status.
    let lines = try recorded.run("export", flow, "--as", "ndjson", "-o", "-").lines.map { line in
      try JSON(parsing: Array(line.utf8))
    }
    let places = Dictionary(uniqueKeysWithValues: lines.enumerated().map { ($1["n"]?.int ?? -1, $0 + 1) })
    let input = lines.map { record in
      var data = record["data"] ?? [:]
      if record["type"]?.string == "status.changed", case .object(var object) = data {
        object["status"] = "LOCKED_OUT"
        data = .object(object)
      }
      return JSON.members([
        ("stream", record["stream"]), ("type", record["type"]), ("data", data), ("at", record["at"]),
        ("cause", record["cause"]?.int.flatMap { places[$0] }.map(JSON.int)),
      ]).text
    }
    let append = try Program.run(
      ["append", "--store", folder("audit")], input: input.joined(separator: "\n"), in: folder)
    #expect(append.code == 0, "\(append.errors)")
    let replay = try Program.run(["replay", "--store", folder("audit"), "--json"], in: folder)
    #expect(replay.code == 1)
    let divergence = try #require(try JSON(parsing: Array(replay.output.utf8))["divergences"]?.array?.first)
    #expect(
      divergence.keys == [
        "recording", "flow", "revision", "kind", "call", "expected", "actual", "path", "message", "recorded",
        "replayed",
        "before", "recordedBy", "replayedBy",
      ])
    #expect(divergence["revision"]?.int == 5 && divergence["path"]?.string == "data.status")
    let text = try Program.run(["replay", "--store", folder("audit")], in: folder)
    let words = text.output.split { $0.isWhitespace }.joined(separator: " ")
    #expect(
      text.code == 1 && words.contains("status.changed has status SUCCESS (recorded: LOCKED_OUT)"), "\(text.output)")
    #expect(text.lines.allSatisfy { $0.count <= 80 })
  }
}
