// What-if runs, sweeps, accepted changes, bisection, archives and recorded orgs, by the command.

import EventStore
import FlowRecording
import Foundation
import Glibc
import Replay
import Testing

@Suite struct WhatIfCommandTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func path(_ name: String) -> String { GoldenPath.file(name) }

  private func document(_ run: Run) throws -> JSON { try JSON(parsing: Array(run.output.utf8)) }

  private func write(_ text: String, to file: String) throws {
    try text.write(toFile: folder(file), atomically: true, encoding: .utf8)
  }

  @Test("edits make a new recording that names its origin and replays")
  func edit() throws {
    try write(#"{"edits":[{"at":3,"status":401,"body":{"errorCode":"E0000004","errorSummary":"no"}}]}"#, to: "e.json")
    let run = try Program.run(
      ["replay", path("push-approved"), "--edit", "e.json", "-o", "new.ndjson.lz4", "--json"], in: folder)
    #expect(try run.code == 0 && document(run)["ending"]?.string == "failed serverRespondedWithError", "\(run)")
    let made = try #require(try Recording(contentsOf: folder("new.ndjson.lz4")).flows.first)
    let end = try #require(made.records.last { $0.event.type == "call.returned" }).revision
    #expect(try document(run)["firstDifference"] == ["revision": 4, "type": "response.received"], "\(run)")
    #expect(try document(run)["end"] == ["revision": .int(end), "type": "call.returned"], "\(run)")
    let text = try Program.run(["replay", path("push-approved"), "--edit", "e.json"], in: folder)
    let words = text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("it differs from revision 4 (response.received) on"), "\(text)")
    #expect(words.contains("and ends at revision \(end) (call.returned) of the new recording"), "\(text)")
    let replay = try Program.run(["replay", "new.ndjson.lz4"], in: folder)
    #expect(replay.code == 0, "\(replay)")
    let show = try Program.run(["cat", "--store", "new.ndjson.lz4"], in: folder)
    #expect(show.output.contains("made of push-approved.ndjson.lz4, at 3 status 401"), "\(show)")
    try write("{}", to: "none.edits")
    let same = try Program.run(["replay", path("push-approved"), "--edit", "none.edits"], in: folder)
    #expect(same.output.contains("it is as it was recorded"), "\(same)")
    let counts = same.output.split { !$0.isNumber }.compactMap { Int($0) }.suffix(2)
    #expect(same.code == 0 && Set(counts).count == 1, "without a change there are as many events: \(same)")
    let answer = #"{"answers":[{"request":"POST /api/v1/nothing","status":204}]}"#
    try write(answer, to: "spare.json")
    let spare = try Program.run(["replay", path("push-approved"), "--edit", "spare.json"], in: folder)
    #expect(spare.code == 0 && spare.output.contains("never asked for"), "\(spare)")
    #expect(spare.output.contains("POST /api/v1/nothing 204"), "\(spare)")
    let json = try Program.run(["replay", path("push-approved"), "--edit", "spare.json", "--json"], in: folder)
    let recorded = try Recording(contentsOf: path("push-approved")).flows.first?.records.count
    #expect(try document(json)["events"]?.int == recorded, "the note does not count: \(json)")
    #expect(try document(json)["unusedAnswers"] == [["request": "POST /api/v1/nothing", "status": 204]], "\(json)")
    try write("{", to: "bad.json")
    for (file, code) in [("bad.json", Int32(65)), ("none.json", 66)] {
      let bad = try Program.run(["replay", path("push-approved"), "--edit", file], in: folder)
      #expect(bad.code == code && bad.errors.split(separator: "\n").count == 1, "\(bad)")
    }
    #expect(try Program.run(["replay", path("push-approved"), "--sweep", "--accept"], in: folder).code == 64)
  }

  @Test("differences of a step that are not listed are counted")
  func leftOut() throws {
    var recording = try Recording(contentsOf: path("push-approved"))
    let last = try #require(recording.flows.first?.records.last)
    for number in 1...600 {
      let timer = FlowEvent.timerSet(TimerSet(milliseconds: number, purpose: "nothing"))
      recording.flows[0].records.append(
        FlowRecord(revision: last.revision + number, at: last.at, cause: last.cause, event: timer))
    }
    try SliceFile.write(records: recording.records(), source: Recording.source, to: folder("more.ndjson.lz4"))
    let json = try Program.run(["replay", "more.ndjson.lz4", "--json"], in: folder)
    #expect(json.code == 1)
    #expect(try document(json)["leftOut"]?.int == 100)
    #expect(try document(json)["later"]?.array?.last?["leftOut"]?.int == 100)
    let all = try Program.run(["replay", "more.ndjson.lz4", "--all"], in: folder)
    #expect(all.output.contains("\n… and 100 more differences of this step\n"))
    let some = try Program.run(["replay", "more.ndjson.lz4"], in: folder)
    #expect(some.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("100 more are counted"))
  }

  @Test("a sweep says how each fault ends")
  func sweep() throws {
    let run = try Program.run(["replay", path("push-approved"), path("oidc-refused"), "--sweep", "--json"], in: folder)
    let document = try document(run)
    #expect(run.code == 0 && document["findings"]?.array?.isEmpty == true, "\(run.output)")
    #expect((document["tried"]?.int ?? 0) > 60 && document["endings"]?["429"] != nil)
    let text = try Program.run(["replay", path("push-approved"), "--sweep", "--all"], in: folder)
    #expect(text.code == 0 && text.output.contains("push-approved.ndjson.lz4, 3 POST /api/v1/authn: lost: "), "\(text)")
    let some = try Program.run(
      ["replay", path("push-approved"), "nosuch", path("oidc-refused"), "--sweep", "--json"], in: folder)
    #expect(try some.code == 66 && self.document(some)["recordings"]?.int == 2, "\(some)")
  }

  @Test("a flow of a later version is named with its file, and keeps no other from a replay, a sweep or an acceptance")
  func laterVersion() throws {
    let later = #"sed 's/"type":"flow.started","v":1/"type":"flow.started","v":9/'"#
    let make = try Program.shell(
      "lz4 -dc '\(path("password-only"))' > good.ndjson; \(later) good.ndjson > later.ndjson", in: folder)
    #expect(make.code == 0)
    for way in [[], ["--sweep"], ["--accept"]] {
      let run = try Program.run(["replay", "later.ndjson", "good.ndjson", "--json"] + way, in: folder)
      #expect(try run.code == 65 && document(run)["recordings"]?.int == 1, "\(way): \(run)")
      #expect(run.errors.contains("later.ndjson: flow authn/"), "\(way): \(run)")
      #expect(run.errors.contains("a flow.started of a version that this program does not know"), "\(way): \(run)")
    }
    let explain = try Program.run(["explain", "later.ndjson"], in: folder)
    #expect(explain.code == 65 && explain.errors.contains("later.ndjson: flow authn/"), "\(explain)")
    let promote = try Program.run(["promote", "good.ndjson", "later.ndjson", "--into", "kept"], in: folder)
    #expect(promote.code == 65 && promote.errors.contains("later.ndjson: flow authn/"), "\(promote)")
    #expect(!FileManager.default.fileExists(atPath: folder("kept")), "nothing is promoted before all can be")
    let records = [
      #"{"stream":"authn/1","type":"flow.started","v":9,"data":{"kind":"authn","sdk":"x","settings":{}}}"#,
      #"{"stream":"notes","type":"note","v":1,"data":{}}"#,
    ]
    let append = try Program.run(["append", "--store", "audit"], input: records.joined(separator: "\n"), in: folder)
    #expect(append.code == 0, "\(append)")
    let sweep = try Program.run(["replay", "--store", "audit", "--sweep"], in: folder)
    #expect(sweep.code == 65 && sweep.errors.contains("flow authn/1 begins with a flow.started"), "\(sweep)")
    #expect(!sweep.errors.contains("notes"), "an application's stream is no flow: \(sweep)")
  }

  @Test("a wanted change is accepted: printed, and the recording made again")
  func accept() throws {
    let copy = try Program.shell(
      "cp '\(path("push-approved"))' same.ndjson.lz4; lz4 -dc same.ndjson.lz4 > plain.ndjson", in: folder)
    #expect(copy.code == 0)
    let slice = try SliceFile.read(path: folder("same.ndjson.lz4"))
    let lines = try slice.records.map { record in
      let text = String(decoding: record.line, as: UTF8.self).replacingOccurrences(
        of: "\"ms\":5000", with: "\"ms\":4000")
      return try StoredRecord(line: Array(text.utf8))
    }
    let source = StoreIdentity(id: slice.header.store, origin: slice.header.origin)
    try SliceFile.write(records: lines, source: source, to: folder("changed.ndjson.lz4"))
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder("changed.ndjson.lz4"))
    let run = try Program.run(["replay", "same.ndjson.lz4", "changed.ndjson.lz4", "--accept", "--json"], in: folder)
    let mode = try files.attributesOfItem(atPath: folder("changed.ndjson.lz4"))[.posixPermissions]
    #expect(mode as? Int == 0o640, "who may read it stays")
    #expect(try run.code == 0 && document(run)["accepted"] == ["changed.ndjson.lz4"], "\(run)")
    #expect(try document(run)["divergences"]?.array?.count == 1)
    let anew = try SliceFile.read(path: folder("changed.ndjson.lz4")).records.map(\.line)
    let original = try Recording(contentsOf: path("push-approved")).flows
    #expect(try Recording(contentsOf: folder("changed.ndjson.lz4")).flows == original)
    let text = try Program.shell("sed -i 's/\"ms\":5000/\"ms\":4000/' plain.ndjson", in: folder)
    #expect(text.code == 0)
    let plain = try Program.run(["replay", "plain.ndjson", "--accept", "--json"], in: folder)
    #expect(try plain.code == 0 && document(plain)["accepted"] == ["plain.ndjson"], "\(plain)")
    // Plain lines stay plain, and are as they were recorded.
    let back = try SliceFile.records(in: Array(Data(contentsOf: URL(fileURLWithPath: folder("plain.ndjson")))))
    #expect(back.header == nil && back.records.map(\.line) == anew)
    // One that cannot be read does not keep the others from it.
    let again = try Program.shell("sed 's/\"ms\":5000/\"ms\":4000/' plain.ndjson > other.ndjson", in: folder)
    #expect(again.code == 0)
    let some = try Program.run(["replay", "nosuch.ndjson", "other.ndjson", "--accept"], in: folder)
    #expect(some.code == 66 && some.errors.contains("nosuch.ndjson"), "\(some)")
    #expect(some.output.contains("other.ndjson is made anew"), "\(some)")
    try write("{\"n\":1", to: "cut.ndjson")
    let cut = try Program.run(["replay", "cut.ndjson", "--accept"], in: folder)
    #expect(cut.code == 65 && cut.errors.contains("cut.ndjson"), "\(cut)")
  }

  @Test("a recording that differs only around the decisions is not accepted, and is said to be that")
  func acceptAround() throws {
    let make = try Program.shell(
      "lz4 -dc '\(path("push-approved"))' | sed 's/[$]secret[.]password[.]1[$]/hunter2-in-clear/g' > clear.ndjson",
      in: folder)
    #expect(make.code == 0, "\(make)")
    let before = try Data(contentsOf: URL(fileURLWithPath: folder("clear.ndjson")))
    let run = try Program.run(["replay", "clear.ndjson", "--accept"], in: folder)
    let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(run.code == 1 && words.contains("clear.ndjson stays as it is: what differs stands around"), "\(run)")
    #expect(!words.contains("an input has no place any more"), "\(run)")
    let json = try Program.run(["replay", "clear.ndjson", "nosuch.ndjson", "--accept", "--json"], in: folder)
    #expect(try json.code == 66 && document(json)["refused"] == ["clear.ndjson"], "\(json)")
    let reason = try document(json)["reasons"]?["clear.ndjson"]?.string
    #expect(reason?.hasPrefix("stays as it is: what differs stands around") == true, "\(json)")
    #expect(try document(json)["unreadable"]?.array?.count == 1, "\(json)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder("clear.ndjson"))) == before)
  }

  @Test("the first build that differs is found, past builds that cannot be used")
  func bisect() throws {
    // One of the field: a golden one is replayed with all that its digests cover, which takes long.
    let recorded = try Recorded.once()
    let export = try recorded.run(
      "export", recorded.flow(of: "bob@acme.example"), "--as", "recording", "-o", folder("field.ndjson.lz4"))
    #expect(export.code == 0, "\(export)")
    for (name, script) in [
      ("1", "exec \(Program.binary) \"$@\""), ("2", "exit 139"), ("3", "exec \(Program.binary) \"$@\""),
      ("4", "\(Program.binary) \"$@\" | sed 's/\"diverged\":0/\"diverged\":1/'; exit 1"), ("5", "exit 64"),
      ("6", "\(Program.binary) \"$@\" | sed 's/\"diverged\":0/\"diverged\":1/'; exit 1"),
    ] {
      try FileManager.default.createDirectory(atPath: folder("b\(name)"), withIntermediateDirectories: false)
      try write("#!/bin/sh\n\(script)\n", to: "b\(name)/auditctl")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder("b\(name)/auditctl"))
    }
    let all = (1...6).map { "b\($0)" }
    let run = try Program.run(["bisect", "field.ndjson.lz4", "--json", "--builds"] + all, in: folder)
    #expect(try run.code == 0 && document(run)["firstBad"] == "b4", "\(run)")
    // What comes through a pipe is there for each build, and so is what the shell opens.
    for way in ["cat field.ndjson.lz4 |", "< field.ndjson.lz4"] {
      let piped = try Program.shell("\(way) \(Program.binary) bisect /dev/stdin --json --builds b1 b3 b4", in: folder)
      #expect(try piped.code == 0 && document(piped)["firstBad"] == "b4", "\(piped)")
      #expect(try document(piped)["recording"] == "/dev/stdin", "\(piped)")
    }
    let good = try Program.run(["bisect", "field.ndjson.lz4", "--builds", "b1", "b3"], in: folder)
    let old = try Program.run(["bisect", "field.ndjson.lz4", "--builds", "b4"], in: folder)
    #expect(old.code == 0 && old.output.contains("b4 differs, and is the oldest"), "\(old)")
    #expect(good.code == 1 && good.output.contains("no build"), "\(good)")
    for (builds, words) in [(["b3", "b2", "b4"], "b3 does not"), (["b2", "b4"], "cannot: b2")] {
      let open = try Program.run(["bisect", "field.ndjson.lz4", "--builds"] + builds, in: folder)
      let text = open.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(open.code == 0 && text.contains(words) && text.contains("b2"), "\(open)")
      #expect(!text.contains("is the first that differs"), "\(open)")
      let json = try Program.run(["bisect", "field.ndjson.lz4", "--json", "--builds"] + builds, in: folder)
      #expect(try document(json)["unknown"] == ["b2"], "\(json)")
    }
    let unusable = try Program.run(["bisect", "field.ndjson.lz4", "--builds", "b2", "b5"], in: folder)
    #expect(unusable.code == 65 && !unusable.output.contains("no build"), "\(unusable)")
    let none = try Program.run(["bisect", "field.ndjson.lz4", "--builds", "nowhere"], in: folder)
    #expect(none.code == 66, "\(none)")
    #expect(try Program.run(["bisect", "none", "--builds", "b1"], in: folder).code == 66)
  }

  @Test("an archive is exported and imported, shown and explained")
  func archive() throws {
    let store = try Recorded.once()
    let flow = try store.flow(of: "bob@acme.example")
    let export = try store.run("export", flow, "--as", "har", "-o", folder("x.har"))
    #expect(export.code == 0, "\(export)")
    let imported = try Program.run(["import", "--har", "x.har", "-o", "x.ndjson.lz4", "--json"], in: folder)
    #expect(try imported.code == 0 && document(imported)["flows"]?.int == 1, "\(imported)")
    let show = try Program.run(["show", "x.ndjson.lz4"], in: folder)
    #expect(show.code == 0 && show.output.contains("/api/v1/authn"), "\(show)")
    let flows = try Program.run(["flows", "--store", "x.ndjson.lz4", "--json"], in: folder)
    #expect(flows.code == 0 && flows.lines.count == 1, "\(flows)")
    #expect(try document(flows)["user"] == "bob@acme.example" && document(flows)["status"] == "SUCCESS", "\(flows)")
    let archive = try Data(contentsOf: URL(fileURLWithPath: folder("x.har")))
    let over = try Program.run(["import", "--har", "x.har", "-o", "./x.har"], in: folder)
    #expect(over.code == 64 && over.errors.contains("the archive itself"), "\(over)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder("x.har"))) == archive)
    let bad = try Program.run(["import", "--har", path("push-approved"), "-o", "y.ndjson.lz4"], in: folder)
    #expect(bad.code == 65 && !FileManager.default.fileExists(atPath: folder("y.ndjson.lz4")), "\(bad)")
  }

  @Test("an archive of two orgs is imported as a flow for each, and the command says so")
  func archiveOfTwoOrgs() throws {
    let entries = ["one", "two"].map { name in
      #"{"startedDateTime":"2026-01-15T09:00:01Z","request":{"method":"POST","url":"https://\#(name).example/api/v1/authn"}}"#
    }
    try write(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#, to: "two.har")
    let run = try Program.run(["import", "--har", "two.har", "-o", "two.ndjson.lz4"], in: folder)
    #expect(run.code == 0 && run.output.contains("went to 2 orgs"), "\(run)")
    #expect(run.output.contains("\n  https://one.example\n  https://two.example\n"), "\(run)")
    let flows = try Program.run(["flows", "--store", "two.ndjson.lz4", "--json"], in: folder)
    #expect(flows.code == 0 && flows.lines.count == 2, "\(flows)")
  }

  /// Runs an org that answers as recorded, and signs in there with a password of one's own.
  private func signIn(to recording: String, _ arguments: String...) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments = ["simulate", "--from", path(recording)]
    let output = Pipe()
    (process.standardInput, process.standardOutput, process.standardError) = (Pipe(), output, Pipe())
    try process.run()
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let url = try #require(line.split(separator: "\n").first.map(String.init))
    return try Program.run(
      ["sign-in", "--org", url, "--username", "zoe@acme.example", "--store", folder("audit")] + arguments,
      input: "any-Password-1\n", in: folder)
  }

  @Test("a push of long ago is answered as it was, to a client that polls in its own time")
  func recordedPushes() throws {
    let approved = try signIn(to: "push-approved", "--factor", "push", "--poll-interval", "1")
    #expect(approved.code == 0, "\(approved)")
    let rejected = try signIn(to: "push-rejected", "--factor", "push", "--poll-interval", "1")
    #expect(rejected.code == 1 && rejected.errors.contains("REJECTED"), "\(rejected)")
  }

  @Test("an org answers as recorded: a sign-in that knows nothing of it succeeds, and is recorded again")
  func recordedOrg() throws {
    let signIn = try signIn(to: "password-only")
    #expect(signIn.code == 0, "\(signIn.errors)")
    let flows = try Program.run(["flows", "--store", "audit", "--json"], in: folder)
    #expect(flows.output.contains("\"outcome\":\"success\""), "\(flows)")
    for option in [
      ["--fault", "lost"], ["--policy", "password"], ["--number-challenge"], ["--notification-port", "0"],
      ["--user-verification", "required"],
    ] {
      let refused = try Program.run(["simulate", "--from", path("password-only")] + option, in: folder)
      #expect(refused.code == 64 && refused.errors.contains("--from answers as recorded"), "\(refused)")
    }
    #expect(try Program.run(["simulate", "--from", "none"], in: folder).code == 66)
  }
}
